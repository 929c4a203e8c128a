// A whole ruleset in the part of a link after #: the game it begins with and what differs, readable, without a `/`.
//
//     vl&king.capture.landing=behind&draws.endings=KKKvK+KKMvK:16,KKvK:5&capture.binds=-&name=My+game
//
// `-` removes a rule; lists have commas, mappings `key:value`, squares and doors dots. The form of a rule's value is taken
// from the known games (`rulesets.js`).
"use strict";

const damspecLink = (() => {
  const ABSENT = "-", OWN = "own";
  const games = () => damspecRulesets;
  /** The values that a rule has in the known games. */
  const known = (rule) => Object.values(games()).flatMap(({ values }) => (rule in values ? [values[rule]] : []));
  const same = (one, other) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
  const isMapping = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

  /** A value with the keys of its mappings in order, so that equal values have the same text. */
  const sorted = (value) => {
    if (Array.isArray(value)) return value.map(sorted);
    if (!isMapping(value)) return value;
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
  };

  const escaped = (text) =>
    encodeURIComponent(text).replaceAll("%20", "+").replaceAll("%2C", ",").replaceAll("%3A", ":");
  const unescaped = (text) => decodeURIComponent(text.replaceAll("+", " "));
  const scalar = (text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);

  const written = (rule, value) => {
    if (value === undefined) return ABSENT;
    if (Array.isArray(value)) return value.join(",");
    if (!isMapping(value)) return String(value);
    if ("sliders" in value) {
      if (known(rule).some((layout) => same(layout, value))) return value.id;
      return value.sliders.map(({ id, colour, left, right }) => `${id}:${colour}.${left}.${right}`).join(",");
    }
    const part = (each) => (Array.isArray(each) ? each.join(".") + (each.length < 2 ? "." : "") : each);
    return Object.entries(value).map(([key, each]) => `${key}:${part(each)}`).join(",");
  };

  const read = (rule, text, values) => {
    const examples = known(rule);
    if (examples.some(Array.isArray)) return text ? text.split(",") : [];
    const layout = examples.find((each) => each.id === text);
    if (layout) return layout;
    if (!text.includes(":")) return scalar(text);
    const entries = text.split(",").map((entry) => [entry.slice(0, entry.lastIndexOf(":")), entry.slice(entry.lastIndexOf(":") + 1)]);
    if (examples.some((each) => each.sliders)) {
      const sliders = entries.map(([id, said]) => {
        const [colour, left, right] = said.split(".").map(scalar);
        return { id, colour, left, right };
      });
      return layoutOf(sliders, values["board.size"]);
    }
    const part = (each) => (each.includes(".") ? each.split(".").filter(Boolean).map(scalar) : scalar(each));
    return Object.fromEntries(entries.map(([key, each]) => [key, part(each)]));
  };

  /** A trapdoor layout of one's own, in the form of a file. */
  const layoutOf = (sliders, board) => ({ damspec: 1, id: OWN, name: "Own trapdoors", board, assumed: false, sliders });

  return {
    OWN,
    known,
    same,
    layoutOf,

    /** The text for a ruleset; `base` is the id of the game it begins with, or empty. */
    write({ base = "", name = "", values }) {
      const before = games()[base]?.values ?? {};
      const rules = [...new Set([...Object.keys(before), ...Object.keys(values)])];
      const differ = rules.filter((rule) => !same(before[rule], values[rule]));
      const parts = differ.map((rule) => `${rule}=${escaped(written(rule, values[rule]))}`);
      return [base, ...(name ? [`name=${escaped(name)}`] : []), ...parts].join("&") || "&";
    },

    /** Parses a text. Throws a KeyedError. */
    read(text) {
      const [base, ...parts] = text.replace(/^#/, "").split("&");
      if (base && !(base in games())) throw new damspec.KeyedError("link-game", { found: base });
      const found = { base, name: "", values: { ...games()[base]?.values } };
      for (const part of parts.filter(Boolean)) {
        const [rule, ...rest] = part.split("=");
        let said;
        try {
          said = unescaped(rest.join("="));
        } catch {
          throw new damspec.KeyedError("link-part", { found: part });
        }
        if (rule === "name") found.name = said;
        else if (!/^[a-z]+(\.[a-z-]+)+$/.test(rule) || !rest.length) throw new damspec.KeyedError("link-rule", { found: part });
        else if (said === ABSENT) delete found.values[rule];
        else found.values[rule] = read(rule, said, found.values);
      }
      return found;
    },
  };
})();
