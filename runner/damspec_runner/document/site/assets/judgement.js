// What answers come to: the game, or the nearest with what differs, and the answers that do not fit together.
"use strict";

const damspecJudgement = (() => {
  /**
   * How many rules are changed, one after another, where one does not explain the answers; how many answers that do not
   * fit together are shown at most.
   */
  const CHANGES = 3, TOGETHER = 4;

  const against = (inquiry, game) => [...inquiry.given.keys()].filter((id) => inquiry.agrees(game, id) === false);

  const agreeing = (inquiry, game) => [...inquiry.given.keys()].filter((id) => inquiry.agrees(game, id)).length;

  /** The game with one rule changed that gives the most answers more; null if none does. */
  const better = async (inquiry, game) => {
    const wrong = against(inquiry, game);
    if (!wrong.length) return null;
    const about = new Set(wrong.map((id) => inquiry.questions[inquiry.places.get(id)].rule));
    const { values, changes } = await inquiry.changesOf(game);
    const concerned = ([change]) => Object.keys(change).some((rule) => about.has(rule));
    let [best, most] = [null, agreeing(inquiry, game)];
    for (const change of [...changes.filter(concerned), ...changes.filter((one) => !concerned(one))]) {
      const tried = inquiry.otherGame(game, values, change);
      const number = tried ? agreeing(inquiry, tried) : 0;
      if (number > most) [best, most] = [tried, number];
    }
    return best;
  };

  /** So many of a list, in every way. */
  function* some(list, number) {
    if (!number) yield [];
    else
      for (const [place, one] of list.entries())
        for (const others of some(list.slice(place + 1), number - 1)) yield [one, ...others];
  }

  /** The fewest answers that no game gives together with one, those about the same rule first; null if too many. */
  const clash = (inquiry, id) => {
    const rule = (each) => inquiry.questions[inquiry.places.get(each)].rule;
    const others = [...inquiry.given].filter(([, said]) => said !== "unknown").map(([each]) => each);
    others.splice(others.indexOf(id), 1);
    others.sort((one, other) => (rule(one) !== rule(id)) - (rule(other) !== rule(id)));
    const giving = inquiry.games.filter((game) => inquiry.agrees(game, id));
    for (let number = 1; number < TOGETHER; number++)
      for (const chosen of some(others, number))
        if (!giving.some((game) => chosen.every((each) => inquiry.agrees(game, each)))) return [id, ...chosen];
    return null;
  };

  const clashes = (inquiry, wrong) => {
    const found = new Map();
    for (const id of wrong) {
      const one = clash(inquiry, id);
      if (one) found.set([...one].sort().join(" "), one);
    }
    return [...found.values()];
  };

  /** The known games, but not those under other readings, with how many answers they agree to, and of how many. */
  const known = (inquiry) =>
    inquiry.games
      .filter((game) => !game.changed && game.id === game.ruleset)
      .map((game) => {
        const agreeing = [...inquiry.given.keys()].map((id) => inquiry.agrees(game, id)).filter((one) => one !== null);
        return { game, agrees: agreeing.filter(Boolean).length, of: agreeing.length };
      });

  /** What the answers of an inquiry come to now. */
  return async (inquiry) => {
    const { games, share } = inquiry.standing()[0];
    const first = damspecInquiry.called(games);
    let game = first;
    for (let number = 0; number < CHANGES; number++) {
      const other = await better(inquiry, game);
      if (!other) break;
      game = other;
    }
    const alike = game === first ? games.filter((one) => one !== first && !one.changed) : [];
    const wrong = against(inquiry, game);
    return { game, share, alike, against: wrong, clashes: clashes(inquiry, wrong), known: known(inquiry) };
  };
})();
