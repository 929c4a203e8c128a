// A game as PDN 3.0, written as `damspec replay` reads it, and read: moves by their ends where that is unambiguous, and actions without PDN
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

  /** A FEN with the squares of both sides written otherwise. */
  const rewritten = (fen, squares, write) =>
    fen.split(":").map((part, at) => (at === 1 || at === 2 ? part.replace(squares, write) : part)).join(":");

  /**
   * A session as PDN. `format` says how a game is written: `tags` from its start, `letters`, the sign of `captures`, the
   * `results` as they stand in the tag.
   */
  damspecPlay.pdn = ({ game, start, turns, outcome }, format) => {
    const numbers = game.write(start);
    const fen = format.letters ? rewritten(numbers, /\d+/g, (square) => game.board.name(Number(square))) : numbers;
    const tags = { Result: format.results[outcome().result] ?? "*", ...format.tags, ...(numbers === game.write(game.start()) ? {} : { FEN: fen }) };
    const head = Object.entries(tags).map(([tag, value]) => `[${tag} "${value.replace(/["\\]/g, "\\$&")}"]\n`);
    return `${head.join("")}\n${folded([...words(game, format, turns), "*"])}\n`;
  };

  /** The text of the action that a word of the move text means here; null for a comment that is no action. */
  const meantBy = (word, position, game) => {
    const comment = word.startsWith("{");
    const text = comment ? word.slice(1, -1).trim() : word;
    const squares = comment ? [] : text.split(/[-x:×]/).map((each) => game.board.named(each));
    const ways = squares.length > 1 && squares.every(Boolean) ? [squares.join("-"), squares.join("x")] : [text];
    for (const way of ways) {
      try {
        return game.find(position, way);
      } catch (error) {
        if (!(error instanceof damspec.MoveError)) throw error;
      }
    }
    return null;
  };

  /** The moves and comments in braces of the first game: no other comments, no variations, numbers and annotations. */
  const wordsOf = (moves) => {
    const words = [];
    let depth = 0;
    for (const word of moves.match(/\{[^}]*\}|[;%][^\n]*|[()]|\$\d+|\d+\.+|[^\s{}();]+/g) ?? []) {
      if (word === "(") depth += 1;
      else if (word === ")") depth -= 1;
      else if (depth) continue;
      else if (word === "1." && words.filter((each) => !each.startsWith("{")).length > 1) break;
      else if (!/^([;%$]|\d+\.)/.test(word)) words.push(word);
    }
    return words;
  };

  /**
   * The first game of a PDN: the position from which it starts, and its actions as text. Variations and results are left
   * out, and comments unless they are actions. Throws an Error that names the first move that cannot be played.
   */
  damspecPlay.readPdn = (text, game, texts) => {
    const [, head, moves] = text.match(/^\s*((?:(?:\[[^\]]*\]|[;%][^\n]*)\s*)*)((?:\{[^}]*\}|[;%][^\n]*|[^[{;%])*)/);
    const fen = head.match(/\[FEN\s+"([^"]*)"/)?.[1];
    const start = fen ? game.read(rewritten(fen, /[a-l]\d+/g, (square) => game.board.named(square))) : game.start();
    let position = start;
    const played = [];
    for (const word of wordsOf(moves)) {
      if (/^(\*|[012]-[012]|1\/2-1\/2)$/.test(word)) break;
      const action = meantBy(word.replace(/[!?]+$/, ""), position, game);
      if (!action && word.startsWith("{")) continue;
      if (!action) throw new Error(damspec.filled(texts["not-found"], { number: played.length, move: word }));
      played.push(action.text);
      position = action.after;
    }
    return { start, played };
  };
}
