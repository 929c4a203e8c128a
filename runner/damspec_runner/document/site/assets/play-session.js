// A game that is being played: what was done so far, backward and forward again, and how it stands.
"use strict";

/** A game of the interpreter from a position on. What was taken back is kept until something else is played. */
damspecPlay.session = (game, start) => {
  /** Everything done, what was taken back too: each action with the position before it. */
  let done = [];
  let at = 0;
  const position = () => (at ? done[at - 1].action.after : start);
  return {
    game,
    start,
    get position() {
      return position();
    },
    /** How many actions were done, those taken back left out; and how many with them. */
    get length() {
      return at;
    },
    get longest() {
      return done.length;
    },
    /** What was done so far: `{before, action, lapse}` each. */
    get turns() {
      return done.slice(0, at);
    },
    /** What was done, and taken back, in the order of playing. */
    get all() {
      return done;
    },
    /** What can be done now: legal actions, and lapses, which break the duty to capture. */
    offers() {
      const { moves, lapses } = game.legal(position());
      const offered = (actions, lapse) => actions.map((action) => ({ action, lapse }));
      return [...offered(moves, false), ...offered(lapses, true)];
    },
    play({ action, lapse }) {
      done = [...done.slice(0, at), { before: position(), action, lapse }];
      at += 1;
    },
    /** Goes to where so many actions were done. */
    go(number) {
      at = Math.max(0, Math.min(done.length, number));
    },
    outcome() {
      return game.outcome(start, done.slice(0, at).map(({ action }) => action.text));
    },
  };
};
