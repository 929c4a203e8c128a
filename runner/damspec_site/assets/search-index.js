// What a search finds, and how: a question is taken apart into the games that it names and the words that say what is asked,
// and these are held against the phrases of each entry, in the reader's language first, then in the others, and at last among
// what is for programmers and historians.
"use strict";

/** A word as it is compared: without accents and without its suffix in any of the languages. */
damspec.term = (word) => {
  const SUFFIX = /(?:ing|ent|en|er|es|ed|em|ez|st|e|n|s|t)$/;
  let found = (damspec.stems ??= new Map()).get(word);
  if (found) return found;
  found = damspec.folded(word);
  for (let before = "", least = 3; before !== found && !/\d/.test(found); least = 4) {
    before = found;
    const stem = found.replace(SUFFIX, "");
    if (stem.length >= least && !/^.{3}i$/.test(stem)) found = stem.replace(/(?<=^..*)(\p{L})\1$/u, "$1");
  }
  damspec.stems.set(word, found);
  return found;
};

/** The place of something in a list; behind all that is in it if it is not. */
damspec.placeIn = (list, each) => (list.includes(each) ? list.indexOf(each) : list.length);

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
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (isSwapped) now[at] = Math.min(now[at], above[at - 2] + 1);
    }
    [above, before] = [before, now];
  }
  return before.at(-1) <= most;
};

/** What players find in one language: `{stop, plain, same, general, not, first, entries}`, as `search_index.py` writes it. */
damspec.Answers = class Answers {
  /** What a word counts that is said of every game, one that no entry has, and one that stands in the text alone. */
  static PLAIN = 0.3;
  static UNKNOWN = 0.8;
  static SAID = 0.45;
  /** What the likest phrase of an entry counts, the words that it has, and a phrase that is asked for whole. */
  static LIKEST = 0.65;
  static SHARED = 0.35;
  static WHOLE = 0.1;
  /** What a word of the glossary counts beside other entries. */
  static GLOSSARY = 0.85;
  /** The most other entries that may have a word which names a game. */
  static RARE = 2;
  /** The share of the weight of the best hit that others have to have, and what an answer has to have. */
  static CLOSE = 0.7;
  static ENOUGH = 0.66;
  /** Below what an answer is none: its words stand in texts about something else. */
  static LITTLE = 0.3;
  /** From what an answer has on, a word that is nowhere need not be told. */
  static SURE = 0.75;

  constructor({ stop, plain, same, general, first, entries, not }) {
    this.first = first;
    this.entries = entries;
    this.games = Object.fromEntries(entries.filter(({ kind }) => kind === "game").map((game) => [game.id, game]));
    this.same = new Map(same.flatMap((words) => damspec.terms(words).map((term, _, [head]) => [term, head])));
    this.stop = new Set(damspec.terms(stop));
    this.plain = new Set(this.terms(plain));
    this.general = damspec.words(damspec.folded(general));
    this.not = new Set(damspec.terms(not.words));
    this.deniable = new Set(this.terms(not.of));
    [this.all] = this.terms(not.all);
    const parts = entries.map((entry) => this.partsOf(entry));
    const topics = parts.filter((_, at) => entries[at].kind !== "game");
    /** In how many entries a word stands; the words are all that there are. */
    this.number = Answers.count(
      parts.map(({ about, text }) => new Set([...about, ...text])),
      [...this.same.values(), ...this.plain],
    );
    const size = (terms) => terms.reduce((sum, term) => sum + this.weight(term) ** 2, 0);
    /** Of each entry: its `phrases`, each with its size, the words that it is `about`, and those of its `text`. */
    this.found = parts.map(({ phrases, ...rest }) => ({
      phrases: phrases.map((terms) => ({ terms, size: size(terms) })),
      ...rest,
    }));
    this.names = this.namesOfGames(Answers.count(topics.map(({ about }) => about)));
  }

  /** In how many of some sets each word stands; `words` are told that may stand in none. */
  static count(sets, words = []) {
    const found = new Map(words.map((word) => [word, 0]));
    for (const set of sets) for (const word of set) found.set(word, (found.get(word) ?? 0) + 1);
    return found;
  }

  partsOf({ title = "", keys = "", names = [], words = [], text = "" }) {
    const said = [title, ...keys.split(","), ...names, ...[words].flat().join(",").split(",")];
    const phrases = said.map((each) => this.telling(this.terms(each))).filter(({ length }) => length);
    return { phrases, about: new Set(phrases.flat()), text: new Set(this.telling(this.terms(text))) };
  }

  /** The games by their names, each without what is said of every game, unless what is left may mean something else. */
  namesOfGames(topical) {
    const nameOf = (id, name) => {
      const whole = this.terms(name);
      const own = this.special(whole).filter((term) => !this.stop.has(term));
      const isWhole = !own.length || own.some((term) => topical.get(term) > Answers.RARE);
      return { id, isWhole, terms: isWhole ? whole : own };
    };
    const names = Object.values(this.games).flatMap(({ id, names }) => names.map((name) => nameOf(id, name)));
    return names.filter(({ terms }) => this.special(terms).length);
  }

  terms(text) {
    return damspec.terms(text).map((term) => this.same.get(term) ?? term);
  }

  /** The words among some that tell what is meant, once each. */
  telling(terms) {
    return [...new Set(terms.filter((term) => !this.stop.has(term)))];
  }

  /** The words among some that are not said of every game. */
  special(terms) {
    return terms.filter((term) => !this.plain.has(term));
  }

  /** The directions among some words that stand close behind a "not". */
  denied(terms) {
    const isTold = (term) => this.not.has(term) || this.deniable.has(term);
    const isDenied = (at) => this.not.has(terms.slice(Math.max(0, at - 3), at).findLast(isTold));
    return terms.filter((term, at) => this.deniable.has(term) && isDenied(at));
  }

  /** Whether a sentence says what a question denies; all directions say each. */
  affirms(text, denied) {
    const terms = this.terms(text), not = this.denied(terms);
    return denied.some((term) => terms.some((each) => each === this.all || (each === term && !not.includes(term))));
  }

  weight(term) {
    const number = this.number.get(term);
    const rarity = Math.log(1 + this.entries.length / (number || 3));
    const weight = number === undefined ? rarity * Answers.UNKNOWN : rarity;
    return this.plain.has(term) ? weight * Answers.PLAIN : weight;
  }

  /** The word that is meant: itself, one that begins so, or one that is spelled nearly so; none if there is none. */
  meant(word, isLast) {
    const own = damspec.term(word), term = this.same.get(own) ?? own;
    if (this.number.has(term) || this.stop.has(term)) return term;
    const { length } = term;
    const all = [...this.number.keys(), ...this.same.keys(), ...this.stop];
    const begun = () => all.filter((each) => each.startsWith(term)).sort((one, other) => one.length - other.length)[0];
    const sorted = (each) => [...each].sort().join("");
    // Of a short word only letters may have changed places.
    const isLike = (each) => length > 4 || sorted(each) === sorted(term);
    const near = (most) => all.find((each) => isLike(each) && damspec.isNear(term, each, most));
    /** A compound is about its first or last part. */
    const isPart = (each) =>
      each.length > 4 && length - each.length > 2 && (term.startsWith(each) || term.endsWith(each)) &&
      !this.plain.has(each) && !this.stop.has(each);
    const found =
      (length > (isLast ? 2 : 4) && begun()) ||
      (word.length > 5 && length > 3 && near(1)) ||
      (word.length > 5 && length > 7 && near(2)) ||
      all.filter(isPart).sort((one, other) => other.length - one.length)[0];
    return found ? (this.same.get(found) ?? found) : null;
  }

  /** The words of a question: as they are written, as they are compared, and those that are nowhere. */
  read(query) {
    const written = damspec.words(query);
    const meant = written.map((word, at) => this.meant(word, at === written.length - 1));
    return {
      written,
      words: meant.map((term, at) => term ?? damspec.term(written[at])),
      missing: written.filter((word, at) => !meant[at] && word.length > 2),
    };
  }

  /** The longest name of a game in a question that has one of the words which are left; of several the reader's own. */
  longestName(left, words) {
    const said = ` ${words.join(" ")} `;
    const place = ({ id }) => damspec.placeIn(this.first, id);
    const stands = ({ terms, isWhole }) =>
      isWhole ? said.includes(` ${terms.join(" ")} `) : terms.every((term) => words.includes(term));
    const [longest] = this.names
      .filter((name) => stands(name) && name.terms.some((term) => left.includes(term)))
      .sort((one, other) => other.terms.length - one.terms.length || place(one) - place(other));
    return longest;
  }

  /** Whether a question has a longer phrase with the words of a name, of an entry that is no game. */
  isOfTopic(name, words) {
    const isSaid = ({ terms }) =>
      terms.length > name.length &&
      name.every((term) => terms.includes(term)) &&
      terms.every((term) => words.includes(term));
    const isTopic = ({ about, phrases }, at) =>
      this.entries[at].kind !== "game" && about.has(name[0]) && phrases.some(isSaid);
    return this.found.some(isTopic);
  }

  /** The games that a question names, in its order, and the words that are left. */
  naming(terms, words) {
    const named = new Map(), also = [];
    let left = terms;
    for (let name; (name = this.longestName(left, words)); ) {
      const { id, terms: own } = name;
      if (!named.has(id)) named.set(id, words.findIndex((term) => this.special(own).includes(term)));
      left = left.filter((term) => !own.includes(term));
      if (this.isOfTopic(own, words)) also.push(...own);
    }
    const inOrder = [...named.keys()].sort((one, other) => named.get(one) - named.get(other));
    return { named: inOrder, left: [...left, ...also] };
  }

  /** How well each entry with one of these words answers. */
  weigh(asked) {
    const weights = new Map(asked.map((term) => [term, this.weight(term)]));
    const square = (terms) => terms.reduce((sum, term) => sum + (weights.get(term) ?? 0) ** 2, 0);
    const whole = square(asked);
    return this.found.flatMap(({ phrases, about, text }, at) => {
      const entry = this.entries[at];
      const both = asked.filter((term) => about.has(term) || text.has(term));
      if (!both.length) return [];
      const alike = phrases.map(({ terms, size }) => square(terms) / Math.sqrt(size * whole || 1));
      const isAbout = (term) => about.has(term);
      const shared = square(both.filter(isAbout)) + Answers.SAID * square(both.filter((term) => !isAbout(term)));
      const isSaid = phrases.some(
        ({ terms }) => this.special(terms).length > 1 && terms.every((term) => weights.has(term)),
      );
      const weight =
        Answers.LIKEST * Math.max(0, ...alike) + (Answers.SHARED * shared) / whole + Answers.WHOLE * isSaid;
      const share = entry.kind === "word" ? Answers.GLOSSARY : 1;
      return [{ entry, isSaid, weight: share * weight, terms: new Set(both) }];
    });
  }

  /** Whether words name the game of draughts itself, nearly so spelled if they are long. */
  isGame(written) {
    const isNamed = (word) =>
      this.general.some((each) => each === word || (word.length > 4 && damspec.isNear(word, each, 1)));
    return written.map(damspec.folded).some(isNamed);
  }

  /** A hit as it is shown where a game is named: what is printed is the sheet of that game, what is counted are its moves. */
  onSheet(hit, game) {
    if (game && hit.entry.at === "perft.html") return { ...hit, entry: { ...hit.entry, at: `perft.html#${game}` } };
    const [usual, sheet] = [this.first[0], game].map((id) => this.games[id]?.at);
    const isSheet = sheet && hit.entry.kind === "page" && hit.entry.at === usual;
    return isSheet ? { ...hit, entry: { ...hit.entry, at: sheet } } : hit;
  }

  /** The hits of a question, the best first, the games that it names, and the words that are nowhere. */
  find(query) {
    const { written, words, missing } = this.read(query);
    const telling = this.telling(words);
    const denied = this.denied(words);
    const isMeant = (term) => !denied.includes(term);
    const { named, left } = this.naming((telling.length ? telling : words).filter(isMeant), words.filter(isMeant));
    left.push(...denied);
    const asked = this.special(left).length || !named.length ? left : [];
    // Of games that are named, only what is said of them.
    const isSaidOf = (ids) => !named.length || named.some((id) => ids.includes(id));
    const isOf = ({ entry: { kind, says } }) =>
      says ? says.some(([text, ids]) => isSaidOf(ids) && !this.affirms(text, denied)) : kind === "page" || !denied.length;
    const hits = this.weigh(asked).filter(isOf);
    const top = Math.max(0, ...hits.map(({ weight }) => weight));
    // A question for nothing but the rules of the game is answered by the reader's own games.
    const isGeneral = !named.length && telling.length > 0 && telling.every((term) => this.plain.has(term));
    const isWhole = isGeneral && this.isGame(written);
    const weight = isWhole ? 0.99 : asked.length ? 0 : 1;
    const answers = isGeneral ? [...new Set(this.first)] : named;
    const games = answers.map((id) => ({ entry: this.games[id], weight, terms: new Set() }));
    const isClose = ({ entry, weight, isSaid }) =>
      (isSaid || weight >= Answers.CLOSE * top) &&
      !games.some((each) => each.entry === entry) &&
      (!isWhole || ["page", "word"].includes(entry.kind));
    const close = hits.filter(isClose).map((hit) => this.onSheet(hit, named[0]));
    const best = [...games, ...close].sort(
      (one, other) => (other.isSaid ?? 0) - (one.isSaid ?? 0) || other.weight - one.weight,
    );
    return { hits: best, named, denied, missing, top: asked.length && !isWhole ? top : 1 };
  }
};

/** What only programmers and historians look for; a word of an id stays whole. */
damspec.Records = class {
  static FIELDS = { id: 6, title: 4, words: 2, text: 1 };

  constructor(entries) {
    this.entries = entries;
    this.ids = new Set(entries.map(({ id }) => id));
    this.index = new MiniSearch({
      fields: Object.keys(damspec.Records.FIELDS),
      idField: "key",
      extractField: (entry, field) =>
        field === "id" && !/[-.]/.test(entry.id) ? "" : [entry[field] ?? ""].flat().join(" "),
      tokenize: (value, field) => (field === "id" ? [value] : damspec.words(value)),
      processTerm: (word, field) => (field === "id" ? word : damspec.term(word)),
    });
    this.index.addAll(entries.map((entry, key) => ({ ...entry, key })));
  }

  /** The hits of a question; words in `stop` are not looked for. */
  find(query, stop) {
    const ids = query.split(/\s+/).filter((word) => this.ids.has(word) && /[-.]/.test(word));
    const terms = ids.length ? ids : damspec.terms(query).filter((term) => !stop.has(term));
    const found = this.index.search(terms.join(" "), {
      tokenize: (text) => text.split(" "),
      processTerm: (term) => term,
      combineWith: "AND",
      boost: damspec.Records.FIELDS,
      prefix: (term) => term.length > 3,
    });
    return found.map((hit) => ({ entry: this.entries[hit.id], weight: 0, terms: new Set(hit.terms) }));
  }
};

/** The search in the reader's language: `find(query)` promises hits, `all` also those for programmers and historians. */
damspec.finder = () => {
  const { tag } = damspecLanguage;
  const held = {};
  const answers = (name) => (held[name] ??= damspec.part(`search/${name}`).then((part) => new damspec.Answers(part)));
  const records = (name, entriesOf) =>
    (held[name] ??= Promise.all([damspec.part(`search/${name}`), damspec.script("assets/minisearch.js")]).then(
      ([part]) => new damspec.Records(entriesOf(part)),
    ));
  const caseEntry = ([id, why]) =>
    ({ kind: "case", id, at: damspec.casePlace(id), title: damspec.caseName(id), text: why });

  /** What programmers and historians find; the positions too if `all` is looked through. */
  const inRecords = async (query, stop, all) => {
    const parts = [records("records", (part) => part)];
    if (all) parts.push(records("cases", ({ cases }) => cases.map(caseEntry)));
    return (await Promise.all(parts)).flatMap((part) => part.find(query, stop));
  };

  /** The best answer in another language, as hits of the reader's; null if it leaves as much unanswered. */
  const abroad = async (own, query, missing) => {
    const others = ["nl", "de", "fr", "en", "lb"].filter((other) => other !== tag);
    const found = await Promise.all(others.map(async (other) => (await answers(other)).find(query)));
    const [best] = found.sort((one, other) => one.missing.length - other.missing.length || other.top - one.top);
    if (best.missing.length >= missing || best.top < damspec.Answers.ENOUGH) return null;
    const ownOf = ({ kind, id, at }) =>
      own.entries.find((entry) => entry.kind === kind && (id ? id === entry.id : at === entry.at));
    const hits = best.hits.map((hit) => ({ ...hit, entry: ownOf(hit.entry) })).filter(({ entry }) => entry);
    return { ...best, hits };
  };

  /** The games to compare: two that a question names, or the reader's own and one with which it is to be compared. */
  const pairOf = ([one, other], [own], isCompared) => {
    if (other) return [one, other];
    return one && one !== own && isCompared ? [own, one] : null;
  };

  /** What is shown where a word is nowhere and the rest is no answer: hits with more than a word, or the lists of games
   * and of documents. */
  const instead = (hits, own) => {
    const isNear = ({ entry, terms }) => ["game", "page"].includes(entry.kind) || own.special([...terms]).length > 1;
    const near = hits.filter(isNear);
    const page = (name) => own.entries.find(({ kind, id }) => kind === "page" && id === name);
    const lists = ["front", "documents"].map(page);
    return near.length ? near : lists.map((entry) => ({ entry, weight: 0, terms: new Set() }));
  };

  /** The words among some with which nothing is found, in no language. */
  const nowhere = async (words, own) => {
    if (!words.length) return [];
    const all = await Promise.all(["nl", "de", "fr", "en", "lb"].map(answers));
    const found = await Promise.all(words.map((word) => inRecords(word, own.stop, true)));
    return words.filter((word, at) => !found[at].length && all.every((each) => each.read(word).missing.length));
  };

  const find = async (query, { all = false } = {}) => {
    const { ENOUGH, LITTLE, SURE } = damspec.Answers;
    const [own, { search: said, games: names, languages, around }] = await Promise.all([answers(tag), damspec.texts()]);
    let found = own.find(query);
    if (found.missing.length) found = (await abroad(own, query, found.missing.length)) ?? found;
    const { named, denied, top } = found;
    let { hits, missing } = found;
    const isId = /\w\.\w|\w-\d/.test(query);
    const isForProgram = named.length && hits.some(({ entry }) => /^(implement|perft)/.test(entry.at));
    if (all || isId || isForProgram || !hits.length || missing.length || top < LITTLE) {
      const whole = await inRecords(query, own.stop, all || isId);
      // Of a long question the words that players' answers lack.
      const others = whole.length || !missing.length ? whole : await inRecords(missing.join(" "), own.stop, all);
      if (others.length) missing = [];
      const isWeak = others.length && !whole.length && !named.length && top < ENOUGH;
      if (isWeak) hits = hits.filter(({ terms }) => own.special([...terms]).length > 1);
      hits = isId && others.length ? others : [...hits, ...others];
    }
    const compares = hits.slice(0, 2).some(({ entry }) => entry.at?.includes("compare/"));
    const pair = pairOf(named, own.first, compares && !missing.length);
    const near = missing.length > 0 && top < ENOUGH && !found.hits.some(({ isSaid }) => isSaid);
    if (near) hits = instead(hits, own);
    missing = top > SURE && !compares ? [] : await nowhere(missing, own);
    const english = tag === "en" ? "" : ` ${around.english}`;
    const shelf = around.shelf + english;
    return { query, said, shelf, english, first: own.first, names, languages, own, hits, pair, named, denied, missing, near };
  };
  /** Loads what the first search needs. */
  return { find, ready: () => Promise.all([answers(tag), damspec.texts()]) };
};
