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
  /** The id of the statement that is everything together, and what the ids of statements begin with that are put again. */
  const RECAP = "recap", AGAIN = "again-";
  const ID = /^(?:again-)*(.+?)-(all-as|rest-as|as|is|has|begins|ends)-(.+)$/;
  const OF_TOPIC = ["all-as", "rest-as"], OF_GAME = [...OF_TOPIC, "as"];
  const OF_LIST = ["has", "begins", "ends"], OF_VALUE = ["is", ...OF_LIST];
  const isAgain = (id) => id.startsWith(AGAIN);
  const once = (id) => id.replace(/^(again-)+/, "");
  /** The statement to be put once more. */
  const again = (statement) => ({ ...statement, id: AGAIN + statement.id });
  /** How often a statement was put before. */
  const times = ({ id }) => (id.length - once(id).length) / AGAIN.length;
  /** The values of a unit as a part of an id. */
  const wholeToken = (rules, values) => rules.flatMap((rule) => tokens(values[rule])).join("-");
  /** The likeliest of what a unit can be. */
  const likeliest = ({ changes, shares }) => changes[shares.indexOf(Math.max(...shares))];

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
      this.unitOf = Object.fromEntries(this.units.flatMap((unit) => unit.map((rule) => [rule, unit])));
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
      const rules = head === topic ? this.topics[topic].flat() : this.unitOf[head];
      if (OF_VALUE.includes(kind)) return { id: `${slug(head)}-${kind}-${last}`, kind, topic, rules: kind === "is" ? rules : [head], last };
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
      if (id === RECAP) return { id, kind: "recap", topic: "", rules: [], last: "" };
      const [, name, kind, last] = ID.exec(id) ?? [];
      const head = this.heads.get(name);
      if (!head || OF_TOPIC.includes(kind) !== head in this.topics) return null;
      if (OF_VALUE.includes(kind)) return { ...this.statement(head, kind, last), id };
      return this.bySlug.has(last) ? { ...this.statement(head, kind, this.bySlug.get(last)), id } : null;
    }

    question(id) {
      return this.places.has(id) ? this.questions[this.places.get(id)] : this.read(id);
    }

    holds({ kind, rules, last }, values, spoken = rules) {
      if (kind === "is") return wholeToken(rules, values) === last;
      if (kind === "has") return tokens(values[rules[0]]).includes(last);
      if (kind === "begins") return tokens(values[rules[0]])[0] === last;
      if (kind === "ends") return tokens(values[rules[0]]).at(-1) === last;
      const game = this.known.get(last).values;
      return (spoken.length ? spoken : rules).every((rule) => key(values[rule]) === key(game[rule]));
    }

    /** Whether the values of a unit have what the token of a statement names. */
    names(statement, told) {
      return statement.kind === "is" ? this.holds(statement, told) : tokens(told[statement.rules[0]]).includes(statement.last);
    }

    /** What the rules of a statement about one sentence can be where they are not as it says. */
    alternatives({ rules, last }) {
      const { ruleset, values } = this.known.get(last);
      const own = this.known.get(ruleset).values;
      const found = this.changes[ruleset].filter(([rule]) => rules.includes(rule)).map(([, each]) => each);
      const games = this.rulesets.map((game) => told(game.values, rules));
      const made = new Map();
      for (const each of [...found, told(own, rules), ...games]) {
        const mine = told({ ...own, ...each }, rules);
        const weight = 1 + games.filter((game) => key(game) === key(mine)).length;
        if (!made.has(key(mine))) made.set(key(mine), { values: each, told: mine, weight });
      }
      made.delete(key(told(values, rules)));
      return [...made.values()];
    }
  }

  /** What the answers to statements come to (facts.py). */
  class Facts {
    constructor(asked, given) {
      this.asked = asked;
      this.values = {};
      this.following = new Set();
      this.doubted = [];
      this.spoken = {};
      this.open = new Map();
      this.parts = {};
      this.about = new Map();
      for (const [id, said] of given) {
        const statement = asked.places.has(id) ? null : asked.read(id);
        if (statement) this.heed(statement, said);
      }
    }

    /** The rules that a statement speaks of: one about a topic, of those not known or in doubt. */
    rules(statement) {
      const { id, kind, rules, last } = statement;
      if (id in this.spoken) return this.spoken[id];
      if (kind === "recap") return Object.keys(this.values);
      if (!OF_TOPIC.includes(kind)) return rules;
      const { dependent } = this;
      const free = rules.filter((rule) => !dependent.has(rule) && !this.doubtedUnit(this.asked.unitOf[rule]));
      const before = this.spoken[once(id)];
      if (!before) return free.filter((rule) => !(rule in this.values));
      const mine = this.asked.known.get(last).values;
      return free.filter((rule) => before.includes(rule) && (!(rule in this.values) || key(this.values[rule]) === key(mine[rule])));
    }

    /** The rules that may follow from a unit that is in doubt. */
    get dependent() {
      const unsettled = this.doubted.filter((each) => !this.isSettled(each));
      return new Set(unsettled.flatMap(({ changes }) => changes.flatMap(({ values }) => Object.keys(values))));
    }

    doubtedUnit(unit) {
      return this.doubted.find((each) => each.unit === unit);
    }

    /** Whether it is certain what a doubted unit is. */
    isSettled({ shares }) {
      return Math.max(...shares) >= this.asked.belief.certain;
    }

    /** Whether a statement is so by some rule values, of all that it speaks of. */
    holds(statement, values) {
      if (statement.kind === "recap") return Object.entries(this.part(statement)).every(([rule, value]) => key(values[rule]) === key(value));
      return this.asked.holds(statement, values, this.rules(statement));
    }

    /**
     * What a statement about a value names: that part of a rule's value, null for no such rule. For all of a unit, or of the
     * game, it is the value of each rule.
     */
    part(statement) {
      const { id, kind, rules: [rule] } = statement;
      if (id in this.parts) return this.parts[id];
      if (kind === "recap") return this.values;
      const all = (this.doubtedUnit(this.asked.unitOf[rule])?.changes ?? []).map((each) => each.told);
      const one = all.find((each) => this.asked.names(statement, each));
      return one ? (kind === "is" ? one : partOf(one[rule], statement.last)) : null;
    }

    heed(statement, said) {
      const { id, kind, topic } = statement;
      const rules = this.rules(statement);
      this.spoken[id] = rules;
      if (OF_VALUE.includes(kind) || kind === "recap") this.parts[id] = kind === "recap" ? { ...this.values } : this.part(statement);
      if (said === "unknown" || kind === "recap") return;
      const open = this.open.get(topic) ?? [];
      if (!OF_TOPIC.includes(kind)) this.weigh(statement, said === "yes");
      else if (said === "yes") {
        Object.assign(this.values, told(this.asked.known.get(statement.last).values, rules));
        this.open.delete(topic);
      } else {
        if (isAgain(id) && !open.some((each) => each.id === once(id))) for (const rule of rules) delete this.values[rule];
        this.open.set(topic, [...open, statement]);
      }
      for (const [name, denied] of [...this.open]) {
        const left = denied.filter((each) => !this.explains(each));
        if (left.length) this.open.set(name, left);
        else this.open.delete(name);
      }
    }

    /** Whether a rule that is known is otherwise than a statement about a topic says. */
    explains({ id, last }) {
      const { values } = this.asked.known.get(last);
      return this.spoken[id].some((rule) => rule in this.values && key(this.values[rule]) !== key(values[rule]));
    }

    /** Heeds an answer about a unit, and notes its values if they are certain. */
    weigh(statement, isSo) {
      const { asked } = this;
      const unit = asked.unitOf[statement.rules[0]];
      const about = [...(this.about.get(unit) ?? []), [statement, isSo]];
      this.about.set(unit, about);
      const denied = about.filter(([each, so]) => each.kind === "as" && !so).map(([each]) => each);
      if (!denied.length) {
        if (statement.kind === "as") Object.assign(this.values, told(asked.known.get(statement.last).values, unit));
        return;
      }
      const before = this.doubtedUnit(unit);
      for (const rule of [...unit, ...(before ? Object.keys(likeliest(before).values) : [])]) {
        delete this.values[rule];
        this.following.delete(rule);
      }
      const same = told(asked.known.get(denied[0].last).values, unit);
      const made = [...denied].reverse().flatMap((each) => asked.alternatives(each));
      const others = [...new Map(made.map((each) => [key(each.told), each])).values()].filter((each) => key(each.told) !== key(same));
      const sum = others.reduce((all, { weight }) => all + weight, 0) || 1;
      const changes = [{ values: same, told: same, weight: asked.belief.same * sum }, ...others];
      const { wrong } = asked.belief;
      const weights = changes.map((change) =>
        about.reduce((all, [each, so]) => all * (asked.holds(each, change.told) === so ? 1 - wrong : wrong), change.weight),
      );
      const total = weights.reduce((all, weight) => all + weight, 0);
      const doubted = { unit, changes, shares: weights.map((weight) => weight / total) };
      if (before) Object.assign(before, doubted);
      else this.doubted.push(doubted);
      if (!this.isSettled(doubted)) return;
      const found = likeliest(doubted).values;
      Object.assign(this.values, found);
      for (const rule of Object.keys(found).filter((each) => !unit.includes(each))) {
        this.following.add(rule);
        this.doubted = this.doubted.filter((each) => each.unit !== asked.unitOf[rule]);
      }
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
        if (!statement || !OF_GAME.includes(statement.kind)) continue;
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
      const isTold = (rule) => rule in facts.values && !facts.following.has(rule);
      const units = asked.units.filter((unit) => unit.some(isTold));
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
      const { facts, given } = this;
      if (given.size >= belief.most) return null;
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
      if (open) return due.get(open);
      const against = this.sentencesAgainst(facts, game).find((each) => !given.has(each.id));
      if (against) return against;
      if (given.size + due.size < belief.plain - belief.spare) {
        const { question, worth } = this.best(facts, standing);
        if (worth >= belief.doubt) return question;
      }
      if (due.size) return due.values().next().value;
      // A known game is found in fifteen questions, of which the last may be that all of it is so.
      const isDue = given.size !== belief.plain || !this.fits(game, facts);
      const isAnswered = (given.get(RECAP) ?? "no") !== "no"; // a no does not say what is otherwise
      return Object.keys(facts.values).length && isDue && !isAnswered ? this.asked.read(RECAP) : null;
    }

    /** Whether a known game has all that is known, and what was answered about positions. */
    fits(game, facts) {
      if (Object.entries(facts.values).some(([rule, value]) => key(game.values[rule]) !== key(value))) return false;
      return ![...this.given.keys()].some((id) => this.asked.places.has(id) && this.agrees(game, id) === false);
    }

    /**
     * A statement for each sentence of one about a topic, or about all that is known, by topics: each can be marked as not so.
     * There are none when a topic is first asked about, and is otherwise in games that it may be too.
     */
    sentences(statement, facts) {
      const { asked } = this;
      const isTopic = OF_TOPIC.includes(statement.kind);
      if (!isTopic && statement.kind !== "recap") return [];
      if (isTopic && !isAgain(statement.id)) {
        const agreeing = this.standing(facts).filter(({ game }) => facts.holds(statement, game.values));
        if (agreeing.reduce((sum, { share }) => sum + share, 0) < asked.belief.common) return [];
      }
      const values = isTopic ? asked.known.get(statement.last).values : facts.values;
      const spoken = facts.rules(statement).filter((rule) => !facts.following.has(rule));
      const units = asked.units.filter((unit) => unit.every((rule) => spoken.includes(rule)));
      return units.map((unit) => this.ungiven(this.wholeUnit(unit, values)));
    }

    /** Promises to record which sentences of a statement are not so; of one about a topic all others are. */
    async mark(statement, marked) {
      const { asked, given } = this;
      for (const { id } of marked) given.set(id, "no");
      if (!marked.length) given.set(statement.id, "yes");
      else if (OF_TOPIC.includes(statement.kind)) {
        await this.load();
        const rest = this.ungiven(asked.statement(statement.topic, "rest-as", statement.last));
        if (this.facts.rules(rest).length) given.set(rest.id, "yes");
      }
    }

    /** A statement, to be put once more as often as it was put already. */
    ungiven(statement) {
      return this.given.has(statement.id) ? this.ungiven(again(statement)) : statement;
    }

    best(facts, standing) {
      const { questions, places } = this.asked;
      const likely = standing.filter(({ share }) => share >= this.asked.belief.slight);
      const ease = {};
      for (const [id, said] of this.given) {
        if (said !== "unknown" || !places.has(id)) continue;
        const about = subject(this.asked.question(id));
        ease[about] = (ease[about] ?? 1) * this.asked.belief.unknown;
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
      return (yes + no) ** this.asked.belief.applies * (entropy(heard) - (yes + no) * entropy(wrong) - none);
    }

    valueStatement(facts) {
      const { wrong } = this.asked.belief;
      for (const doubted of facts.doubted) {
        if (facts.isSettled(doubted)) continue;
        let [best, most] = [null, 0];
        for (const statement of this.aboutUnit(doubted)) {
          const holds = doubted.changes.reduce(
            (all, change, place) => (this.asked.holds(statement, change.told) ? all + doubted.shares[place] : all), 0,
          );
          const worth = rounded(entropy(holds * (1 - wrong) + (1 - holds) * wrong) - entropy(wrong));
          if (worth > most) [best, most] = [statement, worth];
        }
        if (best) return best;
      }
      return null;
    }

    /** Statements that tell what a unit is: known games that have it so, parts of values; those made once again at the end. */
    aboutUnit({ unit, changes }) {
      const isPart = (rule) => unit.length > 1 || changes.some((each) => each.told[rule] && typeof each.told[rule] === "object");
      const parts = unit.filter(isPart).flatMap((rule) =>
        [...new Set(changes.flatMap((each) => tokens(each.told[rule])))].flatMap((token) =>
          (this.asked.ranked.includes(rule) ? OF_LIST : OF_LIST.slice(0, 1)).map((kind) => this.asked.statement(rule, kind, token)),
        ),
      );
      const all = [...changes.map((each) => this.wholeUnit(unit, each.told)), ...parts];
      const made = all.filter(({ id }) => this.given.has(id)).map((each) => this.ungiven(each));
      return [...all.filter(({ id }) => !this.given.has(id)), ...made.filter((each) => times(each) <= this.asked.belief.twice)];
    }

    /** A statement about all rules of a unit, as a known game has them, if one has. */
    wholeUnit(unit, values) {
      const same = key(told(values, unit));
      const game = [...this.asked.known.values()].find((each) => key(told(each.values, unit)) === same);
      return game ? this.asked.statement(unit[0], "as", game.id) : this.asked.statement(unit[0], "is", wholeToken(unit, values));
    }

    /** Statements about rules on which a board was answered otherwise than the game has it, and words have not yet been. */
    sentencesAgainst(facts, game) {
      const found = [];
      for (const id of this.given.keys()) {
        if (!this.asked.places.has(id)) continue;
        const { rule } = this.asked.question(id);
        if (!(rule in this.asked.topicOf)) continue;
        const isSame = !(rule in facts.values) || key(facts.values[rule]) === key(game.values[rule]);
        if (!isSame || this.agrees(game, id) !== false || facts.doubtedUnit(this.asked.unitOf[rule])) continue;
        found.push(this.asked.statement(rule, "as", game.id));
      }
      return found;
    }

    topicStatement(facts, topic, standing) {
      const { asked, given } = this;
      const { always, likely, twice, others } = asked.belief;
      const [{ game, share }] = standing;
      const units = asked.topics[topic];
      const left = units.filter((unit) => !facts.doubtedUnit(unit) && unit.some((rule) => !(rule in facts.values)));
      const kind = left.length === units.length ? "all-as" : "rest-as";
      const whole = asked.statement(topic, kind, game.id);
      const [denied, ...more] = facts.open.get(topic) ?? (left.length && given.get(whole.id) === "no" ? [whole] : []);
      const isThere = topic === always || units.flat().some((rule) => rule in game.values);
      if (!isThere || !(left.length || denied)) return null;
      const times = [...given.keys()].filter((id) => id.startsWith(`${topic}-all-as-`)).length;
      if (left.length && !given.has(whole.id) && (!denied || (share >= likely && times < twice))) return whole;
      if (!denied) return null;
      const repeated = again(more.at(-1) ?? denied);
      if (facts.rules(repeated).length && ![...given.keys()].some((id) => id.startsWith(`${AGAIN}${topic}-`))) return repeated;
      const { values } = asked.known.get(denied.last);
      const isAbsent = (unit) => !unit.some((rule) => rule in values);
      const found = [...left.filter((unit) => !isAbsent(unit)), ...left.filter(isAbsent), ...(left.length ? [] : units)]
        .map((unit) => asked.statement(unit[0], "as", denied.last))
        .map((each) => (given.has(each.id) ? again(each) : each))
        .find((each) => !given.has(each.id) && asked.alternatives(each).length);
      if (found || !left.length || times > twice) return found ?? null;
      const tried = standing.slice(0, others).map((each) => asked.statement(topic, kind, each.game.id));
      return tried.find((each) => !given.has(each.id)) ?? null;
    }

    /** Whether a known game agrees with the answer to a question of the file; null if either has none. */
    agrees(game, id) {
      const [said, letter] = [this.given.get(id), game.answers[this.asked.places.get(id)]];
      return !(said in LETTER) || letter === "-" ? null : letter === LETTER[said];
    }
  }

  return { Questionnaire, Session, OF_TOPIC, OF_LIST, RECAP, AGAIN, isAgain, changed, key, subject };
})();
