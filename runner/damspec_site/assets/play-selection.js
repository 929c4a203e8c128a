// Selection of an action square by square, from the start over the squares between to the end. A common beginning of
// several actions selects none of them; where they part, or one ends and another goes on, the player is asked.
"use strict";

/** A position with a piece in the middle of its move, on the last of the squares walked so far. */
damspecPlay.halfway = (position, walked) => {
  const pieces = position.pieces.slice();
  if (walked.length) {
    pieces[walked[0]] = 0;
    pieces[walked.at(-1)] = position.pieces[walked[0]];
  }
  return { ...position, pieces };
};

/** A selection among the offered actions that move a piece. */
damspecPlay.selection = (offers) => {
  const ways = offers.flatMap((offer) =>
    ["move", "capture"].includes(offer.action.kind) ? offer.action.paths.map((way) => ({ ...way, offer })) : [],
  );
  let walked = [];
  const begin = (way, squares) => squares.every((square, at) => way.path[at] === square);
  const fitting = (squares = walked) => ways.filter((way) => way.path.length >= squares.length && begin(way, squares));
  const starts = () => [...new Set(ways.map((way) => way.path[0]))];
  const different = (found) => [...new Set(found.map((way) => way.offer))];

  /** The way to a later square, if only one action ends there. */
  const leading = (square) => {
    const ends = fitting().filter((way) => way.path.length > walked.length && way.path.at(-1) === square);
    return different(ends).length === 1 ? ends[0] : null;
  };

  return {
    starts,
    get walked() { return walked; },
    /** The possible next squares; `lapse` where only lapses go there. */
    next() {
      const found = new Map();
      for (const way of walked.length ? fitting() : []) {
        const square = way.path[walked.length];
        if (square) found.set(square, (found.get(square) ?? true) && way.offer.lapse);
      }
      return [...found].map(([square, lapse]) => ({ square, lapse }));
    },
    /** The actions that end here, and whether others go on. */
    ended() {
      const found = walked.length > 1 ? fitting() : [];
      return {
        offers: different(found.filter((way) => way.path.length === walked.length)),
        more: found.some((way) => way.path.length > walked.length),
      };
    },
    /** The pieces captured by the jumps so far, by the first of the fitting ways. */
    captured() {
      const way = fitting()[0];
      if (!way || !walked.length) return [];
      return way.captured.slice(0, Math.max(0, walked.length - 1 - way.slides));
    },
    /** Chooses a square as the next one, as the end, or as another start; returns false if it is none of these. */
    choose(square) {
      if (walked.length && fitting([...walked, square]).length) walked = [...walked, square];
      else if (walked.length && leading(square)) walked = leading(square).path;
      else if (walked.length === 1 && walked[0] === square) walked = [];
      else if (starts().includes(square)) walked = [square];
      else return false;
      return true;
    },
    clear() {
      walked = [];
    },
  };
};
