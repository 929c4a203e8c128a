// The rules that a game needs, and contradictions between values: by the reference's tables (`workshop/language.js`), and
// checks of squares and endings that no table has. All problems are found at once, each with its rule.
"use strict";

const damspecContradictions = ({ rules, clashes }, Board) => {
  const isMapping = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

  const is = (values, rule, wanted) => {
    if (rule.includes("|")) return rule.split("|").some((each) => is(values, each, wanted));
    const value = values[rule];
    if (Array.isArray(wanted)) {
      return Array.isArray(value) ? value.some((each) => wanted.includes(each)) : wanted.includes(value);
    }
    if (wanted === "filled") return Boolean(value?.length);
    const there = Object.keys(values).some((name) => name === rule || name.startsWith(`${rule}.`));
    return (wanted === "there") === there;
  };
  const holds = (condition, values) => Object.entries(condition).every(([rule, wanted]) => is(values, rule, wanted));

  /** Whether a rule is required (`always`), allowed (`may`) or absent (`never`); undefined while that is unknown. */
  const presence = (rule, values) => {
    const { when, free, unsaid } = rules[rule];
    if (unsaid && !Object.keys(when).every((other) => other in values)) return null;
    if (!holds(when, values)) return "never";
    return free ? "may" : "always";
  };

  /** Fills in values that follow from others, like the reference for a ruleset that extends another. */
  const settled = (values) => {
    const found = { ...values };
    for (const rule of Object.keys(rules)) {
      const state = presence(rule, values);
      if (state === "never") delete found[rule];
      else if (state && rules[rule].unsaid) found[rule] ??= rules[rule].unsaid;
    }
    return found;
  };

  // --- the form of a value ---

  const whole = (value, least = 1, most = Infinity) => Number.isInteger(value) && value >= least && value <= (most ?? Infinity);
  const distinct = (list) => new Set(list).size === list.length;
  const FITS = {
    choice: ({ values }, value) => values.includes(value),
    number: ({ least, most }, value) => whole(value, least, most),
    text: ({ pattern }, value) => new RegExp(pattern).test(value),
    list: ({ values }, value) => Array.isArray(value) && distinct(value) && value.every((each) => values.includes(each)),
    mapping: ({ keys, values }, value) =>
      isMapping(value) && Object.entries(value).every(([key, each]) => keys.includes(key) && values.includes(each)),
    counts: ({ pattern }, value) =>
      isMapping(value) && Object.entries(value).every(([key, each]) => new RegExp(pattern).test(key) && whole(each)),
    squares: ({ sides }, value) =>
      whole(value) ||
      (isMapping(value) &&
        sides.every((side) => Array.isArray(value[side]) && distinct(value[side]) && value[side].every((each) => whole(each)))),
    layout: (_, value) =>
      Array.isArray(value?.sliders) &&
      value.sliders.every(
        ({ id, colour, left, right }) =>
          /^[A-Z][0-9]+$/.test(id) && ["green", "orange"].includes(colour) && whole(left) && whole(right),
      ),
  };

  /** The least number of entries of a value, and whether it has fewer. */
  const few = ({ kind, least = 1, sides }, value) => {
    if (kind === "list") return value.length < least;
    if (kind === "mapping" || kind === "counts") return !Object.keys(value).length;
    if (kind === "squares") return isMapping(value) && sides.some((side) => !value[side].length);
    return kind === "layout" && !value.sliders.length;
  };

  // --- what no table says ---

  function* clashing(values) {
    for (const { rule, value, beside, after } of clashes) {
      const given = values[rule];
      const place = Array.isArray(given) ? given.indexOf(value) : given === value ? 0 : -1;
      if (place < 0 || !holds(beside, values)) continue;
      if (after && !given.slice(0, place).includes(after)) continue;
      const other = after ?? (rule in beside ? beside[rule][0] : null);
      if (other) yield { rule, kind: after ? "nothing-after" : "nothing-beside", entry: value, other };
      else yield { rule, kind: "clash", others: Object.keys(beside) };
    }
  }

  const sideOf = (letters) => [...letters].sort().join("");
  const endings = (key) => key.split(" ").map((ending) => ending.split("v").map(sideOf).sort().join("v"));
  const totals = (key) => {
    const [least, most = least] = key.split("-").map(Number);
    return most < least ? [] : Array.from({ length: most - least + 1 }, (_, more) => least + more);
  };

  function* counting(values) {
    for (const [rule, { form, affects }] of Object.entries(rules)) {
      if (form.kind !== "counts" || !affects.includes("history") || !(rule in values)) continue;
      const seen = new Map();
      for (const key of Object.keys(values[rule])) {
        const named = key.includes("v") ? endings(key) : totals(key);
        if (!named.length) yield { rule, kind: "order", entry: key };
        const told = !distinct(named) || named.some((one) => seen.has(one));
        if (told) yield { rule, kind: "twice", entry: key };
        for (const one of named) seen.set(one, key);
      }
    }
  }

  function* placing(values) {
    const board = new Board(values);
    const squares = Array.from({ length: board.places.length - 1 }, (_, at) => at + 1);
    const nearest = (count, side) =>
      squares.filter((square) => {
        const row = board.places[square][1];
        return side === "white" ? row >= board.rows - count : row < count;
      });
    const roads = [(n) => board.square(n, n), (n) => board.square(board.columns - 1 - n, n)];
    const diagonal = board.columns === board.rows && roads.some((road) => Array.from({ length: board.rows }, (_, n) => road(n)).every(Boolean));
    for (const rule of ["draws.main-road", "draws.river"]) if (rule in values && !diagonal) yield { rule, kind: "no-road" };
    yield* starting(values, board, squares, nearest);
    const sliders = values["trapdoors.layout"]?.sliders ?? [];
    const doors = sliders.flatMap(({ left, right }) => [left, right]);
    const rule = "trapdoors.layout";
    const meant = values[rule]?.board ?? values["board.size"];
    if (meant !== values["board.size"]) {
      yield { rule, kind: "other-board", entry: meant };
      return;
    }
    for (const door of doors) if (door > squares.length) yield { rule, kind: "no-square", squares: [door] };
    const again = doors.filter((door, place) => doors.indexOf(door) < place);
    if (again.length) yield { rule, kind: "two-doors", squares: again };
    const ids = sliders.map(({ id }) => id);
    const double = ids.find((id, place) => ids.indexOf(id) < place);
    if (double) yield { rule, kind: "two-sliders", entry: double };
  }

  function* starting(values, board, squares, nearest) {
    const rule = "start.men";
    const men = values[rule];
    const most = Math.floor((board.rows - 1) / 2);
    if (whole(men) && men > most) {
      yield { rule, kind: "too-many", number: most };
      return;
    }
    const { white, black } = whole(men) ? { white: nearest(men, "white"), black: nearest(men, "black") } : men;
    const missing = [...white, ...black].filter((square) => square > squares.length);
    if (missing.length) {
      yield { rule, kind: "no-square", squares: [missing[0]] };
      return;
    }
    const both = white.filter((square) => black.includes(square));
    if (both.length) yield { rule, kind: "both", squares: both };
    for (const [own, other] of [[white, "black"], [black, "white"]]) {
      const promotionRow = nearest(values["promotion.rows"], other);
      const crowned = own.filter((square) => promotionRow.includes(square) && !men.kings?.includes(square));
      if (crowned.length) yield { rule, kind: "crowned", squares: crowned };
    }
  }

  /** All problems of rule values, as `{rule, kind, ...}`; problems that prevent further checks come alone. */
  const all = (values) => {
    const found = [];
    for (const [rule, { form }] of Object.entries(rules)) {
      const state = presence(rule, values);
      if (state === "always" && !(rule in values)) found.push({ rule, kind: "missing" });
      else if (state === "never" && rule in values) found.push({ rule, kind: "clash", others: Object.keys(rules[rule].when).flatMap((other) => other.split("|")) });
      else if (rule in values && !FITS[form.kind](form, values[rule])) found.push({ rule, kind: "form" });
      else if (rule in values && few(form, values[rule])) found.push({ rule, kind: "few" });
    }
    if (found.some(({ kind }) => kind === "form")) return found;
    found.push(...clashing(values), ...counting(values));
    const needed = Object.keys(rules).filter((rule) => /board|setup/.test(rules[rule].affects) || rule === "promotion.rows");
    if (needed.every((rule) => rule in values) && !found.some(({ rule, kind }) => kind === "few" && needed.includes(rule))) {
      found.push(...placing(values));
    }
    return found;
  };

  return { presence, settled, all };
};
