/**
 * The rules of draughts and checkers, interpreted: positions, legal actions, what follows from them, and how a game ends.
 *
 * `rules(values)` makes a game of the values of a ruleset, as spec/README.md of damspec explains them:
 *
 *     import { rules } from "damspec";
 *     const game = rules(values);                     // {"board.size": "8x8", "man.move.reach": 1, ...}
 *     const position = game.start();
 *     game.moves(position).map((action) => action.text);
 *     game.write(game.play(position, "11-15"));
 *
 * It is written from the words of the rule language and shares nothing with the reference in Python, so that the two can
 * be held against each other. No game is named in here, and nothing is imported: it is one file, to be taken as it is.
 */

/** A rule is missing, has a value that is none of the language, or contradicts another. */
export class RulesError extends Error {}

/** An error with a `key` and the `values` it names beside its line in English, for who says it in another language. */
class KeyedError extends Error {
  constructor({ message, key, values }, where = "") {
    super(where + message);
    Object.assign(this, { key, values });
  }
}

/** A position that cannot be read on this board. */
export class PositionError extends KeyedError {}

/** A move that cannot be read, is not legal here, or can mean several. */
export class MoveError extends KeyedError {}

/** What a `KeyedError` says. */
const keyed = (key, values, message) => ({ key, values, message });

// Directions as a side sees them, clockwise; half a turn makes White's into Black's.
const DIRECTIONS = [
  "forward-left", "forward", "forward-right", "right", "backward-right", "backward", "backward-left", "left",
];
const STEPS = [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]];
const OPPOSITE = [4, 5, 6, 7, 0, 1, 2, 3];
const GROUPS = {
  "diagonals": [0, 2, 4, 6],
  "forward-diagonals": [0, 2],
  "backward-diagonals": [4, 6],
  "orthogonals": [1, 3, 5, 7],
  "all": [0, 1, 2, 3, 4, 5, 6, 7],
};

const SPUN = ["disc", "green", "orange", "both"];

// The numbers by which squares are called at most, and letters for columns.
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

// How many characters a position or a move of a stranger may have at most.
const LONGEST = 4000;

// A move: the steps that capture nothing come first.
const NOTATION = /^[a-z]?\d+(?=[-x:])(?:-[a-z]?\d+)*(?:[x:][a-z]?\d+)*$/;

// ---------------------------------------------------------------------------------------------------- rules

const oneOf = (...values) => ({ expected: values.join(", "), holds: (value) => values.includes(value) });
const listOf = (words, least) => ({
  expected: `a list of ${words.join(", ")}`,
  holds: (value) =>
    Array.isArray(value) && value.length >= least && repeated(value).length === 0 &&
    value.every((each) => words.includes(each)),
});
const directions = listOf([...DIRECTIONS, ...Object.keys(GROUPS)], 1);
const number = (least, most) => ({
  expected: `a whole number from ${least}` + (most === Infinity ? " on" : ` to ${most}`),
  holds: (value) => Number.isInteger(value) && value >= least && value <= most,
});
const squareNumber = number(1, Infinity);
const mappingOf = (keys, words) => ({
  expected: `a mapping of ${keys.join(", ")} to ${words.join(", ")}`,
  holds: (value) =>
    isMapping(value) && Object.keys(value).length > 0 &&
    Object.entries(value).every(([key, word]) => keys.includes(key) && words.includes(word)),
});
const counts = (expected, key) => ({
  expected: `a mapping of ${expected} to whole numbers`,
  holds: (value) =>
    isMapping(value) && Object.keys(value).length > 0 &&
    Object.entries(value).every(([name, most]) => key.test(name) && Number.isInteger(most) && most > 0),
});

// --- generated from spec/rules.yaml by `python tools/rules.py`
const VALUES = {
  "board.size": {"kind": "text", "pattern": "^([3-9]|1[0-9]|2[0-6])x([3-9]|1[0-9]|2[0-6])$", "expected": "text such as \"8x8\", each number from 3 to 26"},
  "board.squares": {"words": ["dark", "all"]},
  "board.dark-corner": {"words": ["left", "right"]},
  "board.numbering": {"words": ["top-left", "top-right", "bottom-left", "bottom-right", "top-left-down", "top-right-down", "bottom-left-up", "bottom-right-up"]},
  "start.men": {"kind": "squares", "words": ["kings"], "keys": ["white", "black"]},
  "start.first": {"words": ["white", "black"]},
  "man.move.directions": {"kind": "directions", "words": ["forward-left", "forward", "forward-right", "left", "right", "backward-left", "backward", "backward-right"]},
  "man.move.reach": {"words": [1, "any"]},
  "man.move.over-own": {"kind": "directions", "words": ["forward-left", "forward", "forward-right", "left", "right", "backward-left", "backward", "backward-right"]},
  "man.capture.first": {"kind": "directions", "words": ["forward-left", "forward", "forward-right", "left", "right", "backward-left", "backward", "backward-right"]},
  "man.capture.later": {"kind": "directions", "words": ["forward-left", "forward", "forward-right", "left", "right", "backward-left", "backward", "backward-right"]},
  "man.capture.gap": {"words": [1]},
  "man.capture.takes": {"words": ["any", "men"]},
  "king.move.directions": {"kind": "directions", "words": ["forward-left", "forward", "forward-right", "left", "right", "backward-left", "backward", "backward-right"]},
  "king.move.reach": {"words": [1, 2, "any"]},
  "king.move.slides": {"words": ["once", "twice"]},
  "king.move.limit": {"kind": "number", "most": 9},
  "king.capture.directions": {"kind": "directions", "words": ["forward-left", "forward", "forward-right", "left", "right", "backward-left", "backward", "backward-right"]},
  "king.capture.later": {"kind": "directions", "words": ["forward-left", "forward", "forward-right", "left", "right", "backward-left", "backward", "backward-right"]},
  "king.capture.kings-only": {"kind": "directions", "words": ["forward-left", "forward", "forward-right", "left", "right", "backward-left", "backward", "backward-right"]},
  "king.capture.reach": {"words": [1, "any"]},
  "king.capture.pieces": {"words": ["any"]},
  "king.capture.landing": {"words": ["behind", "within-two", "any"], "former": {"continuing": "king.capture.landing: any with king.capture.finish: continuing", "behind-last-king": "king.capture.landing: any with king.capture.finish: behind-last-king"}},
  "king.capture.finish": {"words": ["continuing", "behind-last-king", "behind-last"]},
  "king.capture.turning": {"words": ["straight", "not-back"]},
  "capture.duty": {"words": ["compulsory", "compulsory-for-men", "huffing", "optional"]},
  "capture.completion": {"words": ["whole", "may-stop", "one"]},
  "capture.choice": {"kind": "list", "words": ["most-pieces", "multiple-before-single", "multiple-when-mixed", "with-king", "most-kings", "king-first"], "least": 0},
  "capture.binds": {"words": ["path", "piece"]},
  "capture.king-weight": {"words": [1.5, 1.99, 2, 3]},
  "capture.removal": {"words": ["at-once", "at-end"]},
  "capture.origin": {"words": ["empty", "occupied"]},
  "promotion.rows": {"words": [1, 2, 3]},
  "promotion.mid-capture": {"words": ["stops", "as-man", "as-king", "as-man-else-king"]},
  "promotion.return": {"words": ["crowned", "not-crowned"]},
  "huff.offence": {"words": ["no-capture", "no-capture-or-unfinished", "no-capture-or-less", "man-forward"]},
  "huff.remedies": {"kind": "list", "words": ["huff", "retract"]},
  "huff.piece": {"words": ["able", "moved"]},
  "huff.turn": {"words": ["kept", "spent"]},
  "huff.retracted": {"words": ["must-capture", "free", "turn-lost"]},
  "trapdoors.layout": {"kind": "layout"},
  "trapdoors.step": {"words": ["one", "through"]},
  "trapdoors.falls": {"words": ["any", "men", "opponents"]},
  "trapdoors.quiet-landing": {"words": ["falls", "forbidden"]},
  "trapdoors.capture-landing": {"words": ["ends", "only-last"]},
  "trapdoors.passing": {"words": ["over", "blocked", "falls"]},
  "trapdoors.closing": {"words": ["stays-open", "at-once", "optional"]},
  "spin.outcomes": {"kind": "mapping", "words": ["piece", "green-slider", "orange-slider", "any-slider"], "keys": ["disc", "green", "orange", "both"]},
  "spin.when": {"words": ["no-capture", "after-capture"]},
  "spin.blocked": {"words": ["loses", "spins"]},
  "spin.slide": {"words": ["compulsory", "may-decline"]},
  "ending.no-pieces": {"words": ["loses", "wins"]},
  "ending.no-moves": {"words": ["loses", "wins", "draws"]},
  "ending.blocked": {"words": ["no-action", "no-piece-move", "no-step"]},
  "ending.first-king": {"words": ["wins"]},
  "ending.one-piece": {"words": ["loses"]},
  "ending.draws": {"kind": "list", "words": ["one-piece-each", "one-piece-each-no-capture", "one-piece-each-same-kind"], "least": 0},
  "ending.order": {"words": ["losses-first", "draws-first"]},
  "ending.king-to-man": {"words": ["wins"]},
  "ending.both-empty": {"words": ["mover-wins", "draw", "mover-loses"]},
  "draws.repetition": {"kind": "number", "least": 2},
  "draws.no-capture": {"kind": "number"},
  "draws.king-moves": {"kind": "number"},
  "draws.king-moves-pieces": {"kind": "number"},
  "draws.endings": {"kind": "counts", "pattern": "^[KM]{1,20}v[KM]{1,20}( [KM]{1,20}v[KM]{1,20}){0,20}$", "expected": "endgames such as KKvK"},
  "draws.balance": {"kind": "counts", "pattern": "^[1-9][0-9]{0,2}(-[1-9][0-9]{0,2})?$", "expected": "numbers of pieces such as 4-5"},
  "draws.main-road": {"kind": "counts", "pattern": "^[KM]{1,20}v[KM]{1,20}( [KM]{1,20}v[KM]{1,20}){0,20}$", "expected": "endgames such as KKvK"},
  "draws.river": {"kind": "counts", "pattern": "^[KM]{1,20}v[KM]{1,20}( [KM]{1,20}v[KM]{1,20}){0,20}$", "expected": "endgames such as KKvK"},
  "draws.counted-side": {"words": ["stronger", "weaker"]},
};
const PRESENCE = {
  "man.move.over-own": [{}, "", true, null],
  "man.capture.gap": [{}, "", true, null],
  "king.move.limit": [{"huff": "absent", "trapdoors": "absent"}, "there is no huffing and there are no trapdoors", true, null],
  "king.capture.later": [{}, "", true, null],
  "king.capture.kings-only": [{}, "", true, null],
  "king.capture.pieces": [{}, "", true, null],
  "king.capture.finish": [{"king.capture.landing": ["any"]}, "king.capture.landing is 'any'", true, null],
  "king.capture.turning": [{"king.capture.reach": ["any"], "capture.removal": ["at-once"], "capture.origin": ["empty"]}, "king.capture.reach is 'any' and capture.removal is 'at-once' and capture.origin is 'empty'", true, null],
  "capture.binds": [{"capture.choice": "filled"}, "capture.choice is not empty", false, "path"],
  "capture.king-weight": [{"capture.choice": ["most-pieces", "multiple-before-single", "multiple-when-mixed"]}, "capture.choice has one of most-pieces, multiple-before-single, multiple-when-mixed", true, null],
  "promotion.return": [{"promotion.mid-capture": ["as-man", "as-man-else-king"]}, "promotion.mid-capture is 'as-man' or 'as-man-else-king'", false, "crowned"],
  "huff.offence": [{"capture.duty": ["huffing"]}, "capture.duty is 'huffing'", false, null],
  "huff.remedies": [{"capture.duty": ["huffing"]}, "capture.duty is 'huffing'", false, null],
  "huff.piece": [{"capture.duty": ["huffing"]}, "capture.duty is 'huffing'", false, null],
  "huff.turn": [{"capture.duty": ["huffing"]}, "capture.duty is 'huffing'", false, null],
  "huff.retracted": [{"capture.duty": ["huffing"]}, "capture.duty is 'huffing'", false, null],
  "trapdoors.layout": [{"spin": "there"}, "there is a spinner", false, null],
  "trapdoors.step": [{"spin": "there"}, "there is a spinner", false, null],
  "trapdoors.falls": [{"spin": "there"}, "there is a spinner", false, null],
  "trapdoors.quiet-landing": [{"spin": "there"}, "there is a spinner", false, null],
  "trapdoors.capture-landing": [{"spin": "there"}, "there is a spinner", false, null],
  "trapdoors.passing": [{"spin": "there"}, "there is a spinner", false, null],
  "trapdoors.closing": [{"spin": "there"}, "there is a spinner", false, null],
  "spin.outcomes": [{"trapdoors": "there"}, "there are trapdoors", false, null],
  "spin.when": [{"trapdoors": "there"}, "there are trapdoors", false, null],
  "spin.blocked": [{"trapdoors": "there"}, "there are trapdoors", false, null],
  "spin.slide": [{"trapdoors": "there"}, "there are trapdoors", false, null],
  "ending.blocked": [{"capture.duty": ["huffing"]}, "capture.duty is 'huffing'", false, "no-action"],
  "ending.first-king": [{}, "", true, null],
  "ending.one-piece": [{}, "", true, null],
  "ending.order": [{"ending.draws": "filled"}, "ending.draws is not empty", false, "losses-first"],
  "ending.king-to-man": [{"ending.draws": "filled"}, "ending.draws is not empty", true, null],
  "ending.both-empty": [{"trapdoors": "there"}, "there are trapdoors", false, null],
  "draws.repetition": [{}, "", true, null],
  "draws.no-capture": [{}, "", true, null],
  "draws.king-moves": [{}, "", true, null],
  "draws.king-moves-pieces": [{"draws.king-moves": "there"}, "draws.king-moves is there", true, null],
  "draws.endings": [{}, "", true, null],
  "draws.balance": [{}, "", true, null],
  "draws.main-road": [{}, "", true, null],
  "draws.river": [{}, "", true, null],
  "draws.counted-side": [{"draws.endings|draws.main-road|draws.river": "there"}, "one of draws.endings, draws.main-road and draws.river is there", true, null],
};
const CLASHES = [
  ["king.move.slides", "twice", "with trapdoors, expected 'once'", {"trapdoors.layout": "there"}, null],
  ["king.capture.pieces", "any", "with king.capture.finish 'behind-last-king', where a jump takes one piece", {"king.capture.finish": ["behind-last-king"]}, null],
  ["king.capture.pieces", "any", "with king.move.slides 'twice', where a jump takes one piece", {"king.move.slides": ["twice"]}, null],
  ["king.capture.finish", "continuing", "with capture.completion 'may-stop', expected 'whole' with it", {"capture.completion": ["may-stop"]}, null],
  ["king.capture.finish", "continuing", "with capture.completion 'one', expected 'whole' with it", {"capture.completion": ["one"]}, null],
  ["capture.duty", "optional", "with a spinner, which a capture has to come before", {"spin.when": "there"}, null],
  ["capture.duty", "compulsory-for-men", "with a spinner, which a capture has to come before", {"spin.when": "there"}, null],
  ["capture.duty", "huffing", "with a spinner, which leaves no turn that breaks the duty", {"spin.when": "there"}, null],
  ["capture.choice", "multiple-before-single", "beside 'most-pieces', which leaves it nothing to say", {"capture.choice": ["most-pieces"]}, null],
  ["capture.choice", "multiple-when-mixed", "beside 'most-pieces', which leaves it nothing to say", {"capture.choice": ["most-pieces"]}, null],
  ["capture.choice", "multiple-when-mixed", "after 'multiple-before-single', which leaves it nothing to decide", {}, "multiple-before-single"],
  ["huff.offence", "no-capture-or-unfinished", "with capture.completion 'may-stop', expected 'whole' with it", {"capture.completion": ["may-stop"]}, null],
  ["huff.offence", "no-capture-or-unfinished", "with capture.completion 'one', expected 'whole' with it", {"capture.completion": ["one"]}, null],
  ["huff.offence", "no-capture-or-less", "with an empty capture.choice, which makes no capture less than another", {"capture.binds": "absent"}, null],
  ["ending.draws", "one-piece-each-no-capture", "beside 'one-piece-each', which leaves it nothing to say", {"ending.draws": ["one-piece-each"]}, null],
  ["ending.draws", "one-piece-each-same-kind", "beside 'one-piece-each', which leaves it nothing to say", {"ending.draws": ["one-piece-each"]}, null],
];
// --- end of what is generated

/** The forms of values that no list of words, range of numbers or pattern says. */
const OPEN = {
  "start.men": {
    expected: "a number of rows, or {white: [squares], black: [squares]}, with kings: [squares] of them",
    holds: (value) =>
      squareNumber.holds(value) ||
      (isMapping(value) && ["black white", "black kings white"].includes(Object.keys(value).sort().join(" ")) &&
        Object.values(value).every(
          (each) => Array.isArray(each) && each.length > 0 && each.every(squareNumber.holds) && repeated(each).length === 0,
        )),
  },
  "trapdoors.layout": {
    expected: "a layout: {board: SIZE, sliders: [{id, colour, left, right}, ...]}",
    holds: (value) =>
      isMapping(value) && Array.isArray(value.sliders) && value.sliders.length > 0 &&
      value.sliders.every(
        (each) =>
          isMapping(each) && typeof each.id === "string" && /^[A-Z]\d+$/.test(each.id) &&
          ["green", "orange"].includes(each.colour) && squareNumber.holds(each.left) && squareNumber.holds(each.right),
      ),
  },
};

/** The form of each rule's value, in the order of the language. */
const FORMS = Object.fromEntries(Object.entries(VALUES).map(([rule, form]) => {
  const pattern = new RegExp(form.pattern ?? "");
  const kinds = {
    choice: () => oneOf(...form.words),
    list: () => listOf(form.words, form.least ?? 1),
    directions: () => directions,
    number: () => number(form.least ?? 1, form.most ?? Infinity),
    mapping: () => mappingOf(form.keys, form.words),
    text: () => ({ expected: form.expected, holds: (value) => typeof value === "string" && pattern.test(value) }),
    counts: () => counts(form.expected, pattern),
  };
  return [rule, kinds[form.kind ?? "choice"]?.() ?? OPEN[rule]];
}));

/** The rules that count moves in endgames with few pieces. */
const OF_ENDGAMES = ["draws.endings", "draws.main-road", "draws.river"];
/** The rules that say where men begin. */
const OF_START = ["board.size", "board.squares", "board.dark-corner", "board.numbering", "start.men", "promotion.rows"];

/** Whether the values of rules meet a condition: for each rule values of which it has one, `there`, `absent` or `filled`. */
function meets(values, condition) {
  return Object.entries(condition).every(([rule, wanted]) => {
    const value = values[rule];
    if (Array.isArray(wanted)) return wanted.some((each) => (Array.isArray(value) ? value.includes(each) : value === each));
    if (wanted === "filled") return Array.isArray(value) && value.length > 0;
    const there = rule.split("|").some((one) => Object.keys(values).some((name) => name === one || name.startsWith(`${one}.`)));
    return there === (wanted === "there");
  });
}

/** The rules that a game has: an optional one whose value is null is not there. */
function present(stated) {
  const values = Object.assign(Object.create(null), stated); // in which nothing is called `constructor`
  for (const rule of Object.keys(PRESENCE)) if (values[rule] === null) delete values[rule];
  return values;
}

function isSquare(value, board) {
  return Number.isInteger(value) && value >= 1 && value <= board.squares;
}

function isMapping(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The entries of a list that stand in it before. */
function repeated(list) {
  return list.filter((each, place) => list.indexOf(each) < place);
}

/** Whether a list or mapping, or one in it, has no entries. */
function lacksEntries(value) {
  const parts = isMapping(value) ? [value, ...Object.values(value)] : [value];
  return parts.some((each) => typeof each === "object" && each !== null && Object.keys(each).length === 0);
}

/**
 * Whether a rule has to be there by the values of others, `always`, is there as one likes, `may`, or cannot be, `never`.
 *
 * @returns {?string} null for a rule that can be filled in, where a rule that it depends on is missing
 */
export function presence(rule, values) {
  const [condition, , free, usual] = PRESENCE[rule] ?? [{}, "", false, null];
  if (usual && !Object.keys(condition).every((other) => other in values)) return null;
  if (!meets(values, condition)) return "never";
  return free ? "may" : "always";
}

/** Values without the rules that cannot be there by the others, and with those that have to be and then change nothing. */
export function settled(values) {
  const found = { ...values };
  for (const [rule, [, , , usual]] of Object.entries(PRESENCE)) {
    const state = presence(rule, values);
    if (state === "never") delete found[rule];
    else if (state && usual) found[rule] ??= usual;
  }
  return found;
}

/**
 * What is wrong with the values of rules, if anything: for each problem the rule, a line about it, and what kind it is with
 * what it names. damspec.d.ts has the kinds.
 */
export function problems(stated) {
  if (!isMapping(stated)) {
    return [{ rule: "", kind: "form", message: `found ${shown(stated)}, expected a mapping of rules to their values` }];
  }
  const values = present(stated);
  const found = [];
  const say = (rule, kind, message, named = {}) => found.push({ rule, kind, ...named, message: `${rule}: ${message}` });
  for (const rule of Object.keys(values)) {
    if (!Object.hasOwn(FORMS, rule)) say(rule, "form", "found, expected a rule of the language");
  }
  for (const [rule, form] of Object.entries(FORMS)) {
    const [condition, words] = PRESENCE[rule] ?? [{}, ""];
    const state = presence(rule, values);
    const value = values[rule];
    if (!(rule in values)) {
      if (state === "always") say(rule, "missing", `missing, expected ${form.expected}` + (words && `, since ${words}`));
    } else if (state === "never") {
      const others = Object.keys(condition).flatMap((other) => other.split("|"));
      say(rule, "clash", `found ${shown(value)}, expected only where ${words}`, { others });
    } else if (typeof value === "string" && VALUES[rule].former?.[value]) {
      say(rule, "form", `found ${shown(value)}, which is now ${VALUES[rule].former[value]}`);
    } else if (!form.holds(value)) {
      say(rule, lacksEntries(value) ? "few" : "form", `found ${shown(value)}, expected ${form.expected}`);
    }
  }
  if (found.every(({ kind }) => kind !== "form")) contradictions(values, say);
  return found;
}

/** What the forms cannot say of the rules that are there. */
function contradictions(values, say) {
  for (const [rule, entry, words, beside, after] of CLASHES) {
    const stated = [values[rule]].flat();
    const isFound = stated.includes(entry) && (!after || stated.slice(0, stated.indexOf(entry)).includes(after));
    if (!isFound || !meets(values, beside)) continue;
    const message = `found ${entry} ${words}`;
    if (after) say(rule, "nothing-after", message, { entry, other: after });
    else if (rule in beside) say(rule, "nothing-beside", message, { entry, other: beside[rule][0] });
    else say(rule, "clash", message, { others: Object.keys(beside) });
  }
  for (const rule of Object.keys(FORMS).filter((each) => FORMS[each] === directions)) {
    const named = (values[rule] ?? []).flatMap((word) => (GROUPS[word] ?? [DIRECTIONS.indexOf(word)]));
    if (repeated(named).length) say(rule, "form", `found ${shown(values[rule])}, where one direction is named twice`);
  }
  for (const rule of OF_ENDGAMES) namedOnce(rule, values[rule], endgamesOf, say);
  namedOnce("draws.balance", values["draws.balance"], totalsOf, say);
  if (!OF_START.every((rule) => rule in values)) return;
  const board = new Board(values);
  startFits(values, board, say);
  for (const rule of ["draws.main-road", "draws.river"].filter((each) => each in values && board.columns !== board.rows)) {
    say(rule, "no-road", `found it on a board of ${values["board.size"]}, expected one with a diagonal from corner to corner`);
  }
  const layout = values["trapdoors.layout"];
  if (layout) layoutFits(layout, values["board.size"], board, say);
}

/** Keys of a mapping that name what is named already, and keys that name nothing. */
function namedOnce(rule, mapping, positionsOf, say) {
  const seen = new Set();
  for (const entry of Object.keys(mapping ?? {})) {
    const named = positionsOf(entry);
    if (named.length === 0) say(rule, "order", `found ${entry}, expected the smaller number first`, { entry });
    if (repeated(named).length || named.some((each) => seen.has(each))) {
      say(rule, "twice", `found ${entry}, which names a position twice`, { entry });
    }
    for (const each of named) seen.add(each);
  }
}

function startFits(values, board, say) {
  const rule = "start.men";
  const number = Math.ceil(board.rows / 2) - 1;
  if (values[rule] > number) {
    say(rule, "too-many", `found ${values[rule]} rows a side, expected at most ${number} on ${board.rows} rows`, { number });
    return;
  }
  const { white, black, kings } = board.men(values[rule]);
  const none = [...white, ...black].find((square) => !isSquare(square, board));
  if (none !== undefined) {
    say(rule, "no-square", `found ${none}, expected a square of the board`, { squares: [none] });
    return;
  }
  const both = white.filter((square) => black.includes(square));
  if (both.length) say(rule, "both", `found both sides on ${both.join(", ")}, expected one`, { squares: both });
  for (const [men, side] of [[white, "W"], [black, "B"]]) {
    const row = board.promotionRow(side, values["promotion.rows"]);
    const squares = men.filter((square) => row[square] && !kings.includes(square));
    if (squares.length) say(rule, "crowned", `found a man on ${squares.join(", ")}, expected none on its promotion row`, { squares });
  }
  const nobodys = kings.find((square) => ![...white, ...black].includes(square));
  if (nobodys !== undefined) say(rule, "form", `found a king on ${nobodys}, expected one of the squares of a side`);
}

/** The endgames of a key, each as what the stronger side has and what the weaker has, kings first. */
function endgamesNamed(key) {
  return key.split(" ").map((ending) => ending.split("v").map((side) => [...side].sort().join("")));
}

/** The same, in a word each. */
function endgamesOfKey(key) {
  return endgamesNamed(key).map((sides) => sides.join("v"));
}

/** The same, whichever side has which. */
function endgamesOf(key) {
  return endgamesNamed(key).map((sides) => sides.sort().join("v"));
}

/** The numbers of pieces of a key, `4-5`. */
function totalsOf(key) {
  const [least, most = least] = key.split("-").map(Number);
  return range(Math.max(0, most - least + 1)).map((index) => least + index);
}

function layoutFits(layout, size, board, say) {
  const rule = "trapdoors.layout";
  if (layout.board !== size) {
    say(rule, "other-board", `found a layout for ${shown(layout.board)}, expected one for ${size}`, { entry: layout.board });
    return;
  }
  const doors = layout.sliders.flatMap((slider) => [slider.left, slider.right]);
  for (const door of doors.filter((each) => !isSquare(each, board))) {
    say(rule, "no-square", `found a door on ${door}, expected a square of the board`, { squares: [door] });
  }
  const squares = repeated(doors);
  if (squares.length) say(rule, "two-doors", `found two doors on ${squares.join(", ")}, expected one`, { squares });
  const [entry] = repeated(layout.sliders.map((slider) => slider.id));
  if (entry) say(rule, "two-sliders", `found two sliders ${entry}, expected each to have a name of its own`, { entry });
}

function shown(value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/**
 * The game by these rules.
 *
 * @param {Object<string, *>} values the value of each rule by its dotted name, the layout of trapdoors as itself
 * @returns {Game}
 * @throws {RulesError} if they are not all there or contradict each other; `problems` tells all of it
 */
export function rules(values) {
  const [problem] = problems(values);
  if (problem) throw new RulesError(problem.message);
  return new Game(present(values));
}

// ---------------------------------------------------------------------------------------------------- the board

/** The squares of a game, how they lie and what they are called. */
export class Board {
  constructor(values) {
    const [columns, rows] = values["board.size"].split("x").map(Number);
    this.columns = columns;
    this.rows = rows;
    this.darkLeft = values["board.dark-corner"] === "left";
    this.everywhere = values["board.squares"] === "all";
    this.numbering = values["board.numbering"];
    this.sliders = values["trapdoors.layout"]?.sliders ?? [];
    this.doors = this.sliders.flatMap((slider) => [slider.left, slider.right]);
    this.numbers = new Int16Array(columns * rows);
    this.places = [null];
    const across = this.numbering.includes("left") ? range(columns) : range(columns).reverse();
    const down = this.numbering.includes("top") ? range(rows) : range(rows).reverse();
    const byColumns = /(up|down)$/.test(this.numbering);
    const places = byColumns
      ? across.flatMap((column) => down.map((row) => [column, row]))
      : down.flatMap((row) => across.map((column) => [column, row]));
    for (const [column, row] of places) {
      if (!this.everywhere && !this.dark(column, row)) continue;
      this.numbers[row * columns + column] = this.places.length;
      this.places.push([column, row]);
    }
    this.squares = this.places.length - 1;
    /** For each direction of White's the squares that follow each square, to the edge. */
    this.rays = STEPS.map((step) => this.places.map((place) => (place ? this.ray(place, step) : new Int16Array(0))));
  }

  ray([column, row], [across, down]) {
    const found = [];
    for (;;) {
      column += across;
      row += down;
      if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) return Int16Array.from(found);
      const square = this.square(column, row);
      if (square) found.push(square);
    }
  }

  /** Whether the square of a column and row, counted from the top left as White sees it, is dark. */
  dark(column, row) {
    const fromCorner = this.darkLeft ? column : this.columns - 1 - column;
    return (fromCorner + this.rows - 1 - row) % 2 === 0;
  }

  /** The number of the square in a column and row, 0 if nothing is played there. */
  square(column, row) {
    return this.numbers[row * this.columns + column];
  }

  /** The column and row of a square, from 0 at the top left as White sees it. */
  place(square) {
    return this.places[square];
  }

  /** The name of a square in letters, `a3`. */
  name(square) {
    const [column, row] = this.places[square];
    const byColumns = /(up|down)$/.test(this.numbering);
    const across = byColumns && this.numbering.includes("right") ? this.columns - 1 - column : column;
    const up = byColumns && this.numbering.includes("top") ? row : this.rows - 1 - row;
    return `${LETTERS[across]}${up + 1}`;
  }

  /** The square of a number or a name, 0 if there is none. */
  named(text) {
    if (/^\d{1,4}$/.test(text)) return Number(text) <= this.squares ? Number(text) : 0;
    const letters = text.match(/^([a-z])(\d{1,2})$/);
    if (!letters) return 0;
    this.names ??= new Map(range(this.squares).map((each) => [this.name(each + 1), each + 1]));
    return this.names.get(letters[1] + Number(letters[2])) ?? 0;
  }

  /** A mark for each square of the rows nearest to the opponent of a side. */
  promotionRow(side, rows) {
    return Uint8Array.from(this.places, (place) =>
      place && (side === "W" ? place[1] < rows : place[1] >= this.rows - rows) ? 1 : 0,
    );
  }

  /** A mark for each square of the main road: of each diagonal from corner to corner that is played on. */
  mainRoad() {
    const road = new Uint8Array(this.squares + 1);
    if (this.columns !== this.rows) return road;
    const rows = range(this.rows);
    for (const line of [rows.map((row) => this.square(row, row)), rows.map((row) => this.square(this.rows - 1 - row, row))]) {
      if (line.every(Boolean)) for (const square of line) road[square] = 1;
    }
    return road;
  }

  /** Where the men of both sides begin. */
  men(start) {
    if (isMapping(start)) return { white: start.white, black: start.black, kings: start.kings ?? [] };
    const squares = range(this.squares).map((each) => each + 1);
    return {
      white: squares.filter((square) => this.places[square][1] >= this.rows - start),
      black: squares.filter((square) => this.places[square][1] < start),
      kings: [],
    };
  }
}

function range(length) {
  return Array.from({ length }, (_, index) => index);
}

// ---------------------------------------------------------------------------------------------------- positions

const EMPTY = 0;
const MAN = 1;
const KING = 2;

/** Pieces, the side to move, and what else a turn depends on. Not to be changed: actions lead to new ones. */
export class Position {
  constructor(pieces, side, rest = {}) {
    /** By square: 0 empty, 1 a white man, 2 a white king, -1 a black man, -2 a black king. */
    this.pieces = pieces;
    /** The side to move, "W" or "B". */
    this.side = side;
    /** A letter for each slider, L, M or R; empty without sliders. */
    this.sliders = rest.sliders ?? "";
    /** What was spun and is not played yet, "due" if a spin is; else empty. */
    this.spin = rest.spin ?? "";
    /** The opponent's last move if it was a lapse, as in the FEN; else empty. */
    this.huffable = rest.huffable ?? "";
    /** Whether the side's own move was annulled, so that it has to capture. */
    this.compelled = rest.compelled ?? false;
    /** How often each side's king has moved in a row, {W: {square, count} or null, B: ...}; null where none has. */
    this.runs = rest.runs ?? null;
  }
}

const other = (side) => (side === "W" ? "B" : "W");
const sign = (side) => (side === "W" ? 1 : -1);

// ---------------------------------------------------------------------------------------------------- actions

const NONE = Object.freeze([]);

/** What a side can do: a move, a capture, a spin, a slide, a pass, a huff, or having a lapse taken back. */
export class Action {
  constructor(game, before, kind, made) {
    this.kind = kind;
    this.path = made.path ?? NONE;
    this.captured = made.captured ?? NONE;
    this.crowned = made.crowned ?? false;
    this.falls = made.falls ?? NONE;
    this.slider = made.slider ?? "";
    this.slides = made.slides ?? 0;
    this.said = made.text;
    this.game = game;
    this.before = before;
    /** For a capture where there is huffing: whether it would crown the man if it ended after each jump but the last. */
    this.halts = made.halts;
    this.lapse = made.lapse ?? false;
  }

  /** Every way to make it, jump by jump: {path, captured, slides}, where the first `slides` steps are no jumps. */
  get paths() {
    return (this.ways ??= [{ path: this.path, captured: this.captured, slides: this.slides }]);
  }

  /** As it is written: `21-17`, `21x14x7`, `huff 18`. */
  get text() {
    return (this.said ??= written(this));
  }

  /** The position that it leads to. */
  get after() {
    return (this.follows ??= this.game.follow(this));
  }
}

function written({ path, captured, slides }) {
  const joints = captured.length ? slides : path.length;
  return path.reduce((text, square, index) => text + (index > joints ? "x" : "-") + square, "").slice(1);
}

// ---------------------------------------------------------------------------------------------------- the game

/** A game by its rules: `rules(values)` makes one. */
export class Game {
  constructor(values) {
    for (const [rule, value] of Object.entries(values)) {
      if (!FORMS[rule]?.holds(value)) throw new RulesError(`${rule}: found ${shown(value)}, which is not implemented`);
    }
    this.values = values;
    this.board = new Board(values);
    const way = (rule) => directed(values[rule]);
    this.manMoves = way("man.move.directions");
    this.manOverOwn = values["man.move.over-own"] ? way("man.move.over-own") : [NONE, NONE, NONE];
    this.manFirst = way("man.capture.first");
    this.manLater = way("man.capture.later");
    this.kingMoves = way("king.move.directions");
    this.kingFirst = way("king.capture.directions");
    this.kingLater = values["king.capture.later"] ? way("king.capture.later") : this.kingFirst;
    this.kingsOnly = values["king.capture.kings-only"] ? way("king.capture.kings-only") : [NONE, NONE, NONE];
    const reach = (rule) => (values[rule] === "any" ? Infinity : values[rule]);
    this.manReach = reach("man.move.reach");
    this.kingReach = reach("king.move.reach");
    this.sight = reach("king.capture.reach");
    this.landing = { "behind": 1, "within-two": 2, "any": Infinity }[values["king.capture.landing"]];
    this.promotionRows = {
      W: this.board.promotionRow("W", values["promotion.rows"]),
      B: this.board.promotionRow("B", values["promotion.rows"]),
    };
    this.whole = values["capture.completion"] === "whole";
    this.middle = values["promotion.mid-capture"];
    this.kingWeight = Math.round((values["capture.king-weight"] ?? 1) * 100);
    this.closed = new Uint8Array(this.board.squares + 1);
    this.opened = new Map();
    this.roads = null;
  }

  /** The position in which a game begins. */
  start() {
    const pieces = new Int8Array(this.board.squares + 1);
    const { white, black, kings } = this.board.men(this.values["start.men"]);
    for (const square of white) pieces[square] = kings.includes(square) ? KING : MAN;
    for (const square of black) pieces[square] = kings.includes(square) ? -KING : -MAN;
    const side = this.values["start.first"] === "white" ? "W" : "B";
    return new Position(pieces, side, { sliders: "M".repeat(this.board.sliders.length) });
  }

  /**
   * The position of a FEN, as spec/README.md has them; `start` is the start.
   *
   * @throws {PositionError} with what was found and what was expected
   */
  read(fen) {
    if (fen === "start") return this.start();
    return new Reading(this, fen).position();
  }

  /** The FEN of a position. */
  write(position) {
    const { pieces } = position;
    const squares = (colour) => {
      const found = [];
      for (let square = 1; square < pieces.length; square++) {
        if (pieces[square] * colour > 0) found.push((Math.abs(pieces[square]) === KING ? "K" : "") + square);
      }
      return found.join(",");
    };
    return [
      position.side,
      `W${squares(1)}`,
      `B${squares(-1)}`,
      ...(position.sliders ? [`sliders=${position.sliders}`] : []),
      ...(position.spin ? [`spin=${position.spin}`] : []),
      ...(position.huffable ? [`huffable=${position.huffable}`] : []),
      ...(position.compelled ? ["compelled"] : []),
      ...(position.runs ? [`+${run(position.runs.B)}+${run(position.runs.W)}`] : []),
    ].join(":");
  }

  /** What the side to move can do: the legal actions, and apart from them the lapses, which break the duty to capture. */
  legal(position) {
    if (this.values["spin.outcomes"]) return { moves: this.turnWithSpin(position), lapses: [] };
    const { moves, lapses } = this.turn(position);
    if (position.huffable) moves.push(...this.remedies(position));
    return { moves, lapses };
  }

  /** The legal actions of the side to move. */
  moves(position) {
    return this.legal(position).moves;
  }

  /** The lapses of the side to move; none unless there is huffing. */
  lapses(position) {
    return this.legal(position).lapses;
  }

  /**
   * The action that a text means here: a legal one or a lapse, by any of its paths, or with squares of the path left out
   * where that means only one.
   *
   * @throws {MoveError} if there is none, or several
   */
  find(position, text) {
    const { moves, lapses } = this.legal(position);
    const actions = [...moves, ...lapses];
    const exact = actions.find((action) => action.text === text);
    if (exact) return exact;
    const squares = this.squaresOf(text);
    const captures = /[x:]/.test(text);
    const candidates = actions.filter((action) => action.path.length && action.captured.length > 0 === captures);
    const fitting = (fits) => candidates.filter((action) => action.paths.some(({ path }) => fits(path)));
    const same = (path) => path.length === squares.length && path.every((square, index) => square === squares[index]);
    let found = squares ? fitting(same) : [];
    if (squares && found.length === 0) found = fitting((path) => within(squares, path));
    if (found.length === 1) return found[0];
    const fen = this.write(position);
    if (found.length) {
      const moves = found.map((each) => each.text);
      const message = `${shown(text)} can be ${moves.join(" or ")} in ${fen}`;
      throw new MoveError(keyed("several-moves", { found: text, moves: moves.join(", ") }, message));
    }
    throw new MoveError(keyed("illegal-move", { found: text }, `${shown(text)} is not legal in ${fen}`));
  }

  /** The squares of a move in text, null if it is none. */
  squaresOf(text) {
    if (typeof text !== "string" || text.length > LONGEST || !NOTATION.test(text)) return null;
    const squares = text.split(/[-x:]/).map((each) => this.board.named(each));
    return squares.every(Boolean) ? squares : null;
  }

  /** The position after an action in text. */
  play(position, text) {
    return this.find(position, text).after;
  }

  /** The number of sequences of so many actions; lapses are not counted, and a drawn game goes on. */
  perft(position, depth) {
    if (depth === 0) return 1;
    const moves = this.moves(position);
    if (depth === 1) return moves.length;
    return moves.reduce((sum, action) => sum + this.perft(action.after, depth - 1), 0);
  }

  // -------------------------------------------------------------------------------------------------- a turn

  /** Moves of pieces and what the duty to capture makes of them. */
  turn(position) {
    const captures = this.captures(position);
    const duty = this.values["capture.duty"];
    if (captures.length === 0) return { moves: position.compelled ? [] : this.quiet(position, true), lapses: [] };
    const moves = unique(captures);
    if (duty === "optional") return { moves: [...moves, ...this.quiet(position, false)], lapses: [] };
    if (duty === "compulsory-for-men") {
      const takesMan = captures.some((each) => each.captured.some((square) => Math.abs(position.pieces[square]) === MAN));
      return { moves: takesMan ? moves : [...moves, ...this.quiet(position, false)], lapses: [] };
    }
    if (duty === "compulsory" || position.compelled) return { moves, lapses: [] };
    return { moves, lapses: this.broken(position, captures, moves) };
  }

  /** The turns that break the duty to capture. */
  broken(position, captures, moves) {
    const offence = this.values["huff.offence"];
    let lapses = this.quiet(position, false);
    if (offence === "man-forward") {
      lapses = lapses.filter((action) => Math.abs(position.pieces[action.path[0]]) === MAN);
    }
    for (const lapse of lapses) lapse.lapse = true;
    const wrong = {
      "no-capture": () => [],
      "man-forward": () => [],
      "no-capture-or-unfinished": () => captures.flatMap((capture) => this.beginnings(position, capture)),
      "no-capture-or-less": () =>
        this.allCaptures(position).flatMap((capture) => [...this.beginnings(position, capture), capture]),
    }[offence]();
    const legal = new Set(moves.map(keyOf));
    for (const action of unique(wrong.filter((each) => !legal.has(keyOf(each))))) {
      action.lapse = true;
      lapses.push(action);
    }
    return lapses;
  }

  /** What a capture is when it ends after one of its jumps, and that goes on. */
  beginnings(position, capture) {
    const [{ path, captured, slides }] = capture.paths;
    return capture.halts.map(
      ({ crowned, jumped }, jump) =>
        new Action(this, position, "capture", {
          path: path.slice(0, slides + jump + 2),
          captured: captured.slice(0, jumped),
          crowned,
          slides,
        }),
    );
  }

  // -------------------------------------------------------------------------------------------------- quiet moves

  /** The moves without capture of the pieces that may go; with `free` those of two slides too. */
  quiet(position, free) {
    const { pieces, side } = position;
    const open = this.open(position.sliders);
    const colour = sign(side);
    const found = [];
    const limit = this.values["king.move.limit"];
    const run = limit && position.runs?.[side];
    const bound = run && run.count >= limit && hasMen(pieces, colour) ? run.square : 0;
    for (let from = 1; from < pieces.length; from++) {
      const piece = pieces[from] * colour;
      if (piece <= 0) continue;
      const ends = this.reached(pieces, from, piece === KING, colour, open);
      for (const end of ends) found.push(this.moveTo(position, [from, end], piece, open));
      if (free && piece === KING && this.values["king.move.slides"] === "twice") {
        this.twice(position, from, ends, open, found);
      }
    }
    const unbound = bound ? found.filter((action) => action.path[0] !== bound || action.captured.length) : found;
    return free && this.values["king.move.slides"] === "twice" ? unique(unbound) : unbound;
  }

  moveTo(position, path, piece, open) {
    const end = path[path.length - 1];
    const falls = open[end] === 1;
    return new Action(this, position, "move", {
      path,
      crowned: piece === MAN && !falls && this.promotionRows[position.side][end] === 1,
      falls: falls ? [end] : NONE,
    });
  }

  /** The squares that a piece can move to from one. */
  reached(pieces, from, king, colour, open) {
    const found = [];
    const reach = king ? this.kingReach : this.manReach;
    const passing = king ? this.values["trapdoors.passing"] : "over";
    const forbidden = this.values["trapdoors.quiet-landing"] === "forbidden";
    for (const direction of (king ? this.kingMoves : this.manMoves)[colour + 1]) {
      const ray = this.board.rays[direction][from];
      for (let steps = 0; steps < ray.length && steps < reach; steps++) {
        const square = ray[steps];
        if (pieces[square] !== EMPTY) break;
        if (open[square]) {
          if (passing === "blocked") break;
          if (!forbidden) found.push(square);
          if (passing === "falls") break;
        } else {
          found.push(square);
        }
      }
    }
    if (!king && this.manOverOwn[colour + 1].length) {
      found.push(...this.leapt(pieces, from, colour).filter((end) => !open[end] || !forbidden));
    }
    return found;
  }

  /** The squares that a man jumps to over a piece of its own side, which stays. */
  leapt(pieces, from, colour) {
    return this.manOverOwn[colour + 1]
      .map((direction) => this.board.rays[direction][from])
      .filter(([over, end]) => end && pieces[over] * colour > 0 && pieces[end] === EMPTY)
      .map(([, end]) => end);
  }

  /** A king's turns of two slides, those that go on to capture among them. */
  twice(position, from, firsts, open, found) {
    const { side } = position;
    const colour = sign(side);
    const pieces = position.pieces.slice();
    pieces[from] = EMPTY;
    for (const first of firsts) {
      for (const second of this.reached(pieces, first, true, colour, open)) {
        if (second === from) continue;
        const captures = [];
        pieces[second] = KING * colour;
        this.capturesOf(position, pieces, second, open, captures, [from, first]);
        pieces[second] = EMPTY;
        if (captures.length) found.push(...this.chosen(position, captures));
        else found.push(this.moveTo(position, [from, first, second], KING, open));
      }
    }
  }

  // -------------------------------------------------------------------------------------------------- captures

  /** The legal captures of the side to move, each by every path. */
  captures(position) {
    return this.chosen(position, this.allCaptures(position));
  }

  /** Whether the side to move has a jump, so perhaps a capture: quicker than asking for its moves. */
  canCapture(position) {
    return this.jumpers(position, true).length > 0;
  }

  /** The squares of the pieces that have a jump; of one at most, if `any` will do. */
  jumpers({ pieces, side, sliders }, any = false) {
    const colour = sign(side);
    const walk = { pieces, colour, open: this.open(sliders), captured: NONE };
    let found = NONE;
    for (let from = 1; from < pieces.length; from++) {
      if (pieces[from] * colour <= 0 || !this.canJump(walk, from, pieces[from] === KING * colour, -1)) continue;
      if (found === NONE) found = [];
      found.push(from);
      if (any) break;
    }
    return found;
  }

  /** The captures that can be ended, whatever is chosen among them. */
  allCaptures(position) {
    const open = this.open(position.sliders);
    const found = [];
    for (const from of this.jumpers(position)) {
      this.capturesOf(position, position.pieces.slice(), from, open, found, NONE);
    }
    return found;
  }

  /** The captures of the piece on a square that can be ended, after the squares that it went over before them. */
  capturesOf(position, pieces, from, open, found, before) {
    const colour = sign(position.side);
    const piece = pieces[from];
    const walk = {
      position, pieces, open, found, colour,
      promotionRow: this.promotionRows[position.side],
      wasMan: Math.abs(piece) === MAN,
      path: [...before, from],
      captured: [],
      halts: [],
      slides: before.length,
    };
    if (this.values["capture.origin"] === "empty") pieces[from] = EMPTY;
    this.goOn(walk, from, !walk.wasMan, -1, false, false);
    pieces[from] = piece;
  }

  /** All that a capture can be from here on; `passed` is whether a man has left the promotion row again, `on` whether it is on it. */
  goOn(walk, at, king, came, passed, on) {
    for (const [direction, over, land] of this.jumps(walk, at, king, came)) {
      const { pieces, path } = walk;
      const last = over.at(-1);
      const tookKing = Math.abs(pieces[last]) === KING;
      const putBack = this.take(walk, over);
      path.push(land);
      walk.tookKing = tookKing;
      walk.close = this.board.rays[direction][last][0] === land;
      this.landed(walk, land, king, direction, passed || (on && walk.promotionRow[land] === 0));
      path.pop();
      putBack();
    }
  }

  /** Captures some pieces; gives what undoes it. */
  take({ pieces, captured }, squares) {
    const taken = squares.map((square) => pieces[square]);
    for (const square of squares) pieces[square] = this.values["capture.removal"] === "at-once" ? EMPTY : STAYS;
    captured.push(...squares);
    return () => {
      captured.length -= squares.length;
      squares.forEach((square, index) => { pieces[square] = taken[index]; });
    };
  }

  /** What follows a jump: the capture ends, or goes on, perhaps as a king. */
  landed(walk, land, king, direction, passed) {
    const finish = this.values["king.capture.finish"];
    const halting = finish === "behind-last" || (finish === "behind-last-king" && walk.tookKing);
    const end = (crowned) => (walk.close || !king || !halting) && this.ended(walk, land, crowned);
    if (walk.open[land] && this.values["trapdoors.capture-landing"] === "ends") return end(false);
    const on = !king && walk.promotionRow[land] === 1;
    const returned = passed && this.values["promotion.return"] === "not-crowned";
    if (on && this.middle === "stops") return end(true);
    if (on && this.middle === "as-king") king = true;
    if (on && this.middle === "as-man-else-king" && !this.canJump(walk, land, false, direction)) {
      if (returned) return end(false);
      king = true;
    }
    const crowned = walk.wasMan && (king || (on && !returned));
    const further = this.values["capture.completion"] !== "one" && this.canJump(walk, land, king, direction);
    if (!further || !this.whole) end(crowned);
    if (further) {
      walk.halts.push({ crowned, jumped: walk.captured.length });
      this.goOn(walk, land, king, direction, passed, on);
      walk.halts.pop();
    }
    return undefined;
  }

  ended(walk, land, crowned) {
    const falls = walk.open[land] === 1;
    walk.found.push(
      new Action(this, walk.position, "capture", {
        path: [...walk.path],
        captured: [...walk.captured],
        crowned: crowned && !falls,
        falls: falls ? [land] : NONE,
        slides: walk.slides,
        halts: this.values["huff.offence"] && [...walk.halts],
      }),
    );
  }

  canJump(walk, at, king, came) {
    return this.jumps(walk, at, king, came, true).length > 0;
  }

  /** The jumps that a piece can make from a square: direction, squares jumped, square landed on. */
  jumps(walk, at, king, came, any = false) {
    const { pieces, colour, open } = walk;
    const { rays } = this.board;
    const found = [];
    if (!king) {
      const ways = walk.captured.length === 0 ? this.manFirst : this.manLater;
      const gap = this.values["man.capture.gap"] ?? 0;
      for (const direction of ways[colour + 1]) {
        const ray = rays[direction][at];
        const [over, land] = [ray[gap], ray[gap + 1]];
        if (land === undefined || !this.enemy(pieces[over], colour, false) || pieces[land] !== EMPTY) continue;
        if (gap && pieces[ray[0]] !== EMPTY) continue;
        found.push([direction, [over], land]);
        if (any) return found;
      }
      return found;
    }
    const passing = this.values["trapdoors.passing"];
    const turning = came >= 0 ? this.values["king.capture.turning"] : undefined;
    const ways = walk.captured.length === 0 ? this.kingFirst : this.kingLater;
    for (const direction of ways[colour + 1]) {
      if (turning === "not-back" ? direction === OPPOSITE[came] : turning === "straight" && direction !== came) continue;
      const ray = rays[direction][at];
      let index = 0;
      while (index < ray.length && index + 1 < this.sight && pieces[ray[index]] === EMPTY) {
        if (open[ray[index]] && passing !== "over") break;
        index++;
      }
      const onlyKings = this.kingsOnly[colour + 1].includes(direction);
      const takes = (square) =>
        this.enemy(pieces[square], colour, true) && !(onlyKings && pieces[square] === -colour * MAN);
      if (index >= ray.length || !takes(ray[index])) continue;
      const over = [ray[index]];
      while (this.values["king.capture.pieces"] && index + 1 < ray.length && takes(ray[index + 1])) over.push(ray[++index]);
      const first = found.length;
      for (let behind = index + 1; behind < ray.length && behind - index <= this.landing; behind++) {
        const land = ray[behind];
        if (pieces[land] !== EMPTY || (open[land] && passing === "blocked")) break;
        found.push([direction, over, land]);
        if (any) return found;
        if (open[land] && passing === "falls") break;
      }
      if (this.whole && this.values["king.capture.finish"] === "continuing" && found.length > first + 1) {
        const going = found.splice(first);
        const further = going.filter((jump) => this.goesOn(walk, jump));
        found.push(...(further.length ? further : going));
      }
    }
    return found;
  }

  /** Whether a king's capture can go on after a jump. */
  goesOn(walk, [direction, over, land]) {
    if (walk.open[land] && this.values["trapdoors.capture-landing"] === "ends") return false;
    const putBack = this.take(walk, over);
    const further = this.canJump(walk, land, true, direction);
    putBack();
    return further;
  }

  /** Whether a piece can be jumped. */
  enemy(piece, colour, byKing) {
    if (piece === STAYS || piece * colour >= 0) return false;
    return byKing || piece * colour === -MAN || this.values["man.capture.takes"] === "any";
  }

  /** Of complete captures those that are best, or all of the pieces that could make those. */
  chosen(position, captures) {
    const criteria = this.values["capture.choice"];
    if (criteria.length === 0 || captures.length < 2) return captures;
    const { pieces } = position;
    const isKing = (square) => Math.abs(pieces[square]) === KING;
    const weigh = (capture) => sum(capture.captured, (square) => (isKing(square) ? this.kingWeight : 100));
    let best = captures;
    for (const criterion of criteria) best = BEST[criterion](best, { isKing, weigh });
    if (this.values["capture.binds"] === "path") return best;
    const able = new Set(best.map((capture) => capture.path[0]));
    return captures.filter((capture) => able.has(capture.path[0]));
  }

  // -------------------------------------------------------------------------------------------------- huffing

  /** What may be done about the opponent's lapse. */
  remedies(position) {
    const remedies = this.values["huff.remedies"] ?? [];
    const found = [];
    if (remedies.includes("huff")) {
      for (const square of this.huffed(position)) {
        found.push(new Action(this, position, "huff", { text: `huff ${square}`, captured: [square] }));
      }
    }
    if (remedies.includes("retract")) found.push(new Action(this, position, "retract", { text: "retract" }));
    return found;
  }

  /** The squares of the pieces of which a huff can remove one. */
  huffed(position) {
    const lapse = lapseOf(position.huffable);
    const stopped = lapse.captured.length > 0 && this.values["huff.offence"] === "no-capture-or-unfinished";
    if (this.values["huff.piece"] === "moved" || stopped) return [lapse.to];
    const before = this.beforeLapse(position);
    const able = new Set(this.captures(before).map((capture) => capture.path[0]));
    return [...able].map((square) => (square === lapse.from ? lapse.to : square)).sort((one, two) => one - two);
  }

  /** The position before the opponent's lapse. */
  beforeLapse(position) {
    const lapse = lapseOf(position.huffable);
    const side = other(position.side);
    const pieces = position.pieces.slice();
    pieces[lapse.from] = lapse.crowned ? MAN * sign(side) : pieces[lapse.to];
    if (lapse.to !== lapse.from) pieces[lapse.to] = EMPTY;
    for (const { square, king } of lapse.captured) pieces[square] = (king ? KING : MAN) * sign(position.side);
    return new Position(pieces, side);
  }

  retracted(position) {
    const before = this.beforeLapse(position);
    const may = this.values["huff.retracted"];
    if (may === "turn-lost") return new Position(before.pieces, position.side);
    return new Position(before.pieces, before.side, { compelled: may === "must-capture" });
  }

  // -------------------------------------------------------------------------------------------------- trapdoors, spin

  /** A mark for each square with an open door. */
  open(sliders) {
    if (!sliders) return this.closed;
    let open = this.opened.get(sliders);
    if (!open) {
      open = new Uint8Array(this.board.squares + 1);
      this.board.sliders.forEach((slider, index) => {
        if (sliders[index] === "L") open[slider.left] = 1;
        if (sliders[index] === "R") open[slider.right] = 1;
      });
      this.opened.set(sliders, open);
    }
    return open;
  }

  turnWithSpin(position) {
    const { spin } = position;
    const { "spin.outcomes": outcomes, "spin.blocked": blocked } = this.values;
    const captures = unique(this.captures(position));
    if (spin === "" && captures.length) return captures;
    if (spin === "" && this.quiet(position, true).length === 0) {
      if (!hasPieces(position.pieces, sign(position.side)) || blocked === "loses") return [];
    }
    if (spin === "" || spin === "due") {
      return SPUN.filter((each) => each in outcomes).map(
        (each) => new Action(this, position, "spin", { text: `spin=${each}` }),
      );
    }
    const allowed = outcomes[spin];
    if (allowed === "piece") return captures.length ? captures : this.quiet(position, true);
    const slides = this.slides(position, allowed === "any-slider" ? ["green", "orange"] : [allowed.split("-")[0]]);
    if (this.values["spin.slide"] === "may-decline") slides.push(new Action(this, position, "pass", { text: "pass" }));
    return slides;
  }

  /** The steps of the sliders of some colours. */
  slides(position, colours) {
    const through = this.values["trapdoors.step"] === "through";
    const closing = this.values["trapdoors.closing"];
    const found = [];
    this.board.sliders.forEach((slider, index) => {
      if (!colours.includes(slider.colour)) return;
      const now = position.sliders[index];
      const ends = ["L", "M", "R"].filter((each) => each !== now && (through || now === "M" || each === "M"));
      for (const end of ends) {
        const opens = end === "L" ? slider.left : end === "R" ? slider.right : 0;
        const ways = opens && closing === "optional" ? [end, `${end}M`] : [end];
        for (const way of ways) {
          found.push(
            new Action(this, position, "slide", {
              text: `${slider.id}=${way}`,
              slider: slider.id,
              falls: opens && this.fallsBelow(position, opens) ? [opens] : [],
            }),
          );
        }
      }
    });
    return found;
  }

  /** Whether what stands on a door falls when that opens. */
  fallsBelow(position, door) {
    const piece = position.pieces[door];
    if (piece === EMPTY) return false;
    const falls = this.values["trapdoors.falls"];
    return falls === "any" || (falls === "men" ? Math.abs(piece) === MAN : piece * sign(position.side) < 0);
  }

  // -------------------------------------------------------------------------------------------------- what can be

  /** Why no game by these rules can have a position, as far as the position shows it; null if one can. */
  impossible(position) {
    return (
      this.impossiblePieces(position) ?? this.impossibleFields(position) ?? this.impossibleDoors(position) ??
      this.impossibleSpin(position) ?? this.impossibleHuff(position) ?? this.impossibleRuns(position)
    );
  }

  impossiblePieces({ pieces }) {
    if (this.board.sliders.length === 0 && !pieces.some(Boolean)) {
      return keyed("no-pieces", {}, "found no pieces on the board");
    }
    if (this.values["promotion.return"] === "not-crowned") return null;
    const man = pieces.findIndex((piece, square) => Math.abs(piece) === MAN && this.promotionRows[piece > 0 ? "W" : "B"][square]);
    if (man < 0) return null;
    return keyed("uncrowned", { square: man }, `found a man on ${man}, on its promotion row, expected a king`);
  }

  impossibleFields({ sliders, spin, huffable, compelled }) {
    const count = this.board.sliders.length;
    if (sliders.length !== count) {
      return keyed("sliders", { found: sliders, number: count }, `found sliders=${sliders}, expected ${count} letters`);
    }
    if (spin && count === 0) {
      return keyed("no-trapdoors", { found: `spin=${spin}` }, `found spin=${spin}, but there are no trapdoors in these rules`);
    }
    if ((huffable || compelled) && this.values["capture.duty"] !== "huffing") {
      const found = compelled ? "compelled" : `huffable=${huffable}`;
      return keyed("no-huffing", { found }, `found ${found}, but there is no huffing in these rules`);
    }
    const retracts = this.values["huff.remedies"]?.includes("retract");
    if (compelled && !(retracts && this.values["huff.retracted"] === "must-capture")) {
      return keyed("compels-nobody", {}, "found compelled, but a move taken back compels nobody in these rules");
    }
    return null;
  }

  impossibleDoors({ pieces, sliders }) {
    const open = this.open(sliders);
    if (this.values["trapdoors.closing"] === "at-once" && /[LR]/.test(sliders)) {
      const message = `found sliders=${sliders}, but doors close again at once: expected all sliders in the middle`;
      return keyed("doors-close", { found: sliders }, message);
    }
    const falls = { any: [MAN, KING], men: [MAN], opponents: [] }[this.values["trapdoors.falls"]] ?? [];
    const square = pieces.findIndex((piece, at) => open[at] && falls.includes(Math.abs(piece)));
    if (square < 0) return null;
    return keyed("open-door", { square }, `found a piece on ${square}, an open door, expected it to have fallen`);
  }

  impossibleSpin(position) {
    const { spin } = position;
    const later = this.values["spin.when"] === "after-capture";
    if (!spin || (later && spin === "due")) return null;
    const outcomes = Object.keys(this.values["spin.outcomes"]);
    if (!outcomes.includes(spin)) {
      const expected = outcomes.join(", ");
      return keyed("spin", { found: spin, expected }, `found spin=${spin}, expected one of ${expected}`);
    }
    if (later) return null;
    const before = new Position(position.pieces, position.side, { sliders: position.sliders });
    const spun = this.turnWithSpin(before).some((action) => action.text === `spin=${spin}`);
    if (spun) return null;
    return keyed("no-spin", { found: spin }, `found spin=${spin}, but the side to move has no spin: it captures, or cannot move`);
  }

  impossibleHuff(position) {
    const { huffable, compelled } = position;
    if (!huffable) {
      if (!compelled || this.captures(position).length > 0) return null;
      return keyed("no-capture", {}, "found compelled, but no capture is possible");
    }
    const wrong = (message) => keyed("huffable", { found: huffable }, `found huffable=${huffable}${message}`);
    if (compelled) return wrong(" with compelled, expected one of them");
    const { from, to, crowned, captured } = lapseOf(huffable);
    const taken = captured.map((each) => each.square);
    const emptied = [from, ...taken];
    if (![to, ...emptied].every((square) => isSquare(square, this.board))) return wrong(", expected squares of the board");
    if (new Set(emptied).size < emptied.length) return wrong(", but it names a square twice");
    const stands = emptied.find((square) => position.pieces[square] !== EMPTY && !(square === to && taken.length));
    if (stands) return wrong(`, but square ${stands} is not empty`);
    const piece = position.pieces[to] * -sign(position.side);
    if (piece <= 0) return wrong(`, but no piece of the opponent stands on ${to}`);
    if (crowned && piece !== KING) return wrong(`, but the piece on ${to} is a man, expected a king`);
    const before = this.beforeLapse(position);
    const lapse = this.turn(before).lapses.some((action) => lapseText(before, action) === huffable);
    return lapse ? null : wrong(", but no such lapse could be played");
  }

  impossibleRuns({ pieces, runs }) {
    const limit = this.values["king.move.limit"];
    for (const side of ["B", "W"]) {
      const of = runs?.[side];
      if (!of) continue;
      const found = `found a run of ${of.count} by the king on ${of.square}`;
      const wrong = (message) => keyed("run", { number: of.count, square: of.square }, found + message);
      if (!limit) return wrong(", but these rules do not limit the moves of a king");
      if (of.count > limit) return wrong(`, expected at most ${limit}`);
      if (pieces[of.square] !== KING * sign(side)) return wrong(", but no such king stands there");
      if (!hasMen(pieces, sign(side))) return wrong(", but a side with kings only has no run");
    }
    return null;
  }

  // -------------------------------------------------------------------------------------------------- what follows

  /** The position after an action. */
  follow(action) {
    const { before, kind } = action;
    const { side } = before;
    if (kind === "spin") return this.changed(before, side, { spin: action.text.slice(5) });
    if (kind === "pass") return this.changed(before, other(side), {});
    if (kind === "retract") return this.retracted(before);
    if (kind === "huff" || kind === "slide") {
      const pieces = before.pieces.slice();
      for (const square of [...action.captured, ...action.falls]) pieces[square] = EMPTY;
      if (kind === "slide") {
        return new Position(pieces, other(side), { sliders: this.slid(before.sliders, action) });
      }
      return new Position(pieces, this.values["huff.turn"] === "kept" ? side : other(side));
    }
    return this.moved(action);
  }

  changed(before, side, rest) {
    return new Position(before.pieces, side, { sliders: before.sliders, ...rest });
  }

  slid(sliders, action) {
    const index = this.board.sliders.findIndex((slider) => slider.id === action.slider);
    const now = this.values["trapdoors.closing"] === "at-once" ? "M" : action.text.slice(-1);
    return sliders.slice(0, index) + now + sliders.slice(index + 1);
  }

  moved(action) {
    const { before, path, captured } = action;
    const { side } = before;
    const pieces = before.pieces.slice();
    const from = path[0];
    const end = path[path.length - 1];
    const piece = pieces[from];
    pieces[from] = EMPTY;
    for (const square of captured) pieces[square] = EMPTY;
    if (action.falls.length === 0) pieces[end] = action.crowned ? KING * sign(side) : piece;
    const rest = { sliders: before.sliders };
    if (action.lapse) rest.huffable = lapseText(before, action);
    if (this.values["king.move.limit"]) rest.runs = this.runsAfter(action, pieces, piece);
    const due = captured.length > 0 && this.values["spin.when"] === "after-capture" && before.spin === "";
    if (due) rest.spin = "due";
    return new Position(pieces, due ? side : other(side), rest);
  }

  /** The runs of the kings of both sides after a move. */
  runsAfter(action, pieces, piece) {
    const { side, runs } = action.before;
    const [from] = action.path;
    const end = action.path[action.path.length - 1];
    const own = Math.abs(piece) === KING && action.captured.length === 0
      ? { square: end, count: runs?.[side]?.square === from ? runs[side].count + 1 : 1 }
      : null;
    const kept = (run, of) => (run && pieces[run.square] === KING * sign(of) && hasMen(pieces, sign(of)) ? run : null);
    const after = { [side]: kept(own, side), [other(side)]: kept(runs?.[other(side)] ?? null, other(side)) };
    return after.W || after.B ? after : null;
  }

  // -------------------------------------------------------------------------------------------------- the end

  /**
   * How a game stands: in a position, or after actions played from there, whose draws by what went before then count.
   *
   * @returns {{result: string, reason: ?string}} `ongoing`, `white`, `black` or `draw`, and by what
   */
  outcome(position, texts = []) {
    if (texts.length === 0) return this.standing(position);
    const history = new History(this, position);
    for (const text of texts) history.play(text);
    const standing = this.standing(history.position);
    return standing.result === "ongoing" ? history.drawn() : standing;
  }

  /** How a game stands by the position alone. */
  standing(position) {
    const { side, pieces } = position;
    const last = position.spin === "due" ? side : other(side);
    const won = (winner, reason) => ({ result: winner === "W" ? "white" : "black", reason });
    const judged = (loser, value, reason) => {
      if (value === "draws") return { result: "draw", reason };
      return won(value === "loses" ? other(loser) : loser, reason);
    };
    const empty = ["W", "B"].filter((each) => !hasPieces(pieces, sign(each)));
    if (empty.length === 2) {
      const both = this.values["ending.both-empty"] ?? "draw";
      if (both === "draw") return { result: "draw", reason: "both-empty" };
      return won(both === "mover-wins" ? last : other(last), "both-empty");
    }
    if (this.values["ending.first-king"]) {
      const kinged = [last, other(last)].find((each) => pieces.includes(KING * sign(each)));
      if (kinged) return judged(kinged, this.values["ending.first-king"], "first-king");
    }
    if (empty.length) return judged(empty[0], this.values["ending.no-pieces"], "no-pieces");
    const drawn = this.values["ending.draws"].find((each) => this.holds(each, position));
    const draw = drawn && { result: "draw", reason: drawn };
    if (draw && this.values["ending.order"] === "draws-first") return draw;
    if (this.values["ending.one-piece"]) {
      const single = [side, other(side)].find((each) => pieces.filter((piece) => piece * sign(each) > 0).length === 1);
      if (single) return judged(single, this.values["ending.one-piece"], "one-piece");
    }
    if (this.values["ending.king-to-man"]) {
      const king = this.kingToMan(position);
      if (king) return judged(king, this.values["ending.king-to-man"], "king-to-man");
    }
    if (this.stuck(position)) return judged(side, this.values["ending.no-moves"], "no-moves");
    return draw ?? { result: "ongoing", reason: null };
  }

  /** Whether a draw of `ending.draws` holds in a position. */
  holds(draw, position) {
    const pieces = [...position.pieces].filter(Boolean);
    if (pieces.length !== 2 || pieces[0] * pieces[1] > 0) return false;
    if (draw === "one-piece-each-same-kind") return pieces[0] + pieces[1] === 0;
    return draw === "one-piece-each" || this.captures(position).length === 0;
  }

  /** The side whose single king stands against a single man, unless that man is to move and can capture; else nothing. */
  kingToMan(position) {
    const pieces = [...position.pieces].filter(Boolean);
    if (pieces.length !== 2 || pieces[0] * pieces[1] > 0 || Math.abs(pieces[0]) === Math.abs(pieces[1])) return "";
    const king = pieces.find((piece) => Math.abs(piece) === KING) > 0 ? "W" : "B";
    return position.side !== king && this.captures(position).length ? "" : king;
  }

  /** Whether the side to move counts as one that cannot. */
  stuck(position) {
    const blocked = this.values["ending.blocked"];
    if (blocked === "no-step") return this.quiet(position, true).length === 0;
    if (blocked === "no-piece-move") {
      const { moves, lapses } = this.turn(position);
      return moves.length + lapses.length === 0;
    }
    const { moves, lapses } = this.legal(position);
    return moves.length + lapses.length === 0;
  }
}

// What stands where a jumped piece stays: nobody can pass it, and nobody can jump it.
const STAYS = 9;

/** The criteria of capture.choice: of captures those that are best by one. */
const BEST = {
  "most-pieces": (captures, { weigh }) => greatest(captures, weigh),
  "multiple-before-single": (captures, { weigh }) => multiple(captures, weigh),
  "multiple-when-mixed": (captures, { isKing, weigh }) => {
    const kings = captures.filter((capture) => isKing(capture.path[0])).length;
    return kings > 0 && kings < captures.length ? multiple(captures, weigh) : captures;
  },
  "with-king": (captures, { isKing }) => greatest(captures, (capture) => Number(isKing(capture.path[0]))),
  "most-kings": (captures, { isKing }) => greatest(captures, (capture) => sum(capture.captured, isKing)),
  "king-first": (captures, { isKing }) => {
    const longest = Math.max(...captures.map((capture) => capture.captured.length));
    return range(longest).reduce(
      (left, jump) => greatest(left, ({ captured }) => Number(jump < captured.length && isKing(captured[jump]))),
      captures,
    );
  },
};

function multiple(captures, weigh) {
  const found = captures.filter((capture) => weigh(capture) >= 200);
  return found.length ? found : captures;
}

function greatest(captures, measure) {
  const most = captures.reduce((found, each) => Math.max(found, measure(each)), -Infinity);
  return captures.filter((each) => measure(each) === most);
}

function sum(list, measure) {
  return list.reduce((total, each) => total + Number(measure(each)), 0);
}

/** Directions of the board for Black (at 0) and White (at 2), of a list as a side sees them. */
function directed(words) {
  const seen = [...new Set(words.flatMap((word) => GROUPS[word] ?? [DIRECTIONS.indexOf(word)]))];
  return [seen.map((direction) => OPPOSITE[direction]), NONE, seen];
}

/** What makes two moves the same: start, end, captured pieces and what becomes of the piece. */
function keyOf({ path, captured, crowned }) {
  const taken = captured.length > 1 ? [...captured].sort((one, two) => one - two) : captured;
  return `${path[0]} ${path[path.length - 1]} ${taken} ${crowned}`;
}

/** Moves without those that are the same by another path; the first keeps every path. */
function unique(actions) {
  if (actions.length < 2) return actions;
  const found = new Map();
  for (const action of actions) {
    const key = keyOf(action);
    const same = found.get(key);
    if (same) same.paths.push(...action.paths);
    else found.set(key, action);
  }
  return [...found.values()];
}

function within(squares, path) {
  if (squares[0] !== path[0] || squares[squares.length - 1] !== path[path.length - 1]) return false;
  let index = 0;
  for (const square of path) if (square === squares[index]) index++;
  return index === squares.length;
}

function hasPieces(pieces, colour) {
  return pieces.some((piece) => piece * colour > 0);
}

function hasMen(pieces, colour) {
  return pieces.includes(MAN * colour);
}

function run(of) {
  return of ? `${of.count}${String(of.square).padStart(2, "0")}` : "0";
}

/** A lapse as the FEN has it: from, to, whether it crowned a man, and what it captured. */
function lapseOf(text) {
  const [, from, to, crowned, captured] = text.match(LAPSE);
  return {
    from: Number(from),
    to: Number(to),
    crowned: crowned === "K",
    captured: (captured ?? "").split(",").filter(Boolean).map((each) => ({
      square: Number(each.replace("K", "")),
      king: each.startsWith("K"),
    })),
  };
}

const LAPSE = /^(\d{1,4})-(\d{1,4})(K?)(?:x(K?\d{1,4}(?:,K?\d{1,4})*))?$/;

function lapseText(before, { path, captured, crowned }) {
  const taken = [...captured].sort((one, two) => one - two);
  const names = taken.map((square) => (Math.abs(before.pieces[square]) === KING ? "K" : "") + square);
  return `${path[0]}-${path[path.length - 1]}${crowned ? "K" : ""}${names.length ? `x${names}` : ""}`;
}

// ---------------------------------------------------------------------------------------------------- reading a FEN

/** A FEN being read. */
class Reading {
  constructor(game, fen) {
    this.game = game;
    this.fen = fen;
  }

  fail(key, values, message) {
    throw new PositionError(keyed(key, values, message), `position ${shown(this.fen)}: `);
  }

  position() {
    if (typeof this.fen !== "string" || this.fen.length > LONGEST) {
      this.fail("no-fen", {}, "expected a FEN such as W:W21,K30:B1,2");
    }
    const [side, ...parts] = this.fen.trim().replace(/\.+$/, "").split(":");
    if (side !== "W" && side !== "B") {
      this.fail("side", { found: side }, `found ${shown(side)}, expected W or B for the side to move`);
    }
    this.pieces = new Int8Array(this.game.board.squares + 1);
    this.rest = { sliders: "M".repeat(this.game.board.sliders.length) };
    this.seen = new Set();
    const sides = parts.slice(0, 2);
    if (sides.map((part) => part[0]).sort().join("") !== "BW") {
      const found = sides.join(":");
      this.fail("sides", { found }, `found ${shown(found)}, expected the squares of W and of B once each`);
    }
    for (const part of sides) this.squares(part);
    for (const field of parts.slice(2)) this.field(field);
    const position = new Position(this.pieces, side, this.rest);
    const wrong = this.game.impossible(position);
    if (wrong) this.fail(wrong.key, wrong.values, wrong.message);
    return position;
  }

  once(name) {
    if (this.seen.has(name)) this.fail("twice", { found: name }, `found ${name} twice`);
    this.seen.add(name);
  }

  field(field) {
    const counter = field.match(/^([HF])\d{1,4}$/);
    const runs = field.match(/^(\+)(0|[1-9]\d{2,4})\+(0|[1-9]\d{2,4})$/);
    if (counter || runs) {
      this.once((counter ?? runs)[1]);
      if (runs) this.runs(runs);
      return;
    }
    const [, name, value] = field.match(/^(compelled|[a-z]+=)(.*)$/) ?? [];
    this.once(name ?? field);
    if (name === "sliders=" && /^[LMR]+$/.test(value)) this.rest.sliders = value;
    else if (name === "spin=" && (value === "due" || SPUN.includes(value))) this.rest.spin = value;
    else if (name === "huffable=" && LAPSE.test(value)) this.rest.huffable = value;
    else if (field === "compelled") this.rest.compelled = true;
    else {
      const message = `found ${shown(field)}, expected sliders=, spin=, huffable=, compelled or the runs of kings`;
      this.fail("field", { found: field }, message);
    }
  }

  squares(part) {
    if (part.length === 1) return;
    for (const entry of part.slice(1).split(",")) {
      const found = entry.match(/^(K?)([a-z]?\d+)(?:-([a-z]?\d+))?$/);
      if (!found) {
        const message = `found ${shown(entry)}, expected a square, a range such as 1-12, or K before either`;
        this.fail("entry", { found: entry }, message);
      }
      const [, king, from, to] = found;
      const [first, last] = [from, to ?? from].map((each) => this.square(each));
      if (first > last) this.fail("range", { found: entry }, `found ${shown(entry)}, expected the smaller square first`);
      for (let square = first; square <= last; square++) {
        if (this.pieces[square]) this.fail("two-pieces", { square }, `found two pieces on ${square}`);
        this.pieces[square] = (king ? KING : MAN) * sign(part[0]);
      }
    }
  }

  square(text) {
    const wrong = `found ${shown(text)}, expected a square of the board`;
    return this.game.board.named(text) || this.fail("no-square", { found: text }, wrong);
  }

  runs([, , black, white]) {
    const of = (text) => (text === "0" ? null : { square: Number(text.slice(1)), count: Number(text[0]) });
    if (black !== "0" || white !== "0") this.rest.runs = { W: of(white), B: of(black) };
  }
}

// ---------------------------------------------------------------------------------------------------- history

/** A game as it was played from a position, for the draws that count what went before. */
class History {
  constructor(game, position) {
    this.game = game;
    /** The moves that were not taken back: the position after each, the side that moved a piece, if one did, and how. */
    this.stages = [{ position, mover: "", change: "begin" }];
    /** How often each position has stood, that after a lapse too which was taken back. */
    this.stood = new Map([[game.write(position), 1]]);
  }

  get position() {
    return this.stages[this.stages.length - 1].position;
  }

  play(text) {
    const action = this.game.find(this.position, text);
    if (action.kind === "retract") this.stages.pop();
    const moves = action.kind === "move" || action.kind === "capture";
    this.stages.push({ position: action.after, mover: moves ? action.before.side : "", change: changeOf(action) });
    const fen = this.game.write(action.after);
    this.stood.set(fen, (this.stood.get(fen) ?? 0) + 1);
  }

  /** The draw that holds now, if one does. */
  drawn() {
    const { values } = this.game;
    const found =
      (this.repeated() && "repetition") ||
      (this.since(values["draws.no-capture"], (stage, before) => pieceCount(stage.position) === pieceCount(before.position)) && "no-capture") ||
      (this.kingsAlone() && "king-moves") ||
      (this.inEndgame("draws.endings", () => true) && "ending") ||
      (this.balanced() && "balance") ||
      (this.inEndgame("draws.main-road", (position, weaker) => this.onRoad(position, weaker)) && "main-road") ||
      (this.rivers().some(({ key, times, from }) => this.madeIn(key, from) >= times) && "river");
    return found ? { result: "draw", reason: found } : { result: "ongoing", reason: null };
  }

  repeated() {
    const times = this.game.values["draws.repetition"];
    return times > 0 && this.stood.get(this.game.write(this.position)) >= times;
  }

  /** Whether each side has made so many moves, up to now, all of a kind. */
  since(times, fits) {
    if (!times) return false;
    const made = { W: 0, B: 0 };
    for (let index = this.stages.length - 1; index > 0 && fits(this.stages[index], this.stages[index - 1]); index--) {
      const { mover } = this.stages[index];
      if (mover) made[mover]++;
    }
    return made.W >= times && made.B >= times;
  }

  kingsAlone() {
    const { values } = this.game;
    const most = values["draws.king-moves-pieces"] ?? Infinity;
    const crowded = [1, -1].some((colour) => this.position.pieces.filter((piece) => piece * colour > 0).length > most);
    if (crowded || this.rivers().length) return false;
    return this.since(values["draws.king-moves"], (stage) => stage.change === "king" || stage.change === "none");
  }

  /** The first of the last stages whose positions are all of a kind, up to now; -1 if the present one is not. */
  first(fits) {
    let index = this.stages.length;
    while (index > 0 && fits(this.stages[index - 1].position)) index--;
    return index === this.stages.length ? -1 : index;
  }

  /** How many moves count that were made after a stage, in the endgame of a key: the fewer, where those of both do. */
  madeIn(key, from) {
    const made = { W: 0, B: 0 };
    for (const { mover } of this.stages.slice(from + 1)) if (mover) made[mover]++;
    const weaker = weakerIn(this.position, endgamesOfKey(key));
    const counted = {
      stronger: weaker.map(other),
      weaker,
    }[this.game.values["draws.counted-side"]] ?? ["W", "B"];
    return Math.min(...counted.map((side) => made[side]));
  }

  inEndgame(rule, also) {
    return Object.entries(this.game.values[rule] ?? {}).some(([key, times]) => {
      const endgames = endgamesOfKey(key);
      const from = this.first((position) => weakerIn(position, endgames).some((weaker) => also(position, weaker)));
      return from >= 0 && this.madeIn(key, from) >= times;
    });
  }

  /** The keys of draws.river whose count has begun, and with which stage. */
  rivers() {
    return Object.entries(this.game.values["draws.river"] ?? {}).flatMap(([key, times]) => {
      const endgames = endgamesOfKey(key);
      const arisen = this.first((position) => weakerIn(position, endgames).length > 0);
      if (arisen < 0) return [];
      const taken = this.stages.slice(arisen).findIndex(({ position }) =>
        weakerIn(position, endgames).some((weaker) => this.onAny(position, other(weaker)) && !this.onAny(position, weaker)),
      );
      return taken < 0 ? [] : [{ key, times, from: arisen + taken }];
    });
  }

  get road() {
    return (this.game.roads ??= this.game.board.mainRoad());
  }

  /** Whether all that a side has stands on the main road. */
  onRoad(position, side) {
    return position.pieces.every((piece, square) => piece * sign(side) <= 0 || this.road[square] === 1);
  }

  /** Whether something that a side has does. */
  onAny(position, side) {
    return position.pieces.some((piece, square) => piece * sign(side) > 0 && this.road[square] === 1);
  }

  balanced() {
    const rule = this.game.values["draws.balance"];
    const { pieces } = this.position;
    if (!rule || !pieces.includes(KING) || !pieces.includes(-KING)) return false;
    const all = pieces.filter(Boolean).length;
    return Object.entries(rule).some(([key, times]) => {
      const [least, most = least] = key.split("-").map(Number);
      return all >= least && all <= most && this.since(times, (stage) => !["pieces", "begin"].includes(stage.change));
    });
  }
}

function pieceCount(position) {
  return position.pieces.filter((piece) => piece !== EMPTY).length;
}

/** What an action changes: `pieces`, the place of a `king` or of a `man`, or `none` of them. */
function changeOf(action) {
  if (action.captured.length || action.falls.length || action.crowned) return "pieces";
  if (action.kind !== "move") return "none";
  return Math.abs(action.before.pieces[action.path[0]]) === KING ? "king" : "man";
}

/** The sides that are the second one of an endgame, if a position is one of some endgames. */
function weakerIn(position, endgames) {
  const letters = (colour) => {
    const count = (piece) => position.pieces.filter((each) => each === piece * colour).length;
    return "K".repeat(count(KING)) + "M".repeat(count(MAN));
  };
  const [white, black] = [letters(1), letters(-1)];
  return [
    ...(endgames.includes(`${white}v${black}`) ? ["B"] : []),
    ...(endgames.includes(`${black}v${white}`) ? ["W"] : []),
  ];
}
