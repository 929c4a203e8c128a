// What a search finds, and how: by the words of a question without those that say nothing and without their endings, in the
// reader's language first, then in the others, and at last among what is for programmers and historians.
"use strict";

{
  const known = new Map();
  const withoutEnding = (found) => {
    for (let before = ""; before !== found && !/\d/.test(found); ) {
      before = found;
      found = found.replace(/(?<=^.{3,})(?<!^.{3}i)(?:ing|ent|en|er|es|ed|em|ez|st|e|n|s|t)$/, "").replace(/(?<=^..*)(\p{L})\1$/u, "$1");
    }
    return found;
  };

  /** A word as it is compared: without accents and without its ending in any of the languages. */
  damspec.term = (word) => {
    if (!known.has(word)) known.set(word, withoutEnding(damspec.folded(word)));
    return known.get(word);
  };
}

/** The words of a text; the size of a board is one. */
damspec.words = (text) =>
  text
    .replace(/(\d+)\s*[x×*]\s*(?=\d)/gi, "$1x")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);

/** An index of entries of one language: `{stop, entries}`. */
damspec.SearchIndex = class {
  static FIELDS = { id: 6, keys: 6, title: 4, names: 4, words: 2, text: 1 };
  /** The most games that share a word of their names that still names them. */
  static NAMED = 12;
  /** What only ids have. */
  static ID = /\w\.\w|\w-\d/;
  /** The most other entries that may have a word which names games. */
  static RARE = 2;
  /** The share of the weight of the best hits that others have to have. */
  static CLOSE = 0.66;
  /** What a word counts that stands in the text alone. */
  static SAID = 0.5;

  constructor({ stop, entries }) {
    const terms = (text) => damspec.words(text).map(damspec.term);
    const text = (value) => (Array.isArray(value) ? value.join(" ") : value);
    this.entries = entries;
    this.stop = new Set(terms(stop));
    this.ids = new Set(entries.map(({ id }) => id));
    this.games = Object.fromEntries(entries.filter(({ kind }) => kind === "game").map((game) => [game.id, game]));
    this.index = new MiniSearch({
      fields: Object.keys(damspec.SearchIndex.FIELDS),
      extractField: (entry, field) => (field === "key" ? entry.key : field !== "id" || /[-.]/.test(entry.id) ? text(entry[field]) : ""),
      idField: "key",
      tokenize: (value, field) => (field === "id" ? [value] : damspec.words(value)),
      processTerm: (word, field) => (field === "id" ? word : damspec.term(word)),
    });
    entries.forEach((entry, place) => (entry.key = place));
    this.index.addAll(entries);
    /** In how many entries that are no games a word stands. */
    this.topical = new Map();
    for (const { kind, title, words, keys = "" } of entries) {
      if (kind === "game") continue;
      for (const term of new Set(terms(text([title, keys, ...[words].flat()])))) this.topical.set(term, (this.topical.get(term) ?? 0) + 1);
    }
    /** The games that a word names. */
    this.naming = new Map();
    for (const { id, names } of Object.values(this.games)) {
      for (const term of new Set(terms(text(names)))) this.naming.set(term, [...(this.naming.get(term) ?? []), id]);
    }
    for (const [term, ids] of this.naming) {
      if (ids.length > damspec.SearchIndex.NAMED || this.topical.get(term) > damspec.SearchIndex.RARE) this.naming.delete(term);
    }
  }

  /** Whether a query is an id. */
  has(query) {
    return /[-.]/.test(query) && this.ids.has(query);
  }

  /** The words of a query; an id stays whole. */
  terms(query) {
    const found = query.split(/\s+/).filter((part) => this.has(part));
    const words = damspec.words(query).map(damspec.term);
    const telling = words.filter((word) => !this.stop.has(word));
    return found.length ? found : [...new Set(telling.length ? telling : words)];
  }

  look(terms, fuzzy) {
    return this.index.search(terms.join(" "), {
      tokenize: (text) => text.split(" "),
      processTerm: (term) => term,
      prefix: (term, place, all) => term.length > 3 || place === all.length - 1,
      fuzzy: (term) => fuzzy && term.length > 3 && fuzzy,
      boost: damspec.SearchIndex.FIELDS,
    });
  }

  /** The hits of a query, the best first, with the words that are nowhere and the games that are named. */
  find(query, fuzzy = false) {
    const terms = this.terms(query);
    const named = terms.filter((term) => this.naming.has(term));
    const only = named.filter((term) => !this.topical.has(term));
    const asked = terms.filter((term) => !only.includes(term));
    const found = this.look(terms, fuzzy);
    const had = new Set(found.flatMap((hit) => hit.queryTerms));
    // The name of a game does not count for what is asked about it.
    const hits = asked.length ? this.best(found, asked, only) : this.best(found, terms, []);
    return { hits, named: named.map((term) => this.naming.get(term)), missing: terms.filter((term) => !had.has(term)) };
  }

  /** The hits that say most of what is asked; a word that stands everywhere counts little, and less in a text than about it. */
  best(found, asked, named) {
    const { SAID, CLOSE } = damspec.SearchIndex;
    const weights = Object.fromEntries(
      asked.map((term) => {
        const number = found.filter((hit) => hit.queryTerms.includes(term)).length;
        return [term, Math.log(1 + this.entries.length / (number || 1))];
      }),
    );
    const hits = found.map((hit) => {
      const entry = this.entries[hit.id];
      const isNamed = entry.kind === "game" && named.length > 0 && hit.queryTerms.some((term) => named.includes(term));
      const isAbout = (term) => Object.entries(hit.match).some(([word, fields]) => word.startsWith(term) && fields.some((field) => field !== "text"));
      const weight = hit.queryTerms.reduce((sum, term) => sum + (weights[term] ?? 0) * (isAbout(term) ? 1 : SAID), 0);
      return { entry, score: hit.score, weight: isNamed ? Infinity : weight, terms: new Set(hit.terms) };
    });
    const finite = hits.map(({ weight }) => weight).filter(Number.isFinite);
    const top = Math.max(0, ...finite);
    return hits.filter(({ weight }) => weight === Infinity || (weight > 0 && weight >= CLOSE * top));
  }
};

/** The search in the reader's language: `find(query)` promises hits, `all` also those for programmers and historians. */
damspec.finder = () => {
  const { tag } = damspecLanguage;
  const indexes = {};
  const index = (name, make = (part) => part) =>
    (indexes[name] ??= damspec.part(`search/${name}`).then((part) => new damspec.SearchIndex(make(part))));
  const caseEntry = ([id, why]) => ({ kind: "case", id, at: damspec.casePlace(id), title: damspec.caseName(id), text: why });
  const cases = () => index("cases", (part) => ({ stop: "", entries: part.cases.map(caseEntry) }));

  /** The same thing in the reader's language. */
  const ownOf = (own, entry) =>
    own.entries.find(({ kind, id, at }) => kind === entry.kind && (id ? id === entry.id : at === entry.at));

  /** The best answer in another language, as hits of the reader's. */
  const abroad = async (own, query, missing) => {
    const others = ["nl", "de", "fr", "en", "lb"].filter((other) => other !== tag);
    const answers = await Promise.all(others.map(async (other) => (await index(other)).find(query)));
    const best = answers.reduce((one, other) => (other.missing.length < one.missing.length ? other : one));
    if (best.missing.length >= missing || !best.hits.length) return null;
    const hits = best.hits.map((hit) => ({ ...hit, entry: ownOf(own, hit.entry) })).filter(({ entry }) => entry);
    return { ...best, hits };
  };

  const find = async (query, { all = false } = {}) => {
    const [own, { search: said, first, games: names, languages, around }] = await Promise.all([index(tag), damspec.texts()]);
    let found = own.find(query);
    if (found.missing.length) found = (await abroad(own, query, found.missing.length)) ?? found;
    const { missing } = found;
    let hits = found.hits;
    let spelled = [];
    const isId = damspec.SearchIndex.ID.test(query);
    if (all || isId || !hits.some(({ weight }) => Number.isFinite(weight))) {
      const records = await index("records");
      const isRecord = records.has(query);
      const found = [records.find(query).hits];
      if (all || (isId ? !isRecord : !found[0].length)) found.push((await cases()).find(query).hits);
      hits = isId && found.at(-1).length ? found.at(-1) : [...hits, ...found.flat()];
    }
    if (!hits.length) {
      hits = own.find(query, 0.3).hits;
      spelled = hits.length ? missing : [];
    }
    const [one, other] = found.named;
    const pair = one && other && !one.some((id) => other.includes(id)) ? [one[0], other[0]] : null;
    const shelf = tag === "en" ? around.shelf : `${around.shelf} ${around.english}`;
    return { query, said, shelf, first, names, languages, own, hits, pair, named: found.named.flat(), spelled, missing: hits.length ? [] : missing };
  };
  /** Loads what the first search needs. */
  return { find, ready: () => Promise.all([index(tag), damspec.texts()]) };
};
