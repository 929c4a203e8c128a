// What a search finds, and how: a question is taken apart into the games that it names and the words that say what is asked,
// and these are held against the phrases of each entry, in the reader's language first, then in the others, and at last among
// what is for programmers and historians.
"use strict";

/** A word as it is compared: without accents and without its ending in any of the languages. */
damspec.term = (word) => {
  const ENDING = /(?:ing|ent|en|er|es|ed|em|ez|st|e|n|s|t)$/;
  let found = (damspec.stems ??= new Map()).get(word);
  if (found) return found;
  found = damspec.folded(word);
  for (let before = "", least = 3; before !== found && !/\d/.test(found); least = 4) {
    before = found;
    const stem = found.replace(ENDING, "");
    if (stem.length >= least && !/^.{3}i$/.test(stem)) found = stem.replace(/(?<=^..*)(\p{L})\1$/u, "$1");
  }
  damspec.stems.set(word, found);
  return found;
};

/** The words of a text; the size of a board is one. */
damspec.words = (text) =>
  text
    .replace(/(\d+)\s*[x×*]\s*(?=\d)/gi, "$1x")
    .replace(/\bcan['’]t\b/gi, "cannot")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);

damspec.terms = (text) => damspec.words(text).map(damspec.term);

/** Whether two words differ in no more than a number of letters; two that change places are one. */
damspec.isNear = (one, other, most) => {
  if (Math.abs(one.length - other.length) > most || one[0] !== other[0]) return false;
  let [above, before] = [[], [...other, ""].map((_, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let at = 1; at <= other.length; at++) {
      const same = one[row - 1] === other[at - 1];
      now[at] = Math.min(before[at] + 1, now[at - 1] + 1, before[at - 1] + !same);
      if (one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) now[at] = Math.min(now[at], above[at - 2] + 1);
    }
    [above, before] = [before, now];
  }
  return before.at(-1) <= most;
};

/** What players find in one language: `{stop, plain, same, general, first, entries}`, as `search_index.py` writes it. */
damspec.Answers = class {
  /** What a word counts that is said of every game, one that no entry has, and one that stands in the text alone. */
  static PLAIN = 0.3;
  static UNKNOWN = 0.8;
  static SAID = 0.45;
  /** The most other entries that may have a word which names a game. */
  static RARE = 2;
  /** The share of the weight of the best hit that others have to have, and what an answer has to have. */
  static CLOSE = 0.7;
  static ENOUGH = 0.66;
  /** Below what an answer is none: its words stand in texts about something else. */
  static LITTLE = 0.3;
  /** From what an answer has on, a word that is nowhere need not be told. */
  static SURE = 0.75;

  constructor({ stop, plain, same, general, first, entries }) {
    const alike = same.flatMap((words) => damspec.terms(words).map((term, _, [head]) => [term, head]));
    this.same = new Map(alike);
    this.stop = new Set(damspec.terms(stop));
    this.plain = new Set(this.terms(plain));
    this.general = damspec.words(damspec.folded(general));
    this.first = first;
    this.entries = entries;
    this.games = Object.fromEntries(entries.filter(({ kind }) => kind === "game").map((game) => [game.id, game]));
    const telling = (text) => [...new Set(this.terms(text).filter((term) => !this.stop.has(term)))];
    this.found = entries.map(({ title = "", keys = "", names = [], words = [], text = "" }) => {
      const phrases = [title, ...keys.split(","), ...names, ...[words].flat().join(",").split(",")].map(telling);
      return { phrases: phrases.filter(({ length }) => length), about: new Set(phrases.flat()), text: new Set(telling(text)) };
    });
    /** In how many entries a word stands; the words are all that there are. */
    this.number = new Map([...alike.map(([, head]) => head), ...this.plain].map((term) => [term, 0]));
    for (const { about, text } of this.found) for (const term of new Set([...about, ...text])) this.number.set(term, (this.number.get(term) ?? 0) + 1);
    for (const phrase of this.found.flatMap(({ phrases }) => phrases)) phrase.size = phrase.reduce((sum, term) => sum + this.weight(term) ** 2, 0);
    /** In how many entries that are no games a word stands. */
    this.topical = new Map();
    for (const term of this.found.flatMap(({ about }, at) => (entries[at].kind === "game" ? [] : [...about]))) this.topical.set(term, (this.topical.get(term) ?? 0) + 1);
    /** The games by their names, each without what is said of every game, unless what is left may mean something else. */
    this.names = Object.values(this.games).flatMap(({ id, names }) =>
      names.map((name) => {
        const whole = this.terms(name);
        const own = whole.filter((term) => !this.plain.has(term) && !this.stop.has(term));
        const isWhole = !own.length || own.some((term) => this.topical.get(term) > damspec.Answers.RARE);
        return { id, isWhole, terms: isWhole ? whole : own };
      }),
    ).filter(({ terms }) => terms.length && !terms.every((term) => this.plain.has(term)));
  }

  terms(text) {
    return damspec.terms(text).map((term) => this.same.get(term) ?? term);
  }

  weight(term) {
    const number = this.number.get(term);
    const weight = Math.log(1 + this.entries.length / (number || 3)) * (number === undefined ? damspec.Answers.UNKNOWN : 1);
    return this.plain.has(term) ? weight * damspec.Answers.PLAIN : weight;
  }

  /** The word that is meant: itself, one that begins so, or one that is spelled nearly so; none if there is none. */
  meant(word, isLast) {
    const own = damspec.term(word), term = this.same.get(own) ?? own;
    if (this.number.has(term) || this.stop.has(term)) return term;
    const { length } = term;
    const all = [...this.number.keys(), ...this.same.keys(), ...this.stop];
    const sorted = (word) => [...word].sort().join("");
    const isNear = (most) => (each) => word.length > 5 && (length > 4 || sorted(each) === sorted(term)) && damspec.isNear(term, each, most);
    /** A compound is about its first or last part. */
    const isPart = (each) => each.length > 4 && length - each.length > 2 && (term.startsWith(each) || term.endsWith(each)) && !this.plain.has(each) && !this.stop.has(each);
    const found =
      (length > (isLast ? 2 : 4) && all.filter((each) => each.startsWith(term)).sort((one, other) => one.length - other.length)[0]) ||
      (length > 3 && all.find(isNear(1))) ||
      (length > 7 && all.find(isNear(2))) ||
      all.filter(isPart).sort((one, other) => other.length - one.length)[0];
    return found ? (this.same.get(found) ?? found) : null;
  }

  /** The games that a question names, in its order, and the words that are left. */
  naming(terms, words) {
    const named = new Map(), also = [];
    let left = terms;
    const said = ` ${words.join(" ")} `;
    const place = ({ id }) => (this.first.includes(id) ? this.first.indexOf(id) : this.first.length);
    const fits = ({ terms: name, isWhole }) => (isWhole ? said.includes(` ${name.join(" ")} `) : name.every((term) => words.includes(term))) && name.some((term) => left.includes(term));
    for (;;) {
      const [best] = this.names.filter(fits).sort((one, other) => other.terms.length - one.terms.length || place(one) - place(other));
      if (!best) return { named: [...named.keys()].sort((one, other) => named.get(one) - named.get(other)), left: [...left, ...also] };
      if (!named.has(best.id)) named.set(best.id, words.findIndex((term) => best.terms.includes(term) && !this.plain.has(term)));
      left = left.filter((term) => !best.terms.includes(term));
      const says = (phrase) => phrase.length > best.terms.length && best.terms.every((term) => phrase.includes(term)) && phrase.every((term) => words.includes(term));
      if (this.found.some(({ phrases, about }, at) => this.entries[at].kind !== "game" && about.has(best.terms[0]) && phrases.some(says))) also.push(...best.terms);
    }
  }

  /** The hits of a question, the best first, the games that it names, and the words that are nowhere. */
  find(query) {
    const said = damspec.words(query);
    const missing = [];
    const words = said.map((word, at) => {
      const meant = this.meant(word, at === said.length - 1);
      if (!meant && word.length > 2) missing.push(word);
      return meant ?? damspec.term(word);
    });
    const telling = [...new Set(words.filter((term) => !this.stop.has(term)))];
    const { named, left } = this.naming(telling.length ? telling : words, words);
    const asked = left.filter((term) => !this.plain.has(term)).length ? left : named.length ? [] : left;
    const weights = new Map(asked.map((term) => [term, this.weight(term)]));
    const square = (terms) => terms.reduce((sum, term) => sum + (weights.get(term) ?? 0) ** 2, 0);
    const whole = square(asked);
    const hits = this.found.flatMap(({ phrases, about, text }, at) => {
      const both = asked.filter((term) => about.has(term) || text.has(term));
      if (!both.length) return [];
      const alike = phrases.map((phrase) => square(phrase) / Math.sqrt(phrase.size * whole || 1));
      const shared = square(both.filter((term) => about.has(term))) + damspec.Answers.SAID * square(both.filter((term) => !about.has(term)));
      const isSaid = phrases.some((phrase) => phrase.filter((term) => !this.plain.has(term)).length > 1 && phrase.every((term) => weights.has(term)));
      return [{ entry: this.entries[at], isSaid, weight: 0.65 * Math.max(0, ...alike) + (0.35 * shared) / whole + 0.1 * isSaid, terms: new Set(both) }].map((hit) => (hit.entry.kind === "word" ? { ...hit, weight: 0.85 * hit.weight } : hit));
    });
    // A question for nothing but the rules of the game is answered by the reader's own games.
    const isGeneral = !named.length && telling.length > 0 && telling.every((term) => this.plain.has(term));
    const isWhole = isGeneral && said.map(damspec.folded).some((word) => this.general.some((each) => each === word || (word.length > 4 && damspec.isNear(word, each, 1))));
    const game = (isGeneral ? [...new Set(this.first)] : named).map((id) => ({ entry: this.games[id], weight: isWhole ? 0.99 : asked.length ? 0 : 1, terms: new Set() }));
    const top = Math.max(0, ...hits.map(({ weight }) => weight));
    const isAbout = (term) => this.stop.has(term) || this.plain.has(term) || this.found.some(({ about }) => about.has(term));
    if (top < damspec.Answers.LITTLE && asked.length) missing.push(...said.filter((word, at) => word.length > 2 && !missing.includes(word) && !isAbout(words[at])));
    // What is printed is the sheet of the game that is named.
    const [known, sheet] = [this.first[0], named[0]].map((id) => this.games[id]?.at);
    for (const hit of hits) if (sheet && hit.entry.kind === "page" && hit.entry.at === known) hit.entry = { ...hit.entry, at: sheet };
    const close = hits.filter(({ entry, weight, isSaid }) => (isSaid || weight >= damspec.Answers.CLOSE * top) && !game.some((each) => each.entry === entry) && (!isWhole || ["page", "word"].includes(entry.kind)));
    return { hits: [...game, ...close].sort((one, other) => (other.isSaid ?? 0) - (one.isSaid ?? 0) || other.weight - one.weight), named, missing, top: asked.length && !isWhole ? top : 1 };
  }
};

/** The search in the reader's language: `find(query)` promises hits, `all` also those for programmers and historians. */
damspec.finder = () => {
  const { tag } = damspecLanguage;
  const held = {};
  const answers = (name) => (held[name] ??= damspec.part(`search/${name}`).then((part) => new damspec.Answers(part)));
  const FIELDS = { id: 6, title: 4, words: 2, text: 1 };

  /** What only programmers and historians look for; a word of an id stays whole. */
  const records = (name, entriesOf) =>
    (held[name] ??= Promise.all([damspec.part(`search/${name}`), damspec.script("assets/minisearch.js")]).then(([part]) => {
      const entries = entriesOf(part);
      const index = new MiniSearch({
        fields: Object.keys(FIELDS), idField: "key", tokenize: (value, field) => (field === "id" ? [value] : damspec.words(value)),
        extractField: (entry, field) => (field === "id" && !/[-.]/.test(entry.id) ? "" : [entry[field] ?? ""].flat().join(" ")),
        processTerm: (word, field) => (field === "id" ? word : damspec.term(word)),
      });
      index.addAll(entries.map((entry, key) => ({ ...entry, key })));
      const ids = new Set(entries.map(({ id }) => id));
      return (query, stop) => {
        const whole = query.split(/\s+/).filter((word) => ids.has(word) && /[-.]/.test(word));
        const terms = whole.length ? whole : damspec.terms(query).filter((term) => !stop.has(term));
        const options = { tokenize: (text) => text.split(" "), processTerm: (term) => term, combineWith: "AND", boost: FIELDS };
        const found = index.search(terms.join(" "), { ...options, prefix: (term) => term.length > 3 });
        return found.map((hit) => ({ entry: entries[hit.id], weight: 0, terms: new Set(hit.terms) }));
      };
    }));
  const caseEntry = ([id, why]) => ({ kind: "case", id, at: damspec.casePlace(id), title: damspec.caseName(id), text: why });

  /** The best answer in another language, as hits of the reader's. */
  const abroad = async (own, query, missing) => {
    const others = ["nl", "de", "fr", "en", "lb"].filter((other) => other !== tag);
    const found = await Promise.all(others.map(async (other) => (await answers(other)).find(query)));
    const best = found.reduce((one, other) => (other.missing.length < one.missing.length || (other.missing.length === one.missing.length && other.top > one.top) ? other : one));
    if (best.missing.length >= missing || best.top < damspec.Answers.ENOUGH) return null;
    const ownOf = ({ kind, id, at }) => own.entries.find((entry) => entry.kind === kind && (id ? id === entry.id : at === entry.at));
    return { ...best, hits: best.hits.map((hit) => ({ ...hit, entry: ownOf(hit.entry) })).filter(({ entry }) => entry) };
  };

  const find = async (query, { all = false } = {}) => {
    const [own, { search: said, games: names, languages, around }] = await Promise.all([answers(tag), damspec.texts()]);
    let found = own.find(query);
    if (found.missing.length) found = (await abroad(own, query, found.missing.length)) ?? found;
    const isId = /\w\.\w|\w-\d/.test(query);
    let { hits, missing } = found;
    if (all || isId || !hits.length || (missing.length && damspec.words(query).length < 5)) {
      const [inRecords, inCases] = [await records("records", (part) => part), all || isId ? await records("cases", ({ cases }) => cases.map(caseEntry)) : () => []];
      const others = [...inRecords(query, own.stop), ...inCases(query, own.stop)];
      if (others.length) missing = [];
      hits = isId && others.length ? others : [...hits, ...others];
    }
    const [one, other] = found.named;
    const compares = hits[0]?.entry.at?.includes("compare/") || hits[1]?.entry.at?.includes("compare/");
    const pair = other ? [one, other] : one && compares && one !== own.first[0] && !missing.length ? [own.first[0], one] : null;
    const near = missing.length > 0 && found.top < damspec.Answers.ENOUGH && !found.hits.some(({ isSaid }) => isSaid);
    if (near) hits = hits.filter(({ entry, terms }) => ["game", "page"].includes(entry.kind) || [...terms].filter((term) => !own.plain.has(term)).length > 1);
    if (near && !hits.length) hits = own.first.slice(1).map((id) => ({ entry: own.games[id], weight: 0, terms: new Set() }));
    const shelf = tag === "en" ? around.shelf : `${around.shelf} ${around.english}`;
    if (found.top > damspec.Answers.SURE && !compares) missing = [];
    return { query, said, shelf, english: tag === "en" ? "" : ` ${around.english}`, first: own.first, names, languages, own, hits, pair, named: found.named, missing, near };
  };
  /** Loads what the first search needs. */
  return { find, ready: () => Promise.all([answers(tag), damspec.texts()]) };
};
