// Which game somebody plays, by what they answer: how much is believed of each known game, which question tells most, and
// which answers no game gives together. What a changed game would answer the interpreter says.
"use strict";

const damspecInquiry = (() => {
  const key = JSON.stringify;
  const LETTER = { yes: "y", no: "n" };

  /** A game with some rules changed: null takes a rule away. */
  const changed = (values, changes) => {
    const found = { ...values, ...changes };
    for (const [rule, value] of Object.entries(changes)) if (value === null) delete found[rule];
    return found;
  };

  /** What sets of rules answer, each put on the board of a question; the interpreter has to be there. */
  class Respondent {
    constructor(settings, values) {
      this.values = values;
      this.settings = settings;
      this.games = {};
    }

    answer(question) {
      if (question.kind === "value") return ofValue(question, this.values);
      const game = (this.games[question.setting] ??= this.placed(this.settings[question.setting]) ?? "none");
      if (game === "none") return "-";
      try {
        const position = game.read(question.position);
        return question.kind === "outcome"
          ? game.outcome(position).result === question.result ? "y" : "n"
          : ofMove(question, game, position);
      } catch (error) {
        if (error instanceof damspec.PositionError) return "-";
        throw error;
      }
    }

    /** The game on the board of some questions; null for one that they are not asked of, or that cannot be so. */
    placed({ where, set, without }) {
      for (const [rule, wanted] of Object.entries(where)) {
        if (!(rule in this.values)) return null;
        if (wanted.length && !wanted.some((value) => key(value) === key(this.values[rule]))) return null;
      }
      const kept = Object.entries(this.values).filter(
        ([rule]) => !without.includes(rule) && !without.includes(rule.split(".")[0]),
      );
      try {
        return damspec.rules({ ...Object.fromEntries(kept), ...set });
      } catch (error) {
        if (error instanceof damspec.RulesError) return null;
        throw error;
      }
    }
  }

  const ofValue = (question, values) => {
    let value = values[question.rule];
    if (question.key && value !== undefined) {
      value = Object.entries(value).find(([name]) => name.split(" ").includes(question.key))?.[1];
    }
    if (value === undefined) return question.absent;
    return !question.values || question.values.some((one) => key(one) === key(value)) ? "y" : "n";
  };

  const ofMove = (question, game, position) => {
    const actions = game.legal(position).moves;
    if (!/^\d/.test(question.move)) return actions.some(({ text }) => text === question.move) ? "y" : "n";
    const path = question.move.split(/[-x]/).map(Number);
    const made = actions.find((action) =>
      action.paths.some((way) => key(way.path) === key(path) && way.captured.length > 0 === question.move.includes("x")),
    );
    if (question.kind === "legal") return made ? "y" : "n";
    if (!made) return "-";
    return (question.kind === "crowned" ? made.crowned : made.falls.length) ? "y" : "n";
  };

  /** How uncertain a yes is of this probability, in bits. */
  const entropy = (p) => (p <= 0 || p >= 1 ? 0 : -p * Math.log2(p) - (1 - p) * Math.log2(1 - p));

  /** The games that are thought of, the answers that were given, and what these say. */
  class Inquiry {
    constructor(data) {
      this.belief = data.belief;
      this.questions = data.questions;
      this.places = new Map(data.questions.map(({ id }, place) => [id, place]));
      /** By question, in the order in which they were given: yes, no or unknown. */
      this.given = new Map();
      this.known = Object.entries(data.games).map(([id, [answers, changes = {}]]) => ({
        id,
        ruleset: id.split("?")[0],
        changes,
        weight: id.includes("?") ? this.belief.reading : this.belief.ruleset,
        answers: typeof answers === "string" ? answers : this.read(data.games[id.split("?")[0]][0], answers),
      }));
      this.games = this.known;
    }

    /** The answers of a game under another reading: those of the ruleset but for some. */
    read(own, others) {
      return [...own].map((letter, place) => others[this.questions[place].id] ?? letter).join("");
    }

    /** How probable an answer is from somebody who plays a game. */
    likely(letter, said) {
      if (letter === "-") return 0.5;
      return letter === said ? 1 - this.belief.wrong : this.belief.wrong;
    }

    /** The answers that say yes or no, by the places of their questions. */
    get said() {
      return [...this.given]
        .filter(([id, said]) => said !== "unknown" && this.places.has(id))
        .map(([id, said]) => [this.places.get(id), LETTER[said]]);
    }

    /** The games by how much each is believed, the most first; the shares make one. */
    ranked() {
      const said = this.said;
      const weighed = this.games.map((game) => ({
        game,
        share: said.reduce((share, [place, letter]) => share * this.likely(game.answers[place], letter), game.weight),
      }));
      const whole = weighed.reduce((sum, { share }) => sum + share, 0);
      for (const one of weighed) one.share /= whole;
      return weighed.sort((one, other) => other.share - one.share);
    }

    /** The question whose answer tells most; null if none tells enough. */
    next() {
      const ranked = this.ranked();
      let [best, most] = [null, this.belief.enough];
      for (const [place, question] of this.questions.entries()) {
        if (this.given.has(question.id)) continue;
        let [yes, left] = [0, 0];
        for (const { game, share } of ranked) {
          const likely = this.likely(game.answers[place], "y");
          yes += share * likely;
          left += share * entropy(likely);
        }
        const tells = entropy(yes) - left;
        if (tells > most) [best, most] = [question, tells];
      }
      return best;
    }

    /** Pairs of answers that no game gives together. */
    clashes() {
      const said = this.said;
      const agrees = (game, [place, letter]) => game.answers[place] === letter || game.answers[place] === "-";
      return said.flatMap((one, number) =>
        said
          .slice(number + 1)
          .filter((other) => !this.games.some((game) => agrees(game, one) && agrees(game, other)))
          .map((other) => [one, other].map(([place]) => this.questions[place])),
      );
    }
  }

  return { Inquiry, Respondent, changed, key };
})();
