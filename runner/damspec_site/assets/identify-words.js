// What the page that finds out a game says in one language: questions, statements about rules in the sentences of the
// rulebook, and the verdict's game with its house rules.
"use strict";

const damspecIdentifyWords = (texts, tongue, asked) => {
  const said = tongue.identify;
  const { OF_TOPIC, OF_LIST, isAgain, key } = damspecSession;
  /** The most values named that a rule has not. */
  const OTHERS = 3;
  /** A text of the page, with values filled in. */
  const page = (name, given = {}) => said[name].replace(/\{([a-z]+)\}/g, (whole, each) => given[each] ?? whole);
  const titles = (rules) => rules.map(texts.title).join(", ");
  const unitOf = (rule) => asked.unitOf[rule];
  /** The rule whose sentence tells a rule: its own, or the first of those told together. */
  const teller = (rule) => (rule in tongue.rules ? rule : unitOf(rule)[0]);
  /** The rule that a rule often repeats, so that the sentence for an own value would not do. */
  const REPEATED = { "man.capture.later": "man.capture.first" };

  const isRepeated = (rule, values) => rule in REPEATED && rule in values && key(values[rule]) === key(values[REPEATED[rule]]);

  /** A rule in a sentence by itself. */
  const sentence = (rule, values) => {
    if (isRepeated(rule, values)) return page(`alone-${rule}`, { ways: texts.directions(values[rule]) });
    return texts.sentence(teller(rule), values);
  };
  /** The sentences for some rules that a game has, each once. */
  const sentences = (rules, values) => {
    const inTurn = (rule) => rules.includes(REPEATED[rule]) && isRepeated(rule, values);
    const found = rules.filter((rule) => rule in values);
    return [...new Set(found.map((rule) => (inTurn(rule) ? page(`alike-${rule}`) : sentence(rule, values))))];
  };
  /** A sentence that stands without the others about its subject, after the rule's title. */
  const titled = (rule, text) => `${texts.title(teller(rule))}${page("colon")}${text}`;
  const alone = (rules, values) => [
    ...new Set(rules.filter((rule) => rule in values).map((rule) => titled(rule, sentence(rule, values)))),
  ];

  /** What is asked about a statement, and the sentences that it asks about. */
  const statement = (one, facts) => {
    const { kind, rules, last } = one;
    if (OF_LIST.includes(kind)) {
      const [rule] = rules;
      const part = facts.part(one);
      if (part === null) return { asks: page("none", { titles: titles(rules) }), sentences: [] };
      const { told = {} } = facts.doubtedUnit(unitOf(rule))?.changes[0] ?? {};
      const values = Object.fromEntries(Object.entries({ ...told, [rule]: part }).filter(([, value]) => value !== null));
      return { asks: page(kind), sentences: [titled(rule, texts.sentence(teller(rule), values))] };
    }
    const isTopic = OF_TOPIC.includes(kind);
    const spoken = facts.rules(one);
    if (kind === "is" || kind === "recap") {
      const values = Object.fromEntries(Object.entries(facts.part(one) ?? {}).filter(([, value]) => value !== null));
      const found = kind === "is" ? alone(spoken, values) : sentences(spoken, values);
      if (found.length) return { asks: page(kind === "is" ? "just" : "recap"), sentences: found };
      return { asks: page("none", { titles: titles(spoken) }), sentences: [] };
    }
    const { values } = asked.known.get(last);
    const found = isTopic ? sentences(spoken, values) : alone(spoken, values);
    if (found.length) return { asks: page(isTopic ? "all" : "just"), sentences: found };
    if (isTopic) return { asks: page("none", { titles: titles(spoken) }), sentences: [] };
    const others = new Set(asked.alternatives(one).flatMap((each) => alone(rules, { ...values, ...each.told })));
    if (!others.size || others.size > OTHERS) return { asks: page("none", { titles: titles(rules) }), sentences: [] };
    return { asks: page("not-so"), sentences: [...others] };
  };

  /** Statements that can be marked as not so, by what they are about, each with its text, or the titles of absent rules. */
  const markable = (statements, facts) => {
    const found = new Map();
    for (const { id, kind, topic, rules, last } of statements) {
      const { values } = kind === "is" ? facts : asked.known.get(last);
      const says = sentences(rules, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))).join(" ");
      if (!found.has(topic)) found.set(topic, { groups: new Set(), sentences: [], absent: [] });
      const { groups, sentences: told, absent } = found.get(topic);
      for (const rule of rules) groups.add(tongue.titles[rule.split(".")[0]]);
      if (says) told.push({ id, says });
      else absent.push({ id, says: titles(rules) });
    }
    return [...found.values()].map((each) => ({ ...each, heading: [...each.groups].join(", ") }));
  };

  /** A question, and its sentences if it is about a statement. */
  const question = (one, facts) => {
    if (asked.places.has(one.id)) return { asks: said.asks?.[one.asks] ?? one.asks, sentences: [] };
    const { asks, sentences } = statement(one, facts);
    return { asks: isAgain(one.id) ? page("again", { question: asks }) : asks, sentences };
  };

  /** The rules in which a game differs from its ruleset, each sentence once. */
  const differing = ({ ruleset, changes, values }) => {
    const found = new Map();
    for (const [rule, value] of Object.entries(changes)) {
      const before = asked.known.get(ruleset).values;
      const says = value === null ? page("not", { sentence: sentence(rule, before) }) : sentence(rule, values);
      if (rule !== "board.numbering" && !found.has(says)) found.set(says, rule);
    }
    return [...found].map(([says, rule]) => ({ rule, says }));
  };

  const name = (ruleset) => texts.game(ruleset);
  const heading = (verdict, { length }) =>
    length ? page(length > 1 ? "houses" : "house", { game: name(verdict.ruleset) }) : name(verdict.ruleset);

  return { page, titles, sentence, question, markable, differing, name, heading, title: texts.title };
};
