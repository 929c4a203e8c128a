// A game as PDN 3.0, as `damspec replay` reads it: moves by their ends where that is unambiguous, and actions without PDN
// notation as comments.
"use strict";

{
  const WIDTH = 80;
  const movesPiece = (action) => action.kind === "move" || action.kind === "capture";

  /** Whether squares are a path without some of the squares between its ends. */
  const shortens = (squares, path) => {
    if (squares[0] !== path[0] || squares.at(-1) !== path.at(-1)) return false;
    let from = 1;
    return squares.slice(1, -1).every((square) => {
      from = path.indexOf(square, from) + 1;
      return from > 0 && from < path.length;
    });
  };

  /** The actions that squares can denote: those with exactly that path, else those whose path they shorten. */
  const on = (squares, actions) => {
    const paths = (action) => action.paths.map(({ path }) => path);
    const exact = actions.filter((action) => paths(action).some((path) => String(path) === String(squares)));
    return exact.length ? exact : actions.filter((action) => paths(action).some((path) => shortens(squares, path)));
  };

  /** A move in notation: its ends, or every square on the way if the ends are ambiguous. */
  const moveText = (game, format, { before, action }) => {
    const { moves, lapses } = game.legal(before);
    const ends = ({ path }) => `${path[0]} ${path.at(-1)}`;
    const alike = [...moves, ...lapses].filter((each) => movesPiece(each) && ends(each) === ends(action));
    const asCapture = action.captured.length > 0 && format.captures !== "-";
    const meant = (squares) => {
      const found = on(squares, alike.filter((each) => each.captured.length > 0 === asCapture));
      return found.length ? found : on(squares, alike);
    };
    const isMeant = (squares) => {
      const found = meant(squares);
      return found.length === 1 && found[0].text === action.text;
    };
    const paths = action.paths.map(({ path }) => path);
    const squares = [[action.path[0], action.path.at(-1)], ...paths].find(isMeant) ?? action.path;
    const legs = squares.length - 1;
    const slides = legs - Math.min(action.captured.length, legs);
    const name = (square) => (format.letters ? game.board.name(square) : String(square));
    const signed = (square, leg) => (leg === 0 ? "" : leg <= slides ? "-" : format.captures) + name(square);
    return squares.map(signed).join("");
  };

  /** The words of the move text, which line breaks may separate. */
  const words = (game, format, turns) => {
    const first = game.values["start.first"] === "white" ? "W" : "B";
    let number = 1, last = "", told = false;
    return turns.map((turn) => {
      if (!movesPiece(turn.action)) {
        told = false;
        return `{${turn.action.text}}`;
      }
      const { side } = turn.before;
      if (side === first && last && last !== first) number += 1;
      const before = side === first ? `${number}. ` : told ? "" : `${number}... `;
      last = side;
      told = true;
      return before + moveText(game, format, turn);
    });
  };

  const folded = (texts) => {
    const lines = [""];
    for (const text of texts) {
      const line = lines.at(-1);
      if (line && line.length + 1 + text.length > WIDTH) lines.push(text);
      else lines[lines.length - 1] = line ? `${line} ${text}` : text;
    }
    return lines.join("\n");
  };

  /** A position with its squares in letters. */
  const lettered = (fen, board) =>
    fen
      .split(":")
      .map((part, at) => (at === 1 || at === 2 ? part.replace(/\d+/g, (square) => board.name(Number(square))) : part))
      .join(":");

  /**
   * A session as PDN. `format` says how a game is written: `tags` from its start, `letters`, the sign of `captures`, the
   * `results` as they stand in the tag.
   */
  damspecPlay.pdn = ({ game, start, turns, outcome }, format) => {
    const usual = game.write(start) === game.write(game.start());
    const fen = format.letters ? lettered(game.write(start), game.board) : game.write(start);
    const tags = { Result: format.results[outcome().result] ?? "*", ...format.tags, ...(usual ? {} : { FEN: fen }) };
    const head = Object.entries(tags).map(([tag, value]) => `[${tag} "${value.replace(/["\\]/g, "\\$&")}"]\n`);
    return `${head.join("")}\n${folded([...words(game, format, turns), "*"])}\n`;
  };
}
