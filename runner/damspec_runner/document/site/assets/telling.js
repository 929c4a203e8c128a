// The smallest position that tells two games apart, looked for in a worker with the interpreter: first among positions
// that are known to tell something, then among all with few pieces.
"use strict";

/** What the worker does. It stands by itself, for its source is what the worker is made of. */
function damspecTellingWork(damspec) {
  /** With how many pieces all positions are tried, and how many positions of them at most. */
  const PIECES = 3, MOST = 300_000;
  /** After how many milliseconds it is told how far the search is. */
  const EVERY = 250;

  const answer = (game, position) => {
    const { moves, lapses } = game.legal(position);
    return { moves, lapses, result: game.outcome(position).result };
  };
  /** What an action does, as far as both games can tell of it. */
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

  /** What can be played; where a move is written alike but leads elsewhere in the other game, with what it leads to. */
  const said = (game, { moves, lapses, result }, other, doors) => {
    const texts = new Set([...other.moves, ...other.lapses].map(({ text }) => text));
    const done = new Set(keys([...other.moves, ...other.lapses], doors));
    const told = (action) =>
      texts.has(action.text) && !done.has(doneBy(action, doors)) ? `${action.text} → ${game.write(action.after)}` : action.text;
    return { moves: moves.map(told), lapses: lapses.map(told), result };
  };

  /** Whether men stand where they would have been crowned. */
  const impossible = (game, pieces) =>
    pieces.some((piece, square) => (piece === 1 && game.crownheads.W[square]) || (piece === -1 && game.crownheads.B[square]));

  /** A position as a game has it: without what is only said in others; null if the pieces cannot stand so. */
  const readBy = (game, fen) => {
    for (const text of new Set([fen, fen.split(":").slice(0, 3).join(":")])) {
      try {
        return game.read(text);
      } catch {
        // then without sliders, spins, lapses and runs, or not at all
      }
    }
    return null;
  };

  const positionOf = (game, pieces) =>
    new damspec.Position(pieces, "W", { sliders: "M".repeat(game.board.sliders.length) });

  /** All positions with so many pieces, one of White's at least, White to move. */
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
   * Searches, and tells how many positions were tried and what the best one is: the first in which the game goes on by one
   * of the two at least, or if there is none, one that is over by both.
   */
  return function seek({ mine, other, pool }, tell) {
    const [one, two] = [damspec.rules(mine), damspec.rules(other)];
    let tried = 0, best = null, told = Date.now();
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
    const counted = () => {
      tried++;
      if (Date.now() - told < EVERY) return;
      told = Date.now();
      tell({ tried, best, done: false });
    };
    for (const fen of pool) {
      const [position, theirs] = [readBy(one, fen), readBy(two, fen)];
      if (!position || !theirs) continue;
      counted();
      if (found(position, theirs, fen)) break;
    }
    search: for (let number = 1; number <= PIECES && (best?.over || number < (best?.pieces ?? Infinity)); number++) {
      for (const pieces of placed(one.board.squares, number)) {
        if (impossible(one, pieces) || impossible(two, pieces)) continue;
        if (tried >= MOST) break search;
        counted();
        if (found(positionOf(one, pieces), positionOf(two, pieces))) break search;
      }
    }
    tell({ tried, best, done: true });
  };
}

/** Asks a worker about one pair of games after the other; a new question takes the place of all before. */
const damspecTelling = () => {
  const source = `const seek = (${damspecTellingWork})((${damspecModule})());
    onmessage = ({ data }) => seek(data, (said) => postMessage({ id: data.id, ...said }));`;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  let worker = null;
  return {
    /** `pairs` are `{id, mine, other, pool}`; `tell` is told what comes of each, more than once. */
    ask(pairs, tell) {
      worker?.terminate();
      worker = pairs.length ? new Worker(address) : null;
      if (!worker) return;
      worker.onmessage = ({ data }) => tell(data);
      for (const pair of pairs) worker.postMessage(pair);
    },
  };
};
