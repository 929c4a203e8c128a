// One person's answers to the questionnaire: the known games by probability, the rules that are known, and the next
// question, as in `damspec identify` (runner/damspec_runner/identify/), with which tests/javascript compares it.
"use strict";

const damspecSession = (() => {
  /** A value as text; the order of a mapping's entries says nothing. */
  const key = (value) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : JSON.stringify(value ?? null);
  /** A text as a part of an id. */
  const slug = (text) => String(text).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  /** The parts of a rule's value as parts of ids. */
  const tokens = (value) => {
    if (value === null || value === undefined) return ["none"];
    if (Array.isArray(value)) return value.length ? value.map(slug) : ["nothing"];
    if (typeof value === "object") return Object.entries(value).map(([name, part]) => slug(`${name}-${part}`));
    return [slug(value)];
  };
  /** As much of a rule's value as a token names. */
  const partOf = (value, token) => {
    if (Array.isArray(value)) return value.filter((each) => slug(each) === token);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).filter(([name, part]) => tokens({ [name]: part })[0] === token));
  };
  /** Rule values with some changed: null takes a rule away. */
  const changed = (values, changes) => {
    const found = { ...values, ...changes };
    for (const [rule, value] of Object.entries(changes)) if (value === null) delete found[rule];
    return found;
  };
  const told = (values, rules) => Object.fromEntries(rules.map((rule) => [rule, values[rule] ?? null]));
  const entropy = (part) =>
    part <= 0 || part >= 1 ? 0 : -part * Math.log2(part) - (1 - part) * Math.log2(1 - part);
  /** Rounds so that ties are recognised; the first of several wins. */
  const rounded = (number) => Math.round(number * 1e9) / 1e9;
  const subject = ({ rule }) => rule.split(".")[0];

  const LETTER = { yes: "y", no: "n" };
  const ID = /^(.+?)-(all-as|rest-as|as|has|begins|ends)-(.+)$/;
  const OF_TOPIC = ["all-as", "rest-as"], OF_VALUE = ["has"], OF_LIST = ["has", "begins", "ends"];
  // The constants of session.py.
  const APPLICABILITY = 4, LEAST_WEIGHT = 1e-5, UNKNOWN = 0.1, DRAWS = "draws", TWICE = 2, LIKELY = 0.3, OTHERS = 5, SPARE = 1;

  /**
   * What is known without any answer. `data` is `identify/questions.js`, `rulesets` the values of each ruleset; `changes`
   * gets the single changes of rulesets as they are loaded (`identify/changes/…`).
   */
  class Questionnaire {
    constructor(data, rulesets) {
      Object.assign(this, data);
      this.changes = {};
      this.first = new Map();
      this.places = new Map(data.questions.map(({ id }, place) => [id, place]));
      this.topics = Object.fromEntries(
        Object.entries(data.topics).map(([topic, units]) => [topic, units.map((unit) => unit.split(" "))]),
      );
      this.units = Object.values(this.topics).flat();
      this.topicOf = {};
      for (const [topic, units] of Object.entries(this.topics)) for (const rule of units.flat()) this.topicOf[rule] = topic;
      this.heads = new Map([...Object.keys(this.topics), ...Object.keys(this.topicOf)].map((name) => [slug(name), name]));
      this.known = new Map();
      for (const [id, [answers, changes = {}]] of Object.entries(data.games)) {
        const ruleset = id.split("?")[0];
        const own = data.games[ruleset][0];
        const all = id === ruleset ? own : data.questions.map((one, place) => answers[one.id] ?? own[place]).join("");
        this.known.set(id, { id, ruleset, answers: all, values: changed(rulesets[ruleset].values, changes) });
      }
      this.bySlug = new Map([...this.known.keys()].map((id) => [slug(id), id]));
      this.rulesets = [...this.known.values()].filter(({ id, ruleset }) => id === ruleset);
      const classes = new Map();
      for (const game of this.known.values()) {
        const same = key(Object.keys(this.topicOf).map((rule) => key(game.values[rule]))) + game.answers;
        const prior = data.belief[game.id === game.ruleset ? "ruleset" : "reading"];
        if (classes.has(same)) {
          classes.get(same).prior += prior;
          classes.get(same).alike.push(game.id);
        } else classes.set(same, { ...game, prior, alike: [] });
      }
      this.candidates = [...classes.values()];
    }

    /** The statement about a topic or a rule; `last` is the id of a game, or a token. */
    statement(head, kind, last) {
      const topic = head in this.topics ? head : this.topicOf[head];
      const units = this.topics[topic];
      if (OF_LIST.includes(kind)) return { id: `${slug(head)}-${kind}-${last}`, kind, topic, rules: [head], last };
      const rules = head === topic ? units.flat() : units.find((unit) => unit.includes(head));
      const game = this.firstLike(rules, last);
      return { id: `${slug(head === topic ? head : rules[0])}-${kind}-${slug(game)}`, kind, topic, rules, last: game };
    }

    /** The first known game with the same values of some rules. */
    firstLike(rules, last) {
      const asked = `${rules} ${last}`;
      if (!this.first.has(asked)) {
        const same = key(told(this.known.get(last).values, rules));
        this.first.set(asked, [...this.known.values()].find(({ values }) => key(told(values, rules)) === same).id);
      }
      return this.first.get(asked);
    }

    /** The statement with an id; null if there is none. */
    read(id) {
      const [, name, kind, last] = ID.exec(id) ?? [];
      const head = this.heads.get(name);
      if (!head || OF_TOPIC.includes(kind) !== head in this.topics) return null;
      if (OF_LIST.includes(kind)) return this.statement(head, kind, last);
      return this.bySlug.has(last) ? { ...this.statement(head, kind, this.bySlug.get(last)), id } : null;
    }

    question(id) {
      return this.places.has(id) ? this.questions[this.places.get(id)] : this.read(id);
    }

    holds({ kind, rules, last }, values, spoken = rules) {
      if (kind === "has") return tokens(values[rules[0]]).includes(last);
      if (kind === "begins") return tokens(values[rules[0]])[0] === last;
      if (kind === "ends") return tokens(values[rules[0]]).at(-1) === last;
      const game = this.known.get(last).values;
      return spoken.every((rule) => key(values[rule]) === key(game[rule]));
    }

    /** What the rules of a statement about one sentence can be where they are not as it says. */
    alternatives({ rules, last }) {
      const { ruleset, values } = this.known.get(last);
      const own = this.known.get(ruleset).values;
      const found = this.changes[ruleset].filter(([rule]) => rules.includes(rule)).map(([, each]) => each);
      const games = this.rulesets.map((game) => key(told(game.values, rules)));
      return [...found, told(own, rules)]
        .map((each) => ({ values: each, told: told({ ...own, ...each }, rules) }))
        .filter((each) => key(each.told) !== key(told(values, rules)))
        .map((each) => ({ ...each, weight: 1 + games.filter((game) => game === key(each.told)).length }));
    }
  }

  /** What the answers to statements come to (class Facts of session.py). */
  class Facts {
    constructor(asked, given) {
      this.asked = asked;
      this.values = {};
      this.denied = [];
      this.spoken = {};
      this.open = new Map();
      this.parts = {};
      this.aboutValues = [];
      for (const [id, said] of given) {
        const statement = asked.places.has(id) ? null : asked.read(id);
        if (statement) this.heed(statement, said);
      }
    }

    heed(statement, said) {
      const { id, kind, topic } = statement;
      const whole = OF_TOPIC.includes(kind);
      const rules = whole ? statement.rules.filter((rule) => !(rule in this.values)) : statement.rules;
      this.spoken[id] = rules;
      if (said === "unknown") return;
      if (OF_LIST.includes(kind)) {
        this.parts[id] = this.part(statement);
        this.aboutValues.push([statement, said === "yes"]);
        this.narrow(statement, said === "yes");
      } else if (said === "yes") {
        const before = this.denied.find(({ unit }) => key(unit) === key(rules));
        const same = before?.left.find((each) => this.asked.holds(statement, each.told));
        Object.assign(this.values, same?.values, told(this.asked.known.get(statement.last).values, rules));
        this.denied = this.denied.filter(({ unit }) => key(unit) !== key(rules));
        if (whole) this.open.delete(topic);
      } else if (whole) this.open.set(topic, [...(this.open.get(topic) ?? []), statement]);
      else {
        for (const rule of rules) delete this.values[rule];
        this.open.delete(topic);
        const before = this.denied.find(({ unit }) => key(unit) === key(rules));
        const left = (before?.left ?? []).filter((each) => !this.asked.holds(statement, each.told));
        this.settle(rules, left.length ? left : this.asked.alternatives(statement));
        for (const [each, isSo] of left.length ? [] : this.aboutValues) if (rules.includes(each.rules[0])) this.narrow(each, isSo);
      }
    }

    narrow(statement, isSo) {
      for (const { unit, left } of [...this.denied])
        if (unit.includes(statement.rules[0]))
          this.settle(unit, left.filter((each) => this.asked.holds(statement, each.told) === isSo));
    }

    /** The value of a rule that has only the part that a statement names; null for no such rule. */
    part({ id, rules: [rule], last }) {
      if (id in this.parts) return this.parts[id];
      const values = this.denied.flatMap(({ unit, left }) => (unit.includes(rule) ? left.map((each) => each.told[rule]) : []));
      const value = values.find((each) => tokens(each).includes(last));
      return value === undefined ? null : partOf(value, last);
    }

    /** Whether the values of a unit of one rule need no more questions: one was said, or none excluded. */
    isCertain(unit) {
      const about = this.aboutValues.filter(([{ rules }]) => unit.includes(rules[0])).map(([, isSo]) => isSo);
      return unit.length === 1 && (!about.length || about.includes(true));
    }

    settle(unit, left) {
      const before = this.denied.find((each) => key(each.unit) === key(unit));
      if (before) before.left = left;
      else this.denied.push({ unit, left });
      if (left.length === 1) Object.assign(this.values, left[0].values);
    }
  }

  /** One person's answers. `changesOf` promises the single changes of a ruleset. */
  class Session {
    constructor(asked, changesOf) {
      this.asked = asked;
      this.changesOf = changesOf;
      /** The answers by question, in the order given: yes, no or unknown. */
      this.given = new Map();
    }

    /** Loads the changes of the rulesets that statements were denied of. */
    async load() {
      for (const id of this.given.keys()) {
        const statement = this.asked.places.has(id) ? null : this.asked.read(id);
        if (!statement || OF_LIST.includes(statement.kind)) continue;
        const { ruleset } = this.asked.known.get(statement.last);
        this.asked.changes[ruleset] ??= await this.changesOf(ruleset);
        for (const rule of OF_TOPIC.includes(statement.kind) ? statement.rules : []) {
          // The sentences of the topic may be asked as another game that has the same.
          const same = this.asked.known.get(this.asked.statement(rule, "as", statement.last).last).ruleset;
          this.asked.changes[same] ??= await this.changesOf(same);
        }
      }
    }

    get facts() {
      return new Facts(this.asked, this.given);
    }

    /** The known games with their share of the probability, the likeliest first. */
    standing(facts = this.facts) {
      const weights = this.weights(facts);
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      return this.asked.candidates
        .map((game, place) => ({ game, share: weights[place] / total }))
        .sort((one, other) => rounded(other.share) - rounded(one.share));
    }

    slip(question) {
      return this.asked.belief[question.sure ? "sure" : "wrong"];
    }

    weights(facts) {
      const { asked } = this;
      const units = asked.units.filter((unit) => unit.some((rule) => rule in facts.values));
      const said = [...this.given]
        .filter(([id, word]) => word !== "unknown" && asked.places.has(id))
        .map(([id, word]) => [asked.places.get(id), LETTER[word], asked.question(id)]);
      return asked.candidates.map((game) => {
        const wrong = new Set(Object.keys(facts.values).filter((rule) => key(game.values[rule]) !== key(facts.values[rule])));
        let weight = game.prior * asked.belief.wrong ** units.filter((unit) => unit.some((rule) => wrong.has(rule))).length;
        for (const [place, letter, question] of said) {
          const mine = game.answers[place];
          if (mine === "-") weight *= 0.5;
          else if (mine === letter) weight *= 1 - this.slip(question);
          else if (!wrong.has(question.rule)) weight *= this.slip(question);
        }
        for (const statement of [...facts.open.values()].flat())
          if (asked.holds(statement, game.values, facts.spoken[statement.id])) weight *= asked.belief.wrong;
        return weight;
      });
    }

    /** Promises the next question; null if all is known, or enough were asked. Calls are worked off in order. */
    next() {
      this.pending = (this.pending ?? Promise.resolve()).catch(() => {}).then(() => this.load()).then(() => this.choose());
      return this.pending;
    }

    choose() {
      const { belief, topics } = this.asked;
      const { facts } = this;
      if (this.given.size >= belief.most) return null;
      const value = this.valueStatement(facts);
      if (value) return value;
      const standing = this.standing(facts);
      const [{ game }] = standing;
      const due = new Map();
      for (const topic of Object.keys(topics)) {
        const statement = this.topicStatement(facts, topic, standing);
        if (statement) due.set(topic, statement);
      }
      const open = [...facts.open.keys()].find((topic) => due.has(topic));
      const first = open ? due.get(open) : this.doubted(facts, game);
      if (first) return first;
      if (this.given.size + due.size < (facts.denied.length ? belief.most : belief.plain - SPARE)) {
        const { question, worth } = this.best(facts, standing);
        if (worth >= belief.doubt) return question;
      }
      return due.values().next().value ?? null;
    }

    best(facts, standing) {
      const { questions, places } = this.asked;
      const likely = standing.filter(({ share }) => share >= LEAST_WEIGHT);
      const ease = {};
      for (const [id, said] of this.given) {
        if (said !== "unknown" || !places.has(id)) continue;
        const about = subject(this.asked.question(id));
        ease[about] = (ease[about] ?? 1) * UNKNOWN;
      }
      let best = { question: null, worth: 0 };
      for (const [place, question] of questions.entries()) {
        if (this.given.has(question.id) || question.inWords || question.rule in facts.values) continue;
        const sums = { y: 0, n: 0, "-": 0 };
        for (const { game, share } of likely) sums[game.answers[place]] += share;
        const bits = this.worth(this.slip(question), sums.y, sums.n);
        const worth = rounded(question.ease * (ease[subject(question)] ?? 1) * bits);
        if (worth > best.worth) best = { question, worth };
      }
      return best;
    }

    worth(wrong, yes, no) {
      const none = 1 - yes - no;
      const heard = yes * (1 - wrong) + no * wrong + none / 2;
      return (yes + no) ** APPLICABILITY * (entropy(heard) - (yes + no) * entropy(wrong) - none);
    }

    valueStatement(facts) {
      for (const { unit, left } of facts.denied) {
        const total = left.reduce((sum, { weight }) => sum + weight, 0);
        let [best, most] = [null, 0];
        for (const statement of this.aboutUnit(unit, left)) {
          const having = left.filter((each) => this.asked.holds(statement, each.told));
          const worth = rounded(entropy(having.reduce((sum, { weight }) => sum + weight, 0) / total));
          if (worth > most && !this.given.has(statement.id)) [best, most] = [statement, worth];
        }
        if (!best && left.length === 1 && !facts.isCertain(unit)) best = this.wholeUnit(unit, left[0]);
        if (best) return best;
      }
      return null;
    }

    /** Statements that tell changes of a unit apart: known games that have it so, and parts of values. */
    aboutUnit(unit, left) {
      const parts = unit.flatMap((rule) =>
        [...new Set(left.flatMap((each) => tokens(each.told[rule])))].flatMap((token) =>
          (this.asked.ranked.includes(rule) ? OF_LIST : OF_VALUE).map((kind) => this.asked.statement(rule, kind, token)),
        ),
      );
      return [...left.map((each) => this.wholeUnit(unit, each)).filter(Boolean), ...parts];
    }

    /** A statement about all rules of a unit, if a known game has them so; null if it was made. */
    wholeUnit(unit, change) {
      const game = [...this.asked.known.values()].find(({ values }) => key(told(values, unit)) === key(change.told));
      const statement = game && this.asked.statement(unit[0], "as", game.id);
      return statement && !this.given.has(statement.id) ? statement : null;
    }

    doubted(facts, game) {
      for (const id of this.given.keys()) {
        if (!this.asked.places.has(id)) continue;
        const { rule } = this.asked.question(id);
        if (!(rule in this.asked.topicOf)) continue;
        const isSame = !(rule in facts.values) || key(facts.values[rule]) === key(game.values[rule]);
        if (!isSame || this.agrees(game, id) !== false) continue;
        const statement = this.asked.statement(rule, "as", game.id);
        const isDenied = facts.denied.some(({ unit }) => key(unit) === key(statement.rules));
        if (!isDenied && !this.given.has(statement.id)) return statement;
      }
      return null;
    }

    topicStatement(facts, topic, standing) {
      const { asked, given } = this;
      const [{ game, share }] = standing;
      const units = asked.topics[topic];
      const isDenied = (unit) => facts.denied.some((each) => key(each.unit) === key(unit));
      const left = units.filter((unit) => !isDenied(unit) && unit.some((rule) => !(rule in facts.values)));
      if (!left.length || (topic !== DRAWS && !units.flat().some((rule) => rule in game.values))) return null;
      const kind = left.length === units.length ? "all-as" : "rest-as";
      const whole = asked.statement(topic, kind, game.id);
      const times = [...given.keys()].filter((id) => id.startsWith(`${topic}-all-as-`)).length;
      const [denied] = facts.open.get(topic) ?? (given.get(whole.id) === "no" ? [whole] : []);
      if (!given.has(whole.id) && (!denied || (share >= LIKELY && times < TWICE))) return whole;
      if (!denied) return null;
      const { values } = asked.known.get(denied.last);
      const isAbsent = (unit) => !unit.some((rule) => rule in values);
      const statements = [...left.filter((unit) => !isAbsent(unit)), ...left.filter(isAbsent)].map((unit) =>
        asked.statement(unit[0], "as", denied.last),
      );
      const found = statements.find((each) => !given.has(each.id) && asked.alternatives(each).length);
      if (found || !facts.open.has(topic) || times > TWICE) return found ?? null;
      const others = standing.slice(0, OTHERS).map((each) => asked.statement(topic, kind, each.game.id));
      return others.find((each) => !given.has(each.id)) ?? null;
    }

    /** Whether a known game agrees with the answer to a question of the file; null if either has none. */
    agrees(game, id) {
      const [said, letter] = [this.given.get(id), game.answers[this.asked.places.get(id)]];
      return !(said in LETTER) || letter === "-" ? null : letter === LETTER[said];
    }
  }

  return { Questionnaire, Session, OF_TOPIC, OF_LIST, changed, key, subject };
})();
