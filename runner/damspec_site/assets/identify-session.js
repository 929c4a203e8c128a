// Finds out which game somebody plays: what is asked next, and what the answers come to. It draws nothing, so that the
// benchmark runs it too.
//
// First it asks for the board (`boards`), then about single rules, most of them with a picture (`picture`). At last it reads
// out the rules of the likeliest game, some at a time (`check`), and of one that is otherwise it asks how it is (`how`).
"use strict";

const damspecIdentify = (() => {
  /** How often an answer is a slip, and how often one about the trapdoors of a board. */
  const SLIP = 0.04, SURE = 0.01;
  /** The least information in bits for which a picture is worth asking, and the most pictures. */
  const DOUBT = 0.3, PICTURES = 8;
  /** The most rules that are read out at a time, and the most choices. */
  const READ = 6, CHOICES = 6;
  /** The most questions, and how well a game is known that few play. */
  const MOST = 40, USUAL = 2;
  /** How much less a question without a position tells those who read it. */
  const IN_WORDS = 0.6;
  /** The unit that stands for the rules which the game has not. */
  const MORE = "more";
  /** A rule that the picture of a board shows, and the one that says whether it has trapdoors. */
  const BOARD = "board.size", DOORS = "trapdoors.layout";
  /** How likely it is that a game is not known that is asked about, and that it is not as it makes no sense there. */
  const UNKNOWN = 0.15, MOOT = 0.9;
  /** The rules about draws, which people leave out together. */
  const DRAWS = /^draws\./;

  const key = (value) => JSON.stringify(value ?? null);
  const entropy = (x) => (x <= 0 || x >= 1 ? 0 : -x * Math.log2(x) - (1 - x) * Math.log2(1 - x));
  const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);
  const letterOf = { yes: "y", no: "n" };

  /** Some of many options, and whether there are more. */
  const choice = (all, from) => ({ options: all.slice(from, from + CHOICES), more: all.length > from + CHOICES });

  /** Rule values with some changed; null takes a rule away. */
  const changed = (values, changes) => {
    const all = Object.entries({ ...values, ...changes });
    return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
  };

  /** The questions with what is known of the games: `{units, questions, games, familiar, house}`, and each game's rules. */
  class Questionnaire {
    constructor({ units, questions, games, familiar, house }, rulesets) {
      this.questions = questions;
      this.places = new Map(questions.map(({ id }, place) => [id, place]));
      this.units = units.map((unit) => unit.split(" "));
      this.unitOf = Object.fromEntries(this.units.flatMap((unit) => unit.map((rule) => [rule, unit])));
      this.house = house;
      this.games = Object.entries(games).map(([id, [letters]]) => ({
        id, letters, prior: familiar[id] ?? USUAL, values: rulesets[id].values,
      }));
    }

    /** The house rule that changes a rule: several rules can change by one, such as kings that fly. */
    houseOf(rule) {
      return this.house.find(({ rules }) => rules.includes(rule)) ?? { rules: [rule], weight: 0.01 };
    }

    /** Whether two sets of rule values are the same in a unit. */
    same(unit, one, other) {
      return unit.every((rule) => key(one[rule]) === key(other[rule]));
    }

    /** The units of which rule values have nothing. */
    absent(values) {
      return this.units.filter((unit) => !unit.some((rule) => rule in values));
    }

    /** How likely it is that somebody who learned a game has other rules in these units. */
    houses(units) {
      const found = new Map(units.map((unit) => this.houseOf(unit[0])).map((house) => [house.rules[0], house.weight]));
      return [...found.values()].reduce((all, weight) => all * weight, 1);
    }
  }

  /**
   * What some answers come to: values that are known in words, by rule; the units of rules that are told, that are read out
   * and agreed to (`firm`), that are left out, and of which it is not clear how they are; what is said of pictures; whether
   * the board has trapdoors; and what has to be asked at once.
   */
  class Facts {
    constructor(asked, given) {
      Object.assign(this, { asked, known: {}, sayings: [], doors: null, pending: null });
      for (const name of ["told", "firm", "left", "unclear"]) this[name] = new Set();
      for (const { question, said } of given) {
        this.pending = null;
        this[question.kind](question, said);
      }
      this.sayings = this.sayings.filter(([{ rule }]) => !this.told.has(asked.unitOf[rule]));
    }

    take(unit, values) {
      for (const rule of unit) this.known[rule] = values[rule] ?? null;
      this.told.add(unit);
      this.unclear.delete(unit);
    }

    boards({ options, more, from }, said) {
      const board = options[Number(said)];
      if (board) {
        this.take(this.asked.unitOf[BOARD], board.values);
        this.doors = DOORS in board.values;
      } else if (said === "none" && more) this.pending = { kind: "boards", from: from + CHOICES };
    }

    picture(question, said) {
      this.sayings.push([question, said]);
    }

    check(check, said) {
      const { units, values } = check;
      const unit = units[Number(said)];
      if (unit) this.pending = { kind: "how", check, unit, from: 0 };
      for (const each of unit ? [] : units) {
        if (said !== "yes") this.left.add(each);
        else {
          this.firm.add(each);
          for (const one of each === MORE ? this.asked.absent(values) : [each]) this.take(one, values);
        }
      }
    }

    how({ unit, check, from, options, more }, said) {
      const option = options[Number(said)];
      if (option) {
        Object.assign(this.known, option.changes);
        this.take(option.unit, option.told);
        for (const rule of Object.keys(option.changes)) this.firm.delete(this.asked.unitOf[rule]);
      } else if (said === "none" && more) this.pending = { kind: "how", check, unit, from: from + CHOICES };
      else {
        this.left.add(unit);
        if (unit !== MORE) this.unclear.add(unit);
      }
    }

    different() {
      this.firm.clear();
      this.left.clear();
    }
  }

  class Session {
    /** `load` promises the ways in which the rules of a game can be changed: `[rule, {rule: value}]`. */
    constructor(asked, load) {
      Object.assign(this, { asked, load, given: [] });
    }

    get facts() {
      return new Facts(this.asked, this.given);
    }

    /** The games with their shares, the likeliest first. */
    standing(facts = this.facts) {
      const { asked } = this;
      const weights = asked.games.map((game) => {
        const isOther = facts.doors !== null && facts.doors !== DOORS in game.values;
        const otherwise = [...facts.told].filter((unit) => !asked.same(unit, game.values, facts.known));
        let weight = (isOther ? SURE : 1) * game.prior * asked.houses(otherwise);
        for (const [{ id, rule }, said] of facts.sayings) {
          const letter = game.letters[asked.places.get(id)];
          const wrong = Math.max(SLIP, asked.houseOf(rule).weight);
          if (!(said in letterOf)) weight *= letter === "-" ? MOOT : UNKNOWN;
          else weight *= letter === "-" ? 0.5 : letter === letterOf[said] ? 1 - wrong : wrong;
        }
        return weight;
      });
      const total = sum(weights);
      return asked.games
        .map((game, place) => ({ game, share: weights[place] / total }))
        .sort((one, other) => other.share - one.share);
    }

    /** The games that no answer speaks against. */
    fitting(facts = this.facts) {
      const { asked } = this;
      const agrees = (game) => ([{ id }, said]) =>
        !(said in letterOf) || ["-", letterOf[said]].includes(game.letters[asked.places.get(id)]);
      return asked.games.filter(
        (game) =>
          (facts.doors ?? DOORS in game.values) === DOORS in game.values &&
          facts.sayings.every(agrees(game)) && [...facts.told].every((unit) => asked.same(unit, game.values, facts.known)),
      );
    }

    /** The question to ask now; null if all is known. */
    async next() {
      const { asked } = this;
      const facts = this.facts;
      const standing = this.standing(facts);
      const [{ game }] = standing;
      if (!this.given.length) return this.boards(0);
      if (facts.pending?.kind === "boards") return this.boards(facts.pending.from);
      if (facts.pending) return this.how(standing, facts.pending);
      if (this.given.length >= MOST) return null;
      const picture = this.picture(standing);
      if (picture) return picture;
      const values = await this.values(facts, standing);
      return this.check(facts, values);
    }

    /** The rules as far as they are known: those of the likeliest game, but what was told, or a picture says otherwise. */
    async values(facts, standing) {
      const { asked } = this;
      const [{ game }] = standing;
      const changes = await this.load(game.id);
      const assumed = {};
      const assume = (unit, like) => {
        const same = changes.find(([rule, each]) => unit.includes(rule) && asked.same(unit, changed(game.values, each), like));
        Object.assign(assumed, same?.[1] ?? Object.fromEntries(unit.map((rule) => [rule, like[rule] ?? null])));
      };
      for (const [{ id, rule }, said] of facts.sayings) {
        const unit = asked.unitOf[rule];
        const agrees = ({ letters }) => letters[asked.places.get(id)] === letterOf[said];
        if (!unit || !(said in letterOf) || agrees(game) || game.letters[asked.places.get(id)] === "-") continue;
        const other = standing.find((each) => agrees(each.game) && !asked.same(unit, each.game.values, game.values));
        if (other) assume(unit, other.game.values);
      }
      for (const unit of facts.told) {
        if (asked.same(unit, game.values, facts.known)) continue;
        assume(unit, facts.known);
        const other = standing.find((each) => asked.same(unit, each.game.values, facts.known));
        for (const rule of other ? asked.houseOf(unit[0]).rules : []) assumed[rule] ??= other.game.values[rule] ?? null;
      }
      return changed(game.values, { ...assumed, ...facts.known });
    }

    /** The boards of the known games, each with one that begins so, the commonest first. */
    boards(from) {
      const { asked } = this;
      const found = new Map();
      for (const game of [...asked.games].sort((one, other) => other.prior - one.prior)) {
        const id = key([...asked.unitOf[BOARD].map((rule) => game.values[rule]), DOORS in game.values]);
        if (!found.has(id)) found.set(id, { game: game.id, values: game.values, weight: 0 });
        found.get(id).weight += game.prior;
      }
      const all = [...found.values()].sort((one, other) => other.weight - one.weight);
      return { id: "boards", kind: "boards", from, ...choice(all, from) };
    }

    /** The picture that tells most of which game it is. */
    picture(standing) {
      const { asked, given } = this;
      const pictures = given.filter(({ question }) => question.kind === "picture");
      if (pictures.length >= PICTURES || given.some(({ question }) => question.kind === "check")) return null;
      const isAsked = new Set(pictures.map(({ question }) => question.id));
      const unknown = new Set(pictures.filter(({ said }) => said === "unknown").map(({ question }) => question.rule));
      let best = null, most = DOUBT;
      for (const [place, question] of asked.questions.entries()) {
        if (isAsked.has(question.id) || unknown.has(question.rule)) continue;
        const share = { y: 0, n: 0, "-": 0 };
        for (const { game, share: part } of standing) share[game.letters[place]] += part;
        const there = share.y + share.n;
        const yes = share.y * (1 - SLIP) + share.n * SLIP + share["-"] / 2;
        const worth = there ** 4 * (entropy(yes) - there * entropy(SLIP) - share["-"]) * (question.move ? 1 : IN_WORDS);
        if (worth > most) [best, most] = [question, worth];
      }
      return best && { kind: "picture", ...best };
    }

    /** The rules that are read out next. */
    check(facts, values) {
      const open = [...this.asked.units, MORE].filter((unit) => !facts.firm.has(unit) && !facts.left.has(unit));
      const units = open.filter((unit) => unit === MORE || unit.some((rule) => rule in values)).slice(0, READ);
      return units.length ? { id: "rules", kind: "check", units, values } : null;
    }

    /** How a unit of rules can be, as far as the changes of a game and other games say, the commonest first. */
    async how(standing, { unit, check, from }) {
      const { asked } = this;
      const { values } = check;
      const [{ game }] = standing;
      const changes = await this.load(game.id);
      const units = unit === MORE ? asked.absent(values) : [unit];
      const part = (of, all) => Object.fromEntries(of.map((rule) => [rule, all[rule] ?? null]));
      const found = new Map();
      const add = (of, told, changes, weight) => {
        const id = key(of.map((rule) => told[rule] ?? null));
        const option = found.get(`${of[0]} ${id}`) ?? { unit: of, told, changes, weight: 0 };
        option.weight += weight;
        found.set(`${of[0]} ${id}`, option);
      };
      const drawn = Object.keys(values).filter((rule) => DRAWS.test(rule));
      const none = Object.fromEntries(drawn.map((rule) => [rule, null]));
      if (DRAWS.test(unit[0]) && drawn.length) add(unit, part(unit, {}), none, 2);
      for (const of of units) {
        if (unit !== MORE) add(of, part(of, values), {}, 1);
        for (const [rule, each] of changes) if (of.includes(rule)) add(of, part(of, { ...game.values, ...each }), each, 0.0001);
        if (unit === MORE && !/^(end|draw)/.test(of[0])) continue;
        for (const { game: other, share } of standing) {
          if (DOORS in other.values === DOORS in values) add(of, part(of, other.values), {}, share + other.prior / 1000);
        }
      }
      const all = [...found.values()].filter(({ unit: of, told }) => unit !== MORE || of.some((rule) => told[rule] !== null));
      all.sort((one, other) => other.weight - one.weight);
      const id = `${unit === MORE ? MORE : unit[0]}-how`;
      return { id, kind: "how", unit, check, from, values, ...choice(all, from) };
    }

    /** The verdict: the game, all rule values, the units that differ from it, and games with just these rules. */
    verdict(fits) {
      const { asked } = this;
      const facts = this.facts;
      const standing = this.standing(facts);
      // What contradicts all else is not clear.
      const without = (out) => Object.fromEntries(Object.entries(facts.known).filter(([rule]) => !out.includes(rule)));
      const some = [[], ...facts.told].map((out) => ({ out, values: changed(standing[0].game.values, without(out)) }));
      const { out, values } = some.find((each) => fits(each.values)) ?? some[0];
      const otherwise = (game) => asked.units.filter((unit) => !asked.same(unit, game.values, values));
      const ranked = asked.games
        .map((game) => ({ game, differs: otherwise(game) }))
        .map((each) => ({ ...each, weight: each.game.prior * asked.houses(each.differs) }))
        .sort((one, other) => other.weight - one.weight);
      const [{ game, differs }] = ranked;
      return {
        game: game.id,
        values,
        differs,
        exactly: ranked.filter((each) => each.game !== game && !each.differs.length).map((each) => each.game.id),
        near: ranked.slice(1).filter((each) => each.differs.length).map((each) => each.game.id),
        unclear: [...facts.unclear, ...(out.length ? [out] : [])],
      };
    }
  }

  return { Questionnaire, Session, MORE, changed, key };
})();
