// The texts of the workshop in one language: rule values as sentences of the rulebook (spec/rulebook/), with the values of
// other rules filled in, and the page's own texts.
"use strict";

const damspecRuleTexts = ({ rules }, tongue) => {
  const { filled } = damspec;
  const { phrases } = tongue;
  const { join } = phrases;
  const isMapping = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const same = (one, other) => one.length === other.length && one.every((each) => other.includes(each));

  // The groups of directions for which the language has a word.
  const DIAGONAL = (direction) => direction.includes("-");
  const names = Object.values(rules).find(({ form }) => form.places).form.values;
  const GROUPS = {
    "all": names,
    "diagonals": names.filter(DIAGONAL),
    "orthogonals": names.filter((direction) => !DIAGONAL(direction)),
    "forward-diagonals": names.filter((direction) => /^forward-/.test(direction)),
    "backward-diagonals": names.filter((direction) => /^backward-/.test(direction)),
  };

  const either = (words, last = "or") => [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(join[last]);
  const directions = (value) => {
    const group = Object.keys(GROUPS).find((name) => same(GROUPS[name], value));
    if (group) return phrases.directions[group];
    return either(value.map((each) => phrases.directions[each]));
  };

  /** Rule values with each direction by its own name, in the place of words for several. */
  const oneByOne = (values) => {
    const named = ([rule, value]) => (rules[rule]?.form.places ? value.flatMap((word) => GROUPS[word] ?? word) : value);
    return Object.fromEntries(Object.entries(values).map((each) => [each[0], named(each)]));
  };

  const counted = (kind, number, stressed = true) =>
    number === 1 ? phrases.pieces[kind].at(stressed ? 2 : -1) : `${phrases.numbers[number - 2] ?? number} ${phrases.pieces[kind][1]}`;
  const pieces = (letters, stressed) =>
    [["K", "king"], ["M", "man"]]
      .map(([letter, kind]) => [kind, letters.split(letter).length - 1])
      .flatMap(([kind, number]) => (number ? [counted(kind, number, stressed)] : []))
      .join(join.and);
  const material = (key) => {
    if (!key.includes("v")) return `${key.replace("-", "–")} ${phrases.pieces.piece[1]}`;
    const endgames = key.split(" ").map((endgame) => endgame.split("v"));
    const sides = [...new Set(endgames.map(([, weak]) => weak))].map((weak) => {
      const strong = endgames.filter((endgame) => endgame[1] === weak).map(([one]) => pieces(one, false));
      return [either(strong, strong.length > 2 ? "last" : "or"), pieces(weak, true)].join(join.against);
    });
    return sides.join(join.next);
  };
  const counts = (rule, value, values) => {
    const ofEach = rule === "draws.balance";
    const side = phrases.counted[ofEach ? "each" : (values["draws.counted-side"] ?? "each")];
    const text = join[ofEach ? "balance" : "counted"];
    return Object.entries(value)
      .map(([key, number]) => filled(text, { number, side, what: material(key) }))
      .join(join.next);
  };
  const spins = (value) =>
    Object.entries(value)
      .map(([key, word]) => filled(join.moves, { what: phrases.spin[key], does: phrases.spin[word] }))
      .join(join.next);
  const layout = ({ sliders }) =>
    sliders.map((slider) => filled(phrases.slider, { ...slider, colour: phrases.colours[slider.colour] })).join(join.next);

  /** Squares, three or more consecutive ones as a range. */
  const listed = (numbers) => {
    const runs = [];
    for (const number of numbers) {
      const run = runs.at(-1);
      if (run && run.at(-1) === number - 1) run.push(number);
      else runs.push([number]);
    }
    const text = (run) => (run.length > 2 ? [`${run[0]}–${run.at(-1)}`] : run);
    return runs.flatMap(text).join(", ");
  };

  /** The words for a value inside a sentence. */
  const worded = (rule, value, values) => {
    const { form } = rules[rule];
    if (value === undefined) return "…";
    if (form.kind === "counts") return counts(rule, value, values);
    if (form.kind === "layout") return layout(value);
    if (isMapping(value)) return spins(value);
    if (!Array.isArray(value)) return String(value);
    if (!value.length) return "…";
    if (form.places) return directions(value);
    const words = phrases.lists[rule];
    const weighed = values["capture.king-weight"] === undefined ? "" : "-weighed";
    const between = value.length > 1 && tongue.rules[rule].order ? join.next : join.or;
    return value.map((each) => words[each + weighed] ?? words[each]).join(between);
  };

  /** The number of men of a side at the start, if it can be worked out. */
  const men = (values) => {
    const given = values["start.men"];
    if (isMapping(given)) return given.white.length;
    const [columns, rows] = (values["board.size"] ?? "").split("x").map(Number);
    if (!rows || !given) return "…";
    if (values["board.squares"] === "all") return given * columns;
    const corner = values["board.dark-corner"] === "left" ? 0 : (columns - 1) % 2;
    let found = 0;
    for (let row = 0; row < given; row++) {
      for (let column = 0; column < columns; column++) if ((column + row) % 2 === corner) found++;
    }
    return found;
  };

  const phrase = (name, values) => {
    if (name === "men") return men(values);
    if (["white", "black", "kings"].includes(name)) return listed(values["start.men"][name]);
    if (name === "layout") return layout(values["trapdoors.layout"]);
    if (name === "also") return directions(values["man.capture.later"].filter((each) => !values["man.capture.first"].includes(each)));
    if (name === "squares") return String((values["board.size"] ?? "").split("x").reduce((one, other) => one * other, 1));
    if (name === "board.size") return String(values[name]).replace("x", " × ");
    if (name !== "start.men") return worded(name, values[name], values);
    return values[name] === 1 ? phrases.rows.one : filled(phrases.rows.many, { "": values[name] });
  };

  /** The sentence for the value of a rule, or the words for the value where there is no sentence. */
  const sentence = (rule, values) => {
    const value = values[rule];
    if (value === undefined) return tongue.workshop.without;
    const texts = tongue.rules[rule];
    if (!texts) {
      const text = worded(rule, value, values);
      return `${text[0].toUpperCase()}${text.slice(1)}.`;
    }
    const several = value.length > 1 && texts.order;
    const ways = {
      squares: isMapping(value) ? (value.kings ? "kings" : "squares") : "number",
      list: several ? "order" : value.length ? "list" : "none",
    };
    const first = values["man.capture.first"];
    const more = rule === "man.capture.later" && first?.length < value.length && first.every((each) => value.includes(each));
    const form = more ? "more" : (ways[rules[rule].form.kind] ?? "mapping");
    const text = texts[value] ?? texts[form] ?? texts["*"];
    return text.replace(/\{([a-z.-]+)\}/g, (_, name) => phrase(name, values));
  };

  /** A sentence that says the value: if the rule has none of its own, that of the rule which names it. */
  const whole = (rule, values) => {
    const names = (each) => Object.values(tongue.rules[each]).some((text) => String(text).includes(`{${rule}}`));
    const host = tongue.rules[rule] ? rule : Object.keys(tongue.rules).find((each) => each in values && names(each));
    return sentence(host ?? rule, values);
  };

  /** The words for one entry of a list or mapping. */
  const entry = (rule, word) =>
    rules[rule].form.places ? phrases.directions[word] : (phrases.lists[rule]?.[word] ?? phrases.spin[word] ?? word);

  /** A text of the page, with values filled in. */
  const page = (name, given = {}) => filled(tongue.workshop[name], typeof given === "object" ? given : { "": given });

  const titled = ({ titles }) => titles[tongue.tag] ?? titles.en;

  return {
    /** What stands behind a text that is there in English only. */
    inEnglish: tongue.tag === "en" ? "" : ` ${tongue.around.english}`,
    oneByOne,
    /** Whether a problem leaves nothing to be said of the value of its rule. */
    leavesUnsaid: ({ kind }) => ["missing", "form", "few"].includes(kind),
    titled,
    title: (rule) => (rules[rule] ? titled(rules[rule]) : rule),
    sentence,
    whole,
    entry,
    directions,
    listed,
    counted,
    page,
    /** The question that a rule asks. */
    asked: (rule) => tongue.asks[rule],
    colour: (name) => phrases.colours[name],
    game: (id) => tongue.games[id],
  };
};
