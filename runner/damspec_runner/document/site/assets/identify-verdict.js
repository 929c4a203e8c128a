// The verdict on somebody's answers: the game, or the nearest one and its differences, and the answers that contradict
// each other.
"use strict";

const damspecVerdict = (() => {
  /** How many more answers a second changed rule has to explain: one answer may be a slip. */
  const LEAST_GAIN = 2;
  /**
   * The most rules changed one after another to explain the answers, and the most contradicting answers shown together.
   */
  const CHANGES = 3, TOGETHER = 4;

  const against = (session, game) => [...session.given.keys()].filter((id) => session.agrees(game, id) === false);

  const agreeing = (session, game) => [...session.given.keys()].filter((id) => session.agrees(game, id)).length;

  /** The game with one rule changed that agrees with the most answers; null if none agrees with so many more than before. */
  const better = async (session, game, more) => {
    const wrong = against(session, game);
    if (!wrong.length) return null;
    const about = new Set(wrong.map((id) => session.questions[session.places.get(id)].rule));
    const { values, changes } = await session.changesOf(game);
    const concerned = ([change]) => Object.keys(change).some((rule) => about.has(rule));
    let [best, most] = [null, agreeing(session, game) + more - 1];
    for (const change of [...changes.filter(concerned), ...changes.filter((one) => !concerned(one))]) {
      const tried = session.otherGame(game, values, change);
      const number = tried ? agreeing(session, tried) : 0;
      if (number > most) [best, most] = [tried, number];
    }
    return best;
  };

  /** The answer that alone speaks for the changes of a game, if just one does and it may be a slip. */
  const only = (session, game) => {
    const plain = session.games.find((one) => one.id === game.id && !one.changed);
    const found = [...session.given.keys()].filter(
      (id) => session.agrees(plain, id) === false && session.agrees(game, id),
    );
    return found.length === 1 && !session.questions[session.places.get(found[0])].sure ? found[0] : null;
  };

  /** The rules of a game of which no answer would be otherwise if one of them alone were. */
  const unasked = async (session, game) => {
    const { values, changes } = await session.changesOf(game);
    const own = damspecSession.changed(values, game.changes);
    const about = new Set(session.questions.map(({ rule }) => rule));
    const told = new Map();
    const places = session.said.map(([place]) => place);
    for (const change of changes) {
      const tried = session.otherGame(game, values, change);
      const rule = (change[1] ?? Object.keys(change[0]))[0];
      if (!tried || !(rule in own) || !about.has(rule)) continue;
      told.set(rule, told.get(rule) || places.some((place) => tried.answers[place] !== game.answers[place]));
    }
    return [...told].filter(([, found]) => !found).map(([rule]) => rule);
  };

  /** Yields all combinations of `number` elements. */
  function* some(list, number) {
    if (!number) yield [];
    else
      for (const [place, one] of list.entries())
        for (const others of some(list.slice(place + 1), number - 1)) yield [one, ...others];
  }

  /** The fewest answers that no game combines with one, those about the same rule first; null if there are too many. */
  const clash = (session, id) => {
    const rule = (each) => session.questions[session.places.get(each)].rule;
    const others = [...session.given].filter(([, said]) => said !== "unknown").map(([each]) => each);
    others.splice(others.indexOf(id), 1);
    others.sort((one, other) => (rule(one) !== rule(id)) - (rule(other) !== rule(id)));
    const giving = session.games.filter((game) => session.agrees(game, id));
    for (let number = 1; number < TOGETHER; number++)
      for (const chosen of some(others, number))
        if (!giving.some((game) => chosen.every((each) => session.agrees(game, each)))) return [id, ...chosen];
    return null;
  };

  const clashes = (session, wrong) => {
    const found = new Map();
    for (const id of wrong) {
      const one = clash(session, id);
      if (one) found.set([...one].sort().join(" "), one);
    }
    return [...found.values()];
  };

  /** The known games, without other readings, with the numbers of answers they agree with and of all compared. */
  const known = (session) =>
    session.games
      .filter((game) => !game.changed && game.id === game.ruleset)
      .map((game) => {
        const agreeing = [...session.given.keys()].map((id) => session.agrees(game, id)).filter((one) => one !== null);
        return { game, agrees: agreeing.filter(Boolean).length, of: agreeing.length };
      });

  /** Returns the verdict on the answers of a session so far. */
  return async (session) => {
    const { games, share } = session.standing()[0];
    const first = damspecSession.called(games);
    let game = first;
    for (let number = 0; number < CHANGES; number++) {
      const other = await better(session, game, game.whole ? 1 : LEAST_GAIN);
      if (!other) break;
      game = other;
    }
    const alike = game === first ? games.filter((one) => one !== first && !one.changed) : [];
    const wrong = against(session, game);
    const unsaid = { only: only(session, game), unasked: await unasked(session, game) };
    return { game, share, alike, ...unsaid, against: wrong, clashes: clashes(session, wrong), known: known(session) };
  };
})();
