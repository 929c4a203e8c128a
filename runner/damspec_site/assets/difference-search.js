// The search for the smallest position that two games answer differently, in a worker with the interpreter: first among
// known positions, then among all positions with few pieces.
"use strict";

/** The worker's code. It refers to nothing outside, since the worker is made from its source. */
function damspecDifferenceWorker(damspec) {
  /** All positions with up to PIECES pieces are tried, at most MOST of them. */
  const PIECES = 3, MOST = 300_000;
  /** The interval between progress messages, in milliseconds. */
  const EVERY = 250;

  const answer = (game, position) => {
    const { moves, lapses } = game.legal(position);
    return { moves, lapses, result: game.outcome(position).result };
  };
  /** The effect of an action, as a text that both games can compare. */
  const doneBy = ({ text, captured, after }, doors) => {
    const taken = [...captured].sort((one, other) => one - other);
    const turned = doors ? [after.sliders, after.spin] : [];
    return [text, taken, after.pieces, after.side, after.compelled, ...turned].join(" ");
  };
  const keys = (actions, doors) => actions.map((action) => doneBy(action, doors)).sort();
  const alike = (one, other, doors) =>
    one.length === other.length && (one.length === 0 || keys(one, doors).join("\n") === keys(other, doors).join("\n"));
  const differ = (one, other, doors) =>
    one.result !== other.result || !alike(one.moves, other.moves, doors) || !alike(one.lapses, other.lapses, doors);

  /** The legal actions as texts; a move whose namesake in the other game leads elsewhere has the resulting position. */
  const said = (game, { moves, lapses, result }, other, doors) => {
    const texts = new Set([...other.moves, ...other.lapses].map(({ text }) => text));
    const done = new Set(keys([...other.moves, ...other.lapses], doors));
    const written = (action) =>
      texts.has(action.text) && !done.has(doneBy(action, doors)) ? `${action.text} → ${game.write(action.after)}` : action.text;
    return { moves: moves.map(written), lapses: lapses.map(written), result };
  };

  /** Whether a man stands on its promotion row. */
  const impossible = (game, pieces) =>
    pieces.some((piece, square) => (piece === 1 && game.promotionRows.W[square]) || (piece === -1 && game.promotionRows.B[square]));

  /** Reads a FEN for a game, if need be without the fields that only other games have; null if it is impossible. */
  const readBy = (game, fen) => {
    for (const text of new Set([fen, fen.split(":").slice(0, 3).join(":")])) {
      try {
        return game.read(text);
      } catch {
        // try without sliders, spins, lapses and runs
      }
    }
    return null;
  };

  const positionOf = (game, pieces) =>
    new damspec.Position(pieces, "W", { sliders: "M".repeat(game.board.sliders.length) });

  /** Yields all placements of `number` pieces with at least one of White's. */
  function* placed(squares, number, from = 1, pieces = new Int8Array(squares + 1), white = false) {
    if (!number) {
      if (white) yield pieces.slice();
      return;
    }
    for (let square = from; square <= squares; square++) {
      for (const piece of [1, 2, -1, -2]) {
        pieces[square] = piece;
        yield* placed(squares, number - 1, square + 1, pieces, white || piece > 0);
      }
      pieces[square] = 0;
    }
  }

  /**
   * Searches, reporting by `tell` the number of positions tried and the best one: the first in which the game goes on by
   * at least one of the two sets of rules, or else one that is over by both.
   */
  return function seek({ mine, other, pool }, tell) {
    const [one, two] = [damspec.rules(mine), damspec.rules(other)];
    let tried = 0, best = null, reported = Date.now();
    const doors = one.board.sliders.length > 0 && two.board.sliders.length > 0;
    const found = (position, theirs, fen = one.write(position)) => {
      const [own, their] = [answer(one, position), answer(two, theirs)];
      const over = own.result !== "ongoing" && their.result !== "ongoing";
      if ((over && best) || !differ(own, their, doors)) return false;
      best = {
        fen,
        drawn: one.write(position),
        pieces: position.pieces.filter(Boolean).length,
        over,
        mine: said(one, own, their, doors),
        other: said(two, their, own, doors),
      };
      return !over;
    };
    const count = () => {
      tried++;
      if (Date.now() - reported < EVERY) return;
      reported = Date.now();
      tell({ tried, best, done: false });
    };
    for (const fen of pool) {
      const [position, theirs] = [readBy(one, fen), readBy(two, fen)];
      if (!position || !theirs) continue;
      count();
      if (found(position, theirs, fen)) break;
    }
    search: for (let number = 1; number <= PIECES && (best?.over || number < (best?.pieces ?? Infinity)); number++) {
      for (const pieces of placed(one.board.squares, number)) {
        if (impossible(one, pieces) || impossible(two, pieces)) continue;
        if (tried >= MOST) break search;
        count();
        if (found(positionOf(one, pieces), positionOf(two, pieces))) break search;
      }
    }
    tell({ tried, best, done: true });
  };
}

/** Searches pairs of games one after another in a worker; a new call replaces all earlier ones. */
const damspecDifferenceSearch = () => {
  const source = `const seek = (${damspecDifferenceWorker})((${damspecModule})());
    onmessage = ({ data }) => seek(data, (said) => postMessage({ id: data.id, ...said }));`;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  let worker = null;
  return {
    /** `pairs` are `{id, mine, other, pool}`; `tell` is called with the progress and result of each. */
    ask(pairs, tell) {
      worker?.terminate();
      worker = pairs.length ? new Worker(address) : null;
      if (!worker) return;
      worker.onmessage = ({ data }) => tell(data);
      for (const pair of pairs) worker.postMessage(pair);
    },
  };
};
