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
  const keys = (actions) =>
    actions
      .map((action) => {
        const taken = [...action.captured].sort((one, other) => one - other);
        return `${action.text} ${taken} ${action.after.pieces}`;
      })
      .sort()
      .join("\n");
  const differ = (one, other) =>
    one.result !== other.result ||
    one.moves.length !== other.moves.length ||
    one.lapses.length !== other.lapses.length ||
    keys(one.moves) !== keys(other.moves) ||
    keys(one.lapses) !== keys(other.lapses);

  const said = ({ moves, lapses, result }) => ({
    moves: moves.map(({ text }) => text),
    lapses: lapses.map(({ text }) => text),
    result,
  });

  /** Whether men stand where they would have been crowned. */
  const impossible = (game, pieces) =>
    pieces.some((piece, square) => (piece === 1 && game.crownheads.W[square]) || (piece === -1 && game.crownheads.B[square]));

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

  /** Searches, and tells how many positions were tried and what the best one is. */
  return function seek({ mine, other, pool }, tell) {
    const [one, two] = [damspec.rules(mine), damspec.rules(other)];
    let tried = 0, best = null, told = Date.now();
    const found = (position, theirs) => {
      const answers = [answer(one, position), answer(two, theirs)];
      if (!differ(...answers)) return false;
      best = { fen: one.write(position), pieces: position.pieces.filter(Boolean).length, mine: said(answers[0]), other: said(answers[1]) };
      return true;
    };
    const counted = () => {
      tried++;
      if (Date.now() - told < EVERY) return;
      told = Date.now();
      tell({ tried, best, done: false });
    };
    for (const fen of pool) {
      let position, theirs;
      try {
        [position, theirs] = [one.read(fen), two.read(fen)];
      } catch {
        continue; // it cannot be in both games
      }
      counted();
      if (found(position, theirs)) break;
    }
    search: for (let number = 1; number <= PIECES && number < (best?.pieces ?? Infinity); number++) {
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
