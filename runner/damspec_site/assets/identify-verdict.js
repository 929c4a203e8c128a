// The verdict on somebody's answers (runner/damspec_runner/identify/verdict.py): the game, or the nearest one with its
// house rules, and the answers that do not go together.
"use strict";

const damspecVerdict = (() => {
  const { changed, key, AGAIN, RECAP } = damspecSession;
  const LETTER = { yes: "y", no: "n" };

  /** The answer of rule values to a question about a value. */
  const ofValue = (question, values) => {
    let value = values[question.rule];
    if (question.key && value !== undefined) {
      value = Object.entries(value).find(([name]) => name.split(" ").includes(question.key))?.[1];
    }
    if (value === undefined && !question.values?.includes(null)) return question.absent;
    const among = (wanted, one) => wanted.some((each) => key(each) === key(one));
    const also = Object.entries(question.also ?? {}).every(([rule, wanted]) => among(wanted, values[rule]));
    return also && (!question.values || among(question.values, value)) ? "y" : "n";
  };

  /** Rule values with what is known, but for one sentence if it contradicts others. `fits` says whether they make a game. */
  const withFacts = (asked, values, facts, fits) => {
    for (const leftOut of [[], ...asked.units]) {
      const known = Object.fromEntries(Object.entries(facts.values).filter(([rule]) => !leftOut.includes(rule)));
      if (Object.entries(known).every(([rule, value]) => key(values[rule]) === key(value))) return values;
      const found = changed(values, known);
      if (fits(found)) return found;
    }
    return values;
  };

  /** In how many sentences a game differs from rule values. */
  const distance = (asked, game, values) =>
    asked.units.filter((unit) => unit.some((rule) => key(game.values[rule]) !== key(values[rule]))).length;

  /** The verdict on the answers of a session so far; `fits` says whether rule values make a game. */
  return (session, fits) => {
    const { asked, facts, given } = session;
    const standing = session.standing(facts);
    const values = withFacts(asked, standing[0].game.values, facts, fits);
    const near = standing
      .map(({ game, share }) => ({ game, share, far: distance(asked, game, values) }))
      .filter(({ game, far }) => game.id === game.ruleset || !far)
      .reduce((one, other) => (other.far < one.far ? other : one));
    const found = withFacts(asked, near.game.values, facts, fits);
    const isChanged = distance(asked, near.game, found) > 0;
    const unclear = facts.doubted.filter((each) => !facts.isSettled(each)).map(({ unit }) => unit);

    const says = (id) => given.has(id) && given.get(id) !== "unknown";
    // Of a statement answered twice, the second.
    const answered = [...given.keys()].filter((id) => says(id) && !says(AGAIN + id) && asked.question(id));
    const question = (id) => asked.question(id);
    const spoken = (id) => (asked.places.has(id) ? [asked.question(id).rule] : question(id).kind === "recap" ? [] : facts.spoken[id]);
    const answer = (id) => {
      if (!asked.places.has(id)) {
        if (unclear.flat().some((rule) => spoken(id).includes(rule))) return "-";
        return facts.holds(question(id), found) ? "y" : "n";
      }
      if (question(id).kind === "value" && !question(id).setting) return ofValue(question(id), found);
      return isChanged ? "-" : near.game.answers[asked.places.get(id)];
    };
    // Answers that a later one takes back: that a sentence is not so, or that all rules together are.
    const told = Object.keys(facts.spoken);
    const isWithdrawn = (id) => told.includes(id) && told.slice(told.indexOf(id) + 1).some((each) => {
      if (each === RECAP) return given.get(RECAP) === "yes";
      const [few, many] = [facts.spoken[each], facts.spoken[id]];
      const isPart = few.length < many.length && few.every((rule) => many.includes(rule));
      return given.get(id) === "yes" && given.get(each) === "no" && isPart;
    });
    const against = answered.filter((id) => !["-", LETTER[given.get(id)]].includes(answer(id)) && !isWithdrawn(id));
    const clashes = against
      .map((id) => [
        id,
        ...answered.filter((each) => !against.includes(each) && spoken(each).some((rule) => spoken(id).includes(rule))),
      ])
      .filter(({ length }) => length > 1);

    const known = asked.rulesets.map((game) => {
      const agreeing = answered
        .map((id) => {
          if (asked.places.has(id)) return session.agrees(game, id);
          return facts.holds(question(id), game.values) === (given.get(id) === "yes");
        })
        .filter((one) => one !== null);
      return { game, agrees: agreeing.filter(Boolean).length, of: agreeing.length };
    });

    // The rules that follow from others need not be told: those that only changed with one that was asked about, or that the
    // game cannot have any more, or cannot be without.
    const base = asked.known.get(near.game.ruleset).values;
    const differing = Object.keys(asked.topicOf).filter((rule) => key(base[rule]) !== key(found[rule]));
    const asking = new Set(answered.flatMap(spoken));
    const isDue = (rule) => rule in base === rule in found || fits(changed(found, { [rule]: base[rule] ?? null }));
    const own = differing.filter((rule) => asking.has(rule) && isDue(rule));
    return {
      ruleset: near.game.ruleset,
      id: near.game.id,
      share: near.share,
      values: found,
      changes: Object.fromEntries((own.length ? own : differing).map((rule) => [rule, found[rule] ?? null])),
      alike: isChanged ? [] : near.game.alike,
      unclear: unclear.flat(),
      unasked: Object.keys(asked.topicOf).filter((rule) => rule in found && !asking.has(rule)),
      answer,
      against,
      clashes,
      known,
    };
  };
})();
