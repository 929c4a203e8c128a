// A game being played: its actions, undo and redo, and its outcome.
"use strict";

/** A game of the interpreter from a position. Undone actions are kept until another is played. */
damspecPlay.session = (game, start) => {
  /** All actions, undone ones too, each with the position before it. */
  let done = [];
  let at = 0;
  /** The end that the players agreed on: `{result, reason}`, and after how many actions. */
  let over = null;
  const position = () => (at ? done[at - 1].action.after : start);
  return {
    game,
    start,
    get position() { return position(); },
    /** The number of actions without undone ones; then with them. */
    get length() { return at; },
    get longest() { return done.length; },
    /** The actions so far: `{before, action, lapse}` each. */
    get turns() { return done.slice(0, at); },
    /** All actions, including undone ones, in the order of playing. */
    get all() { return done; },
    /** The possible actions: legal ones, and lapses, which break the duty to capture. */
    offers() {
      const { moves, lapses } = game.legal(position());
      const offered = (actions, lapse) => actions.map((action) => ({ action, lapse }));
      return [...offered(moves, false), ...offered(lapses, true)];
    },
    play({ action, lapse }) {
      done = [...done.slice(0, at), { before: position(), action, lapse }];
      at += 1;
      over = null;
    },
    /** Plays actions written as text, as the interpreter writes them; throws its MoveError. */
    playAll(texts) {
      for (const text of texts) {
        const action = game.find(position(), text);
        this.play({ action, lapse: action.lapse });
      }
    },
    /** Ends the game here for a reason beside the rules: somebody resigned, or both agreed to a draw. */
    end(result, reason) {
      over = { result, reason, at };
    },
    /** Goes to the position after so many actions. */
    go(number) {
      at = Math.max(0, Math.min(done.length, number));
    },
    outcome() {
      if (over?.at === at) return { result: over.result, reason: over.reason };
      return game.outcome(start, done.slice(0, at).map(({ action }) => action.text));
    },
  };
};
