// Actions and positions of a game in words of the reader's language, with squares as numbers or letters as chosen.
"use strict";

/** The words for a game; `name` writes squares, `texts` are those of the language (`play` in spec/rulebook). */
damspecPlay.words = (game, name, texts) => {
  const fill = (key, values) => damspec.filled(texts[key], values);
  const side = (letter) => (letter === "W" ? texts.white : texts.black);
  const other = (letter) => (letter === "W" ? texts.black : texts.white);
  const listed = (squares) => squares.map(name).join(", ");
  const slider = (id) => game.board.sliders.find((each) => each.id === id);
  const kindOf = (piece) => (Math.abs(piece) === 2 ? "king" : "man");
  const squareOfHuff = (action) => Number(action.text.slice("huff ".length));
  const shownBySpin = (action) => action.text.slice("spin=".length);
  const spin = (shown) => texts[shown] ?? shown;
  const knob = (id) => texts.knobs[slider(id).colour] + id.replace(/^\D+/, "");

  /** A text of the interpreter with its squares in the reader's notation. */
  const written = (text) => {
    const [kind, shown] = text.split(/[ =]/);
    if (kind === "spin") return fill("act-spin", { spin: spin(shown) });
    if (kind === "huff") return fill("act-huff", { square: name(Number(shown)) });
    if (kind === "pass" || kind === "retract") return texts[`act-${kind}`];
    if (shown?.length > 1) return `${knobTo(text)}, ${fill("door-again", { square: name(slider(kind)[shown[0] === "L" ? "left" : "right"]) })}`;
    return shown ? knobTo(text) : text.replace(/\d+/g, (square) => name(Number(square)));
  };

  const knobTo = (text) => fill(`push-${text.split("=")[1][0]}`, { id: knob(text.split("=")[0]) });

  /** The door that a push opens, or shuts. */
  const doorOf = ({ slider: id, text, before }) => {
    const { left, right } = slider(id);
    const [to] = text.split("=")[1];
    return { L: left, R: right }[to === "M" ? before.sliders[game.board.sliders.indexOf(slider(id))] : to];
  };
  /** Which of these words fits a push: the one for a door that opens, shuts, or does both. */
  const effect = ({ text }, [opens, shuts, both]) => {
    const [, to] = text.split("=");
    if (to === "M") return shuts;
    return to.length > 1 || game.values["trapdoors.closing"] === "at-once" ? both : opens;
  };
  const pushed = (action) => {
    const key = effect(action, ["door-opens", "door-closes", "door-again"]);
    return `${knobTo(action.text)}, ${fill(key, { square: name(doorOf(action)) })}`;
  };
  const either = (words) => new Intl.ListFormat([damspecLanguage.tag, "de"], { type: "disjunction" }).format(words);

  /** Pieces on squares, as a capture names them: `man on 18` in the group of words `on`, `the man on 18` in `taken`. */
  const pieces = (position, squares, group) => {
    const kind = squares.length === 1 ? kindOf(position.pieces[squares[0]]) : "many";
    return fill(`${group}-${kind}`, { squares: listed(squares) });
  };

  const also = (action) => [action.crowned && texts.crowned, action.falls.length && texts.falls].filter(Boolean);

  /** A possible action. */
  const offered = ({ action }) => {
    const fall = action.kind === "slide" && action.falls.length && fill("fall", { squares: listed(action.falls) });
    const takes = action.kind === "capture" && fill("takes", { squares: listed(action.captured) });
    const rest = action.kind === "slide" ? [fall] : [takes, ...also(action)];
    return [action.kind === "slide" ? pushed(action) : written(action.text), ...rest].filter(Boolean).join(", ");
  };

  /** The capture that takes most, of those that a piece could have made, or any piece; null if there was none. */
  const missed = ({ before, action }, square = 0) => {
    const from = action.path.at(-1) === square ? action.path[0] : square;
    const found = game.moves(before).filter(({ kind, path }) => kind === "capture" && (!square || path[0] === from));
    return found.reduce((one, each) => (one && one.captured.length >= each.captured.length ? one : each), null);
  };

  /** What was huffed, and what it could have captured, if the lapse before is known. */
  const huffed = ({ before, action }, lapse) => {
    const square = squareOfHuff(action);
    const could = lapse && missed(lapse, square);
    const text = fill("huffs", { square: name(square) });
    if (!could) return text;
    return `${text}${texts.colon}${fill(`could-${kindOf(before.pieces[square])}`, { squares: listed(could.captured) })}`;
  };

  /** What became of the pieces on a door that was opened. */
  const losses = ({ before, action }) =>
    action.falls.map((square) => {
      const piece = before.pieces[square];
      return texts.colon + fill(`loses-${kindOf(piece)}`, { side: side(piece > 0 ? "W" : "B") });
    });

  /** What was done, without the side that did it, after the turn `previous`. */
  const done = (turn, previous = null) => {
    const { before, action, lapse } = turn;
    const { path, captured } = action;
    const verbs = {
      move: () => fill("moves", { from: name(path[0]), to: name(path.at(-1)) }),
      capture: () => fill("captures", { move: written(action.text), pieces: pieces(before, captured, "on") }),
      spin: () => fill("spins", { spin: spin(shownBySpin(action)) }),
      slide: () => pushed(action) + losses(turn).join(""),
      pass: () => texts.passes,
      huff: () => huffed(turn, previous?.lapse ? previous : null),
      retract: () => texts.retracts,
    };
    const overlooked = lapse && missed(turn);
    const text = [verbs[action.kind](), ...(action.kind === "slide" ? [] : also(action))].join(", ");
    return text + (overlooked ? fill("overlooks", { move: written(overlooked.text) }) : "");
  };

  /** What a side did. */
  const told = (turn, previous) =>
    fill(turn.action.kind === "slide" ? "says" : "does", { side: side(turn.before.side), what: done(turn, previous) });

  /** What the side to move has to do. */
  const asked = (position) =>
    [
      fill("asked", { side: side(position.side) }),
      position.spin === "due" && texts["spin-next"],
      position.spin && position.spin !== "due" && fill("shows", { spin: spin(position.spin) }),
      position.compelled && texts.must,
      position.huffable && fill("left", { move: written(position.huffable) }),
    ].filter(Boolean).join(texts.next);

  const ended = ({ result, reason }) => texts.results[result] + (reason ? `${texts.colon}${texts.reasons[reason] ?? reason}` : "");

  /** Why a square cannot be chosen. */
  const refused = (position, square, starts) => {
    const piece = position.pieces[square];
    const own = piece > 0 === (position.side === "W");
    if (starts.walked.length) return fill("no-step", { from: name(starts.walked.at(-1)), to: name(square) });
    if (!piece) return fill("no-piece", { square: name(square) });
    const sides = { side: side(position.side), other: other(position.side) };
    if (!own) return fill("not-yours", { square: name(square), ...sides });
    const capturing = starts.offers.some(({ action, lapse }) => action.kind === "capture" && !lapse);
    return fill(capturing ? "stuck-capture" : "stuck", { square: name(square) });
  };

  /** An evaluation, for the side that moved. */
  const standing = ({ value, won, drawn }, letter) => {
    if (drawn) return texts.drawn;
    if (won) return fill("wins-in", { side: won > 0 ? side(letter) : other(letter), number: Math.abs(won) });
    if (Math.abs(value) < 0.3) return texts.even;
    const men = Math.round(Math.abs(value));
    const key = men === 0 ? "little" : men === 1 ? "man" : "men";
    return fill(key, { side: value > 0 ? side(letter) : other(letter), number: men });
  };

  /** The depth and number of positions that the computer searched. */
  const saw = (position, thought) => {
    const { depth, nodes, line } = thought;
    if (!nodes) return texts.only;
    return fill("saw", {
      side: side(position.side),
      depth: damspec.number(depth),
      nodes: damspec.number(nodes),
      line: line.map(written).join(" "),
      standing: standing(thought, position.side),
    });
  };

  return { fill, side, kindOf, knob, spin, listed, either, written, doorOf, effect, pieces, missed, offered, done, told, asked, ended, refused, standing, saw };
};
