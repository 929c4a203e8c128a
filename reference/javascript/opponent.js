/**
 * An opponent for any game that damspec.js plays: it looks some moves deep and says what it saw.
 *
 *     import { think } from "damspec/opponent.js";
 *     const { action, value, line } = think(game, position, { milliseconds: 500 });
 *
 * It knows nothing of a game but its rules: it searches by alpha-beta, deeper and deeper until its time is over, counts
 * pieces where nobody can capture, and takes a spin for what it is, an average over the results.
 */

const WON = 1_000_000;
const MAN = 100;
/** How far captures are followed beyond the depth. */
const FURTHEST = 12;
/** How many positions are remembered at most. */
const REMEMBERED = 400_000;
/** What a remembered value is: the value itself, or the least or the most that it can be. */
const [EXACT, LEAST, MOST] = [0, 1, 2];

class OutOfTime extends Error {}

/**
 * What to play in a position.
 *
 * @param {Game} game as `rules(values)` makes it
 * @param {Position} position with the opponent's side to move
 * @param {object} options `milliseconds` at most and `depth` in moves at most; `seen`, FENs of positions that have been,
 *   which it takes for drawn; `random`, a function like Math.random that chooses among the first moves equally good;
 *   `lapse`, whether it breaks the duty to capture if it can, as somebody who overlooks a capture; `endgames`, what is
 *   known of solved endgames, as endgames.js reads them, which it looks no further than
 * @returns {{action: ?string, value: number, won: ?number, drawn: boolean, depth: number, nodes: number, line: string[]}}
 *   the action, null if chance has to act or nobody can; how the side stands, in men; in how many moves it has won (or,
 *   below zero, lost) if it saw that; whether solved endgames say that it leads to a draw; how deep it looked, how many
 *   positions, and what it expects to be played
 */
export function think(game, position, { milliseconds = 1000, depth = 64, seen = [], random = Math.random, lapse = false, endgames = null } = {}) {
  const search = new Search(game, seen, milliseconds, endgames);
  const lapses = lapse ? game.lapses(position) : [];
  const actions = lapses.length ? lapses : search.actions(position);
  const told = { action: null, value: 0, won: null, drawn: false, depth: 0, nodes: 0, line: [] };
  if (actions.length === 0 || actions[0].kind === "spin") return told;
  shuffle(actions, random);
  let best = { value: 0, line: [actions[0].text], drawn: false };
  try {
    for (let deep = 1; deep <= depth; deep++) {
      best = search.root(position, actions, deep);
      told.depth = deep;
      if (actions.length === 1 || Math.abs(best.value) > WON / 2) break;
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    best = search.found ?? best;
  }
  return { ...told, action: best.line[0], ...standing(best), nodes: search.nodes, line: best.line };
}

/**
 * What each action of a position leads to.
 *
 * @param {Game} game as `rules(values)` makes it
 * @param {Position} position
 * @param {object} options `milliseconds` and `depth` at most, `seen` and `endgames`, as `think` takes them
 * @returns {{depth: number, nodes: number, actions: Object[]}} how deep all of them were looked at, and the actions, the
 *   best first: of each `action`, `value`, `won`, `drawn` and `line`, as `think` has them; none where chance has to act
 */
export function analyse(game, position, { milliseconds = 1000, depth = 64, seen = [], endgames = null } = {}) {
  const search = new Search(game, seen, milliseconds, endgames);
  const actions = search.actions(position).filter((action) => action.kind !== "spin");
  let found = actions.map((action) => ({ action: action.text, value: 0, won: null, drawn: false, line: [action.text] }));
  let reached = 0;
  try {
    while (actions.length && reached < depth) {
      const looked = actions.map((action) => {
        const looked = search.first(position, action, reached + 1, -Infinity);
        return { action: action.text, ...standing(looked), line: looked.line };
      });
      found = looked;
      reached += 1;
      if (looked.every(({ won, drawn }) => won !== null || drawn)) break;
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
  }
  // A win is the better the sooner it comes, a loss the later.
  const rank = ({ value, won }) => (won === null ? value : Math.sign(won) * WON - won);
  return { depth: reached, nodes: search.nodes, actions: found.sort((one, other) => rank(other) - rank(one)) };
}

/** How a side stands, in men, and in how many moves it has won or lost, or that it is drawn, if that is sure. */
function standing({ value, drawn }) {
  const decided = Math.abs(value) > WON / 2;
  return {
    value: decided ? Math.sign(value) * Infinity : value / MAN,
    won: decided ? Math.sign(value) * Math.ceil((WON - Math.abs(value)) / 2) : null,
    drawn,
  };
}

function shuffle(list, random) {
  for (let index = list.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [list[index], list[other]] = [list[other], list[index]];
  }
}

class Search {
  constructor(game, seen, milliseconds, endgames) {
    this.game = game;
    this.endgames = endgames;
    this.seen = new Set(seen);
    this.until = performance.now() + milliseconds;
    this.nodes = 0;
    const { values, board } = game;
    const flies = values["king.move.reach"] !== 1 || values["king.capture.reach"] !== 1;
    /** Where the last piece lost wins, pieces are worth what they are worth elsewhere, to the other side. */
    this.worth = values["ending.no-pieces"] === "wins" ? -1 : 1;
    this.king = flies ? 3 * MAN : 1.5 * MAN;
    const step = values["ending.first-king"] ? MAN : 4;
    /** What a man is worth on each square, by side, and a king. */
    this.man = { W: [0], B: [0] };
    this.centre = [0];
    for (let square = 1; square <= board.squares; square++) {
      const [column, row] = board.place(square);
      this.man.W.push(MAN + step * (board.rows - 1 - row));
      this.man.B.push(MAN + step * row);
      const off = Math.max(Math.abs(2 * column + 1 - board.columns), Math.abs(2 * row + 1 - board.rows));
      this.centre.push(this.king + board.columns - off);
    }
    this.keys = new Keys(board.squares);
    /** What is known of positions by their keys: how deep they were looked at, what came out, the best action's place. */
    this.known = new Map();
    /** The keys of the positions on the way to the present one. */
    this.way = [];
    /** For each ply and for each move, as a number, how well it did: the last to refute, and how often it did so. */
    this.killers = [];
    this.history = new Float64Array((board.squares + 1) ** 2);
  }

  /** What the side to move can do by the rules; it breaks none. */
  actions(position) {
    return this.game.moves(position);
  }

  /** The best of the first actions, which are then in the order of what they gave. */
  root(position, actions, depth) {
    this.found = null;
    const values = new Map();
    for (const action of actions) {
      const floor = this.found ? this.found.value : -Infinity;
      const found = this.first(position, action, depth, floor);
      values.set(action, found.value);
      if (found.value > floor) this.found = found;
    }
    const [first] = actions.filter((action) => action.text === this.found.line[0]);
    actions.sort((one, other) => values.get(other) - values.get(one));
    actions.splice(actions.indexOf(first), 1);
    actions.unshift(first);
    return this.found;
  }

  /** What a first action is worth to the side that plays it, exactly if more than `floor`, and what is expected then. */
  first(position, action, depth, floor) {
    if (this.seen.has(this.game.write(action.after))) return { value: 0, line: [action.text], drawn: false };
    this.way[0] = this.keys.of(position);
    const rest = [];
    const look = (most, line) => this.valueAfter(position.side, action.after, depth - 1, floor, most, 1, line);
    let value = floor === -Infinity ? Infinity : look(floor + 1, null);
    if (value > floor) value = look(Infinity, rest);
    return { value, line: [action.text, ...rest], drawn: this.endgames?.value(action.after)?.value === "draw" };
  }

  /** What a position is worth to the side that moved to it, which may still be to move. */
  valueAfter(side, position, depth, alpha, beta, ply, line) {
    return position.side === side
      ? this.value(position, depth, alpha, beta, ply, line)
      : -this.value(position, depth, -beta, -alpha, ply, line);
  }

  /**
   * What a position is worth to the side to move, in hundredths of a man. `line` is filled with what is expected; it is
   * null where only a bound is asked for.
   */
  value(position, depth, alpha, beta, ply, line) {
    if (++this.nodes % 32 === 0 && performance.now() > this.until) throw new OutOfTime();
    const ended = this.ended(position, ply);
    if (ended !== null) return ended;
    const solved = this.endgames?.value(position);
    if (solved) {
      if (solved.value === "draw") return 0;
      return solved.value === "win" ? WON - ply - solved.distance : ply + solved.distance - WON;
    }
    if (depth <= 0) return this.settled(position, depth, alpha, beta, ply, line);
    const key = this.keys.of(position);
    if (this.way.lastIndexOf(key, ply - 1) >= 0) return 0;
    this.way[ply] = key;
    const known = this.known.get(key);
    if (!line && known?.depth >= depth) {
      const value = atPly(known.value, -ply);
      if (known.bound === EXACT || (known.bound === LEAST ? value >= beta : value <= alpha)) return value;
    }
    const actions = this.actions(position);
    if (actions.length === 0) return this.over(this.game.outcome(position), position, ply);
    if (actions[0].kind === "spin") return this.average(position, actions, depth, ply);
    // An only reply costs no depth. Captures alone, since these come to an end.
    const left = actions.length === 1 && actions[0].kind === "capture" ? depth : depth - 1;
    const order = this.order(actions, known?.best ?? -1, ply);
    let [best, bestPlace, floor] = [-Infinity, 0, alpha];
    for (let number = 0; number < order.length; number++) {
      const action = actions[order[number]];
      const { after } = action;
      const rest = line && [];
      let value;
      if (number === 0) {
        value = this.valueAfter(position.side, after, left, floor, beta, ply + 1, rest);
      } else {
        // Later quiet moves are looked at less deep, and all but the first only for whether they are better.
        const less = number > 2 && depth > 2 && isQuiet(action) ? (number > 8 && depth > 4 ? 2 : 1) : 0;
        value = this.valueAfter(position.side, after, left - less, floor, floor + 1, ply + 1, null);
        if (value > floor && (less || value < beta)) {
          value = this.valueAfter(position.side, after, left, floor, beta, ply + 1, rest);
        }
      }
      if (value > best) [best, bestPlace] = [value, order[number]];
      if (value > floor) {
        floor = value;
        line?.splice(0, line.length, action.text, ...rest);
        if (floor >= beta) {
          if (isQuiet(action)) this.praise(action, depth, ply);
          break;
        }
      }
    }
    const bound = best >= beta ? LEAST : best > alpha ? EXACT : MOST;
    if (this.known.size > REMEMBERED) this.known.clear();
    this.known.set(key, { depth, bound, value: atPly(best, ply), best: bestPlace });
    return best;
  }

  /** What a position is worth when captures have been followed to their end. */
  settled(position, depth, alpha, beta, ply, line) {
    if (depth <= -FURTHEST || !this.game.canCapture(position)) return this.count(position);
    const actions = this.actions(position);
    const captures = actions.filter(({ kind }) => kind === "capture");
    if (captures.length === 0) return this.count(position);
    // Who need not capture may leave it.
    let best = captures.length < actions.length ? this.count(position) : -Infinity;
    for (const action of captures) {
      if (best >= beta) break;
      const rest = line && [];
      const value = this.valueAfter(position.side, action.after, depth - 1, Math.max(alpha, best), beta, ply + 1, rest);
      if (value > best) {
        best = value;
        line?.splice(0, line.length, action.text, ...rest);
      }
    }
    return best;
  }

  /** The places of actions in the order of looking at them: what was best before, captures, what refuted elsewhere. */
  order(actions, first, ply) {
    const scores = actions.map((action, place) => {
      if (place === first) return Infinity;
      if (action.captured.length) return 1e12 + action.captured.length;
      if (action.crowned) return 1e11;
      const move = this.numberOf(action);
      return this.killers[ply]?.includes(move) ? 1e10 : this.history[move];
    });
    return [...scores.keys()].sort((one, other) => scores[other] - scores[one]);
  }

  /** Remember a move that refuted what came before. */
  praise(action, depth, ply) {
    const move = this.numberOf(action);
    this.history[move] += depth * depth;
    const [killer] = (this.killers[ply] ??= []);
    if (killer !== move) this.killers[ply] = [move, killer];
  }

  numberOf({ path }) {
    return path.length ? path[0] * (this.game.board.squares + 1) + path[path.length - 1] : 0;
  }

  /** The mean of what spins lead to. */
  average(position, spins, depth, ply) {
    const values = spins.map((spin) => this.value(spin.after, depth - 1, -Infinity, Infinity, ply, []));
    return values.reduce((sum, each) => sum + each, 0) / values.length;
  }

  /** What a position is worth if it is over for another reason than that nothing can be played; else null. */
  ended(position, ply) {
    const { values } = this.game;
    let [white, black] = [0, 0];
    for (const piece of position.pieces) {
      if (piece > 0) white++;
      if (piece < 0) black++;
    }
    const few = values["ending.one-piece"] ? white <= 1 || black <= 1 : white <= 1 && black <= 1;
    if (white && black && !few && !values["ending.first-king"] && values["ending.blocked"] !== "no-step") return null;
    const outcome = this.game.outcome(position);
    return outcome.result === "ongoing" ? null : this.over(outcome, position, ply);
  }

  over({ result }, position, ply) {
    if (result === "draw" || result === "ongoing") return 0;
    return (result === "white") === (position.side === "W") ? WON - ply : ply - WON;
  }

  /** The pieces counted, for the side to move. */
  count({ pieces, side }) {
    let sum = 0;
    for (let square = 1; square < pieces.length; square++) {
      const piece = pieces[square];
      if (piece === 1) sum += this.man.W[square];
      else if (piece === -1) sum -= this.man.B[square];
      else if (piece) sum += piece > 0 ? this.centre[square] : -this.centre[square];
    }
    return (side === "W" ? sum : -sum) * this.worth;
  }
}

/** Whether an action takes nothing off the board and crowns nothing. */
function isQuiet({ captured, falls, crowned }) {
  return captured.length === 0 && falls.length === 0 && !crowned;
}

/** A value at so many plies further, if it says after how many the game is decided. */
function atPly(value, plies) {
  return Math.abs(value) > WON / 2 ? value + Math.sign(value) * plies : value;
}

/** Numbers by which positions are remembered: two positions have the same one only by a rare chance. */
class Keys {
  constructor(squares) {
    const some = () => Int32Array.from({ length: 5 * squares + 5 }, () => Math.random() * 2 ** 32);
    [this.high, this.low] = [some(), some()];
  }

  of({ pieces, side, sliders, spin, huffable, compelled, runs }) {
    let [high, low] = side === "W" ? [0, 0] : [this.high[0], this.low[0]];
    for (let square = 1; square < pieces.length; square++) {
      const place = 5 * square + pieces[square];
      high ^= this.high[place];
      low ^= this.low[place];
    }
    if (sliders || spin || huffable || compelled || runs) {
      for (const letter of [sliders, spin, huffable, compelled, runText(runs?.W), runText(runs?.B)].join()) {
        high = Math.imul(high ^ letter.charCodeAt(0), 0x01000193);
        low = Math.imul(low ^ letter.charCodeAt(0), 0x01000197);
      }
    }
    return (high >>> 0) * 2 ** 21 + (low >>> 11);
  }
}

function runText(run) {
  return run ? `${run.square} ${run.count}` : "";
}
