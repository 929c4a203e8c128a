// Actions and positions of a game in words, with squares as numbers or letters as the reader has chosen.
"use strict";

/** The words for a game; `name` writes squares, `data` has the words for outcomes. */
damspecPlay.words = (game, name, data) => {
  const side = (letter) => (letter === "W" ? "White" : "Black");
  const other = (letter) => (letter === "W" ? "Black" : "White");
  const listed = (squares) => squares.map(name).join(", ");
  const slider = (id) => game.board.sliders.find((each) => each.id === id);
  const times = (number, thing) => `${number.toLocaleString("en")} ${thing}${number === 1 ? "" : "s"}`;

  /** A text of the interpreter with its squares in the reader's notation. */
  const written = (text) => (/^[A-Z]\d|^spin=/.test(text) ? text : text.replace(/\d+/g, (square) => name(Number(square))));

  const pushed = (text) => {
    const [id, to] = text.split("=");
    const given = slider(id);
    const door = { L: given.left, R: given.right }[to[0]];
    const way = { L: "to the left", M: "to the middle", R: "to the right" }[to[0]];
    const effect = door ? `the door on ${name(door)} opens` : "its door closes";
    return { id, way, effect: to.length > 1 ? `${effect} and closes again` : effect };
  };

  const results = {
    spin: (action) => `Spin: ${action.text.slice(5)}`,
    slide: (action) => {
      const { id, way, effect } = pushed(action.text);
      return `Push ${id} ${way}: ${effect}`;
    },
    pass: () => "Pass",
    huff: (action) => `Huff the piece on ${name(Number(action.text.slice(5)))}`,
    retract: () => "Have the move taken back",
  };
  const also = (action) =>
    [
      action.kind === "capture" && `takes ${listed(action.captured)}`,
      action.crowned && "is crowned",
      action.falls.length && action.kind !== "slide" && "falls through the door",
      action.falls.length && action.kind === "slide" && `what stands on ${listed(action.falls)} falls`,
    ].filter(Boolean);

  /** A possible action. */
  const offered = ({ action }) =>
    [results[action.kind]?.(action) ?? written(action.text), ...also(action)].join(", ");

  /** The last action. */
  const told = ({ before, action, lapse }) => {
    const who = side(before.side);
    const verbs = {
      move: () => `${who} moves ${written(action.text)}`,
      capture: () => `${who} captures ${written(action.text)}`,
      spin: () => `${who} spins ${action.text.slice(5)}`,
      slide: () => {
        const { id, way, effect } = pushed(action.text);
        return `${who} pushes ${id} ${way}, ${effect}`;
      },
      pass: () => `${who} passes`,
      huff: () => `${who} huffs the piece on ${name(Number(action.text.slice(5)))}`,
      retract: () => `${who} has the move taken back`,
    };
    return [verbs[action.kind](), ...also(action), lapse && "which breaks the duty to capture"].filter(Boolean).join(", ");
  };

  /** What the side to move has to do. */
  const asked = (position) =>
    [
      `${side(position.side)} to move`,
      position.spin === "due" && "the spinner is turned next",
      position.spin && position.spin !== "due" && `the spinner shows ${position.spin}`,
      position.compelled && "a capture has to be made",
      position.huffable && `the last move, ${written(position.huffable)}, left a capture`,
    ].filter(Boolean).join("; ");

  const ended = ({ result, reason }) => data.results[result] + (reason ? `: ${data.reasons[reason] ?? reason}` : "");

  /** Why a square cannot be chosen. */
  const refused = (position, square, starts) => {
    const piece = position.pieces[square];
    const own = piece > 0 === (position.side === "W");
    if (starts.walked.length) return `The piece on ${name(starts.walked.at(-1))} cannot go to ${name(square)}.`;
    if (!piece) return `No piece stands on ${name(square)}.`;
    if (!own) return `The piece on ${name(square)} is ${other(position.side)}’s, and ${side(position.side)} is to move.`;
    const capturing = starts.offers.some(({ action, lapse }) => action.kind === "capture" && !lapse);
    return `The piece on ${name(square)} cannot move now${capturing ? "; a capture is open" : ""}.`;
  };

  /** The computer's evaluation, for the side that it plays. */
  const standing = ({ value, won }, letter) => {
    if (won) return `${won > 0 ? side(letter) : other(letter)} wins in ${times(Math.abs(won), "move")}`;
    if (Math.abs(value) < 0.3) return "neither side is ahead";
    const ahead = value > 0 ? side(letter) : other(letter);
    const men = Math.round(Math.abs(value));
    return men ? `${ahead} is ahead by ${men === 1 ? "a man" : `${men} men`}` : `${ahead} is a little ahead`;
  };

  /** The depth and number of positions that the computer searched. */
  const saw = (position, thought) => {
    const { depth, nodes, line } = thought;
    if (!nodes) return "There was only one thing to play.";
    const looked = `${side(position.side)} looked ${times(depth, "move")} deep, at ${times(nodes, "position")}`;
    return `${looked}, expects ${line.map(written).join(" ")}, and thinks: ${standing(thought, position.side)}.`;
  };

  return { side, other, listed, written, offered, told, asked, ended, refused, saw };
};
