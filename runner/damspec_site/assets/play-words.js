// Actions and positions of a game in words of the reader's language, with squares as numbers or letters as chosen.
"use strict";

/** The words for a game; `name` writes squares, `texts` are those of the language (`play` in spec/rulebook). */
damspecPlay.words = (game, name, texts) => {
  const fill = (key, values) => damspec.filled(texts[key], values);
  const side = (letter) => (letter === "W" ? texts.white : texts.black);
  const other = (letter) => (letter === "W" ? texts.black : texts.white);
  const listed = (squares) => squares.map(name).join(", ");
  const slider = (id) => game.board.sliders.find((each) => each.id === id);
  const number = (value) => value.toLocaleString([texts.tag, "de"]);
  const squareOfHuff = (action) => Number(action.text.slice("huff ".length));
  const shownBySpin = (action) => texts[action.text.slice("spin=".length)] ?? action.text.slice("spin=".length);

  /** A text of the interpreter with its squares in the reader's notation. */
  const written = (text) => (/^[A-Z]\d|^spin=/.test(text) ? text : text.replace(/\d+/g, (square) => name(Number(square))));

  /** Where a slider is pushed, and what becomes of its door. */
  const pushed = (text) => {
    const [id, to] = text.split("=");
    const given = slider(id);
    const door = { L: given.left, R: given.right }[to[0]];
    const effect = !door ? "door-closes" : to.length > 1 ? "door-again" : "door-opens";
    return `${fill(`push-${to[0]}`, { id })}: ${fill(effect, door && { square: name(door) })}`;
  };

  const OFFERS = {
    spin: (action) => fill("act-spin", { spin: shownBySpin(action) }),
    slide: (action) => fill("act-push", { push: pushed(action.text) }),
    pass: () => texts["act-pass"],
    huff: (action) => fill("act-huff", { square: name(squareOfHuff(action)) }),
    retract: () => texts["act-retract"],
  };
  const also = (action) =>
    [
      action.kind === "capture" && fill("takes", { squares: listed(action.captured) }),
      action.crowned && texts.crowned,
      action.falls.length && action.kind !== "slide" && texts.falls,
      action.falls.length && action.kind === "slide" && fill("fall", { squares: listed(action.falls) }),
    ].filter(Boolean);

  /** A possible action. */
  const offered = ({ action }) => [OFFERS[action.kind]?.(action) ?? written(action.text), ...also(action)].join(", ");

  /** A huff, with what the piece could have captured, if the lapse before it is known. */
  const huffed = ({ before, action }, lapse, isMine) => {
    const square = squareOfHuff(action);
    const kind = Math.abs(before.pieces[square]) === 2 ? "king" : "man";
    const piece = texts[`${isMine ? "your" : "their"}-${kind}`];
    const text = fill("huffs", { side: side(before.side), piece, square: name(square) });
    if (!lapse) return text;
    const from = lapse.action.path.at(-1) === square ? lapse.action.path[0] : square;
    const missed = game.moves(lapse.before).filter(({ kind: each, path }) => each === "capture" && path[0] === from);
    if (!missed.length) return text;
    const most = missed.reduce((one, each) => (each.captured.length > one.captured.length ? each : one));
    return `${text}: ${fill(`could-${kind}`, { squares: listed(most.captured) })}`;
  };

  /** An action that was played, after the turn `previous`; `isMine` whether the other side is the only reader. */
  const told = (turn, previous = null, isMine = false) => {
    const { before, action, lapse } = turn;
    const who = { side: side(before.side) };
    const verbs = {
      move: () => fill("moves", { ...who, move: written(action.text) }),
      capture: () => fill("captures", { ...who, move: written(action.text) }),
      spin: () => fill("spins", { ...who, spin: shownBySpin(action) }),
      slide: () => fill("pushes", { ...who, push: pushed(action.text) }),
      pass: () => fill("passes", who),
      huff: () => huffed(turn, previous?.lapse ? previous : null, isMine),
      retract: () => fill("retracts", who),
    };
    return [verbs[action.kind](), ...also(action), lapse && texts.breach].filter(Boolean).join(", ");
  };

  /** What the side to move has to do. */
  const asked = (position) =>
    [
      fill("asked", { side: side(position.side) }),
      position.spin === "due" && texts["spin-next"],
      position.spin && position.spin !== "due" && fill("shows", { spin: texts[position.spin] ?? position.spin }),
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
      depth: number(depth),
      nodes: number(nodes),
      line: line.map(written).join(" "),
      standing: standing(thought, position.side),
    });
  };

  return { fill, texts, side, other, listed, written, offered, told, asked, ended, refused, standing, saw };
};
