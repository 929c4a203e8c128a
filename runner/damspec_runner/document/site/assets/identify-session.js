// One person's answers to the questionnaire: how likely each known game is, and which question is worth most, as in
// `damspec identify`. The interpreter works out what a changed game would answer.
"use strict";

const damspecSession = (() => {
  const key = JSON.stringify;
  const LETTER = { yes: "y", no: "n" };

  /** A game with some rules changed: null takes a rule away. */
  const changed = (values, changes) => {
    const found = { ...values, ...changes };
    for (const [rule, value] of Object.entries(changes)) if (value === null) delete found[rule];
    return found;
  };

  /** The changes without those that change nothing. */
  const without = (changes, values) =>
    Object.fromEntries(Object.entries(changes).filter(([rule, value]) => key(value) !== key(values[rule] ?? null)));

  /** The game with some rule values; null if they contradict each other. */
  const played = (values) => {
    try {
      return damspec.rules(values);
    } catch (error) {
      if (error instanceof damspec.RulesError) return null;
      throw error;
    }
  };

  /** Answers questions by a set of rules, on the board of each question. Needs the interpreter. */
  class Respondent {
    constructor(settings, values) {
      this.values = values;
      this.settings = settings;
      this.games = {};
    }

    answer(question) {
      if (question.setting && !this.suits(this.settings[question.setting])) return "-";
      if (question.kind === "value") return ofValue(question, this.values);
      if (!(question.setting in this.games)) {
        this.games[question.setting] = this.placed(this.settings[question.setting]);
      }
      const game = this.games[question.setting];
      if (!game) return "-";
      try {
        const position = game.read(question.position);
        if (question.kind !== "outcome") return ofMove(question, game, position);
        return game.outcome(position).result === question.result ? "y" : "n";
      } catch (error) {
        if (error instanceof damspec.PositionError) return "-";
        throw error;
      }
    }

    /** Whether the questions of a setting apply to these rules. */
    suits({ where }) {
      return Object.entries(where).every(
        ([rule, wanted]) =>
          rule in this.values && (!wanted.length || wanted.some((value) => key(value) === key(this.values[rule]))),
      );
    }

    /** The game in a setting; null if it contradicts itself there. */
    placed({ set, without }) {
      const kept = Object.entries(this.values).filter(
        ([rule]) => !without.includes(rule) && !without.includes(rule.split(".")[0]),
      );
      return played({ ...Object.fromEntries(kept), ...set });
    }
  }

  const ofValue = (question, values) => {
    let value = values[question.rule];
    if (question.key && value !== undefined) {
      value = Object.entries(value).find(([name]) => name.split(" ").includes(question.key))?.[1];
    }
    if (value === undefined && !question.values?.includes(null)) return question.absent;
    const among = (wanted, one) => wanted.some((each) => key(each) === key(one ?? null));
    const also = Object.entries(question.also ?? {}).every(([rule, wanted]) => among(wanted, values[rule]));
    return also && (!question.values || among(question.values, value)) ? "y" : "n";
  };

  const ofMove = (question, game, position) => {
    const path = key(question.move.split(/[-x]/).map(Number));
    const takes = question.move.includes("x");
    const made = game
      .moves(position)
      .find(({ captured, paths }) => captured.length > 0 === takes && paths.some((way) => key(way.path) === path));
    if (question.kind === "legal") return made ? "y" : "n";
    return made ? (made.crowned ? "y" : "n") : "-";
  };

  /** The entropy of a yes of this probability, in bits. */
  const entropy = (part) =>
    part <= 0 || part >= 1 ? 0 : -part * Math.log2(part) - (1 - part) * Math.log2(1 - part);
  /** Rounds so that ties are recognised; the first of several wins. */
  const rounded = (number) => Math.round(number * 1e9) / 1e9;
  /** The representative of games with equal answers: the one with the greatest prior. */
  const called = (games) => games.reduce((one, other) => (other.prior > one.prior ? other : one));
  /** The number of likely games whose single changes are considered, and their least share relative to the first. */
  const NEAREST = 3, NEAR = 0.1;
  /** The exponent that penalises a question to which some games have no answer. */
  const ANSWERED = 4;
  /** The least weight of a class of games that the choice of questions heeds, relative to all. */
  const LEAST_WEIGHT = 1e-5;
  /** What the questions about a subject are worth after each "don't know" about it, and the subject that comes last. */
  const UNKNOWN = 0.1, DRAWS = "draws";
  const subject = ({ rule }) => rule.split(".")[0];
  /** The longest computation without a pause for the page, in milliseconds. */
  const SLICE = 30;

  /**
   * One person's answers and the candidates. `data` is `identify/questions.js`; `changesOf` promises the rule values of a
   * game's ruleset and a list of changes: each has the changed values, null for a removed rule, and the `essential` rules
   * if the others follow from them.
   */
  class Session {
    constructor(data, changesOf) {
      this.belief = data.belief;
      this.settings = data.settings;
      this.questions = data.questions;
      this.changesOf = changesOf;
      this.places = new Map(data.questions.map(({ id }, place) => [id, place]));
      /** The answers by question, in the order given: yes, no or unknown. */
      this.given = new Map();
      this.looked = new Set();
      this.games = Object.entries(data.games).map(([id, [answers, changes = {}, said]]) => {
        const ruleset = id.split("?")[0];
        const prior = this.belief[id === ruleset ? "ruleset" : "reading"];
        const all = id === ruleset ? answers : this.otherwise(data.games[ruleset][0], answers);
        const essential = said ?? Object.keys(changes);
        return { id, ruleset, changes, essential, answers: all, prior, whole: true, changed: false };
      });
      this.add(this.games.filter(({ id, ruleset }) => id === ruleset).flatMap((game) => this.elsewhere(game, data)));
    }

    /** The answers of a game under another reading: those of its ruleset with some replaced. */
    otherwise(own, others) {
      return this.questions.map(({ id }, place) => others[id] ?? own[place]).join("");
    }

    /** A ruleset on other boards: only questions about the board itself have other answers. */
    elsewhere(game, data) {
      const own = damspecRulesets[game.id].values;
      return data.elsewhere[game.id].map((each) => {
        const [all, said] = typeof each === "number" ? [data.boards[each]] : each;
        const changes = without(all, own);
        const letters = this.questions.map((question, place) => {
          const letter = game.answers[place];
          return letter !== "-" && question.rule in data.boards[0] ? ofValue(question, changed(own, changes)) : letter;
        });
        const essential = said ?? Object.keys(changes);
        return { ...game, changes, essential, answers: letters.join(""), prior: this.belief.change, changed: true };
      });
    }

    /** Adds changed games, except those that answer like a known one. */
    add(games) {
      const there = new Set(this.games.filter((game) => !game.changed).map(({ answers }) => answers));
      this.games = [...this.games, ...games.filter(({ answers }) => !there.has(answers))];
    }

    /** The answers yes and no, as letters by the places of their questions. */
    get said() {
      return [...this.given]
        .filter(([id, said]) => said !== "unknown" && this.places.has(id))
        .map(([id, said]) => [this.places.get(id), LETTER[said]]);
    }

    /** How often an answer to a question is thought to be wrong. */
    slip(question) {
      return this.belief[question.sure ? "sure" : "wrong"];
    }

    /** The games in classes of equal answers, each with its weight. */
    classes() {
      const said = this.said.map(([place, letter]) => [place, letter, this.slip(this.questions[place])]);
      const found = new Map();
      for (const game of this.games) {
        if (!found.has(game.answers)) found.set(game.answers, []);
        found.get(game.answers).push(game);
      }
      return [...found].map(([answers, games]) => {
        let weight = 1;
        for (const [place, letter, wrong] of said) {
          const mine = answers[place];
          weight *= mine === "-" ? 0.5 : mine === letter ? 1 - wrong : wrong;
        }
        return { answers, games, weight: weight * games.reduce((sum, { prior }) => sum + prior, 0) };
      });
    }

    /** The classes of games with equal answers and their share of the probability, the likeliest first. */
    standing() {
      const classes = this.classes();
      const total = classes.reduce((sum, { weight }) => sum + weight, 0);
      return classes
        .map(({ games, weight }) => ({ games, share: weight / total }))
        .sort((one, other) => rounded(other.share) - rounded(one.share));
    }

    /**
     * Promises the next question; null if none is informative enough, or the most questions were asked. Calls are worked
   * off in order.
   */
    next() {
      this.pending = (this.pending ?? Promise.resolve()).catch(() => {}).then(() => this.look());
      return this.pending;
    }

    async look() {
      const { plain, most, doubt, enough } = this.belief;
      if (this.given.size >= (this.isPlain() ? plain : most)) return null;
      let { question, worth } = this.best();
      if (worth < doubt && (await this.lookAtChanges(this.near()))) ({ question, worth } = this.best());
      if (worth < enough && !this.isPlain() && (await this.lookAtChanges(this.nearRulesets()))) {
        ({ question, worth } = this.best());
      }
      return worth >= enough ? question : null;
    }

    /** Whether the likeliest game is a ruleset as it stands, which gives all of the answers. */
    isPlain() {
      const game = called(this.standing()[0].games);
      return game.id === game.ruleset && !game.changed && ![...this.given.keys()].some((id) => this.agrees(game, id) === false);
    }

    /**
     * The most informative question not yet asked, and its information in bits; one about draws only if no other promises
     * as much as `belief.draws`.
     */
    best() {
      const all = this.classes();
      const total = all.reduce((sum, { weight }) => sum + weight, 0);
      const classes = all.filter(({ weight }) => weight >= LEAST_WEIGHT * total);
      const ease = {};
      for (const [id, said] of this.given) {
        if (said !== "unknown" || !this.places.has(id)) continue;
        const about = subject(this.questions[this.places.get(id)]);
        ease[about] = (ease[about] ?? 1) * UNKNOWN;
      }
      let [plain, draws] = [{ question: null, worth: 0 }, { question: null, worth: 0 }];
      for (const [place, question] of this.questions.entries()) {
        if (this.given.has(question.id)) continue;
        const sums = { y: 0, n: 0, "-": 0 };
        for (const { answers, weight } of classes) sums[answers[place]] += weight;
        const about = subject(question);
        const bits = this.worth(this.slip(question), sums.y / total, sums.n / total);
        const worth = rounded(question.ease * (ease[about] ?? 1) * bits);
        if (about === DRAWS) {
          if (worth > draws.worth) draws = { question, worth };
        } else if (worth > plain.worth) plain = { question, worth };
      }
      return draws.worth > plain.worth && plain.worth < this.belief.draws ? draws : plain;
    }

    /** The information of an answer, given how often it is wrong and the weights of yes and no; less where games have none. */
    worth(wrong, yes, no) {
      const none = 1 - yes - no;
      const heard = yes * (1 - wrong) + no * wrong + none / 2;
      return (yes + no) ** ANSWERED * (entropy(heard) - (yes + no) * entropy(wrong) - none);
    }

    /** The few likeliest games, if none of their rules is changed. */
    near() {
      const standing = this.standing();
      const least = standing[0].share * NEAR;
      return standing
        .slice(0, NEAREST)
        .filter(({ share }) => share >= least)
        .map(({ games }) => called(games))
        .filter((game) => game.whole);
    }

    /** The few likeliest rulesets as they stand, of which one with a rule changed may be likelier. */
    nearRulesets() {
      const all = this.standing().flatMap(({ games }) => games);
      return all.filter((game) => game.id === game.ruleset && !game.changed).slice(0, NEAREST);
    }

    /** Adds the single changes of games, once for each; returns whether there were any to add. */
    async lookAtChanges(games) {
      const near = games.filter((game) => !this.looked.has(game));
      let begun = performance.now();
      for (const game of near) {
        const { values, changes } = await this.changesOf(game);
        this.looked.add(game);
        const found = [];
        for (const each of changes) {
          found.push(this.otherGame(game, values, each));
          if (performance.now() - begun < SLICE) continue;
          await new Promise((rested) => setTimeout(rested));
          begun = performance.now();
        }
        this.add(found.filter(Boolean));
      }
      return near.length > 0;
    }

    /** A game with further rules changed, and its answers; null if the changes contradict each other. */
    otherGame(game, values, [changes, said = Object.keys(changes)]) {
      const own = without({ ...game.changes, ...changes }, values);
      if (Object.keys(game.changes).length && !played(changed(values, own))) return null;
      const respondent = new Respondent(this.settings, changed(values, own));
      const answers = this.questions.map((question) => respondent.answer(question)).join("");
      const essential = [...new Set([...game.essential, ...said])].filter((rule) => rule in own);
      return { ...game, changes: own, essential, answers, prior: game.prior * this.belief.change, whole: false, changed: true };
    }

    /** Whether a game agrees with the answer to a question; null if either has none. */
    agrees(game, id) {
      const [said, letter] = [this.given.get(id), game.answers[this.places.get(id)]];
      return !(said in LETTER) || letter === "-" ? null : letter === LETTER[said];
    }
  }

  return { Session, Respondent, called, changed, key };
})();
