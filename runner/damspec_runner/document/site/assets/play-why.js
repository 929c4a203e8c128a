// Why a move is none: what is in its way, or the rule without which it would be legal, as `damspec replay` tells it.
"use strict";

/**
 * Tells it for a position. `lifted` are rules, each with what it says and the values by which it would forbid less, null
 * for a rule that is taken away; `name` writes a square. What comes back takes the squares that were named, or the text
 * of an action that moves no piece, and gives what is put into the page.
 */
damspecPlay.why = (game, position, lifted, name) => {
  /** What is legal with one rule lifted, worked out when it is first asked for. */
  const without = lifted.map(([rule, says, changes]) => {
    let moves = null;
    const values = Object.entries({ ...game.values, ...changes }).filter(([, value]) => value !== null);
    return { rule, says, moves: () => (moves ??= damspec.rules(Object.fromEntries(values)).moves(position)) };
  });

  /** Whether squares are the beginning of an action, or its ends. */
  const begins = ({ path, paths }, squares) =>
    paths.some((way) => squares.every((square, at) => way.path[at] === square)) ||
    (path[0] === squares[0] && path.at(-1) === squares.at(-1));

  return (squares, text) => {
    const end = squares.at(-1);
    if (squares.length > 1 && end !== squares[0] && position.pieces[end]) return [`A piece stands on ${name(end)}.`];
    const meant = (action) => (squares.length ? begins(action, squares) : action.text === text);
    const found = without.find(({ moves }) => moves().some(meant));
    if (!found) return [squares.length ? "No piece goes there like this." : "This cannot be done here."];
    const link = damspec.element("a", { href: `${damspec.root}rules/${found.rule}.html` }, "the rule");
    return [`${found.says} (`, link, ")"];
  };
};
