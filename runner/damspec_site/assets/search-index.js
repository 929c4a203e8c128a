// The index of all pages for the search, filled part by part, and the answers to queries.
// 
// A hit has all words of the query, or most of them, each as a word or the beginning of one. A word without such a hit is
// looked up by similar spelling.
"use strict";

damspec.searchIndex = () => (damspec.loadedIndex ??= new damspec.SearchIndex());

damspec.SearchIndex = class {
  static PARTS = ["search/things", "search/rulebook", "search/clauses", "search/guides"];
  static FIELDS = { id: 6, title: 4, words: 3, text: 1, games: 0.3 };
  static KINDS = [
    "game",
    "word",
    "rule",
    "rulebook",
    "comparison",
    "reading",
    "document",
    "clause",
    "guide",
    "case",
  ];

  constructor() {
    this.entries = [];
    this.ids = new Set();
    this.games = {};
    this.complete = false;
    this.waiting = this.coming();
    this.ready = [];
    for (const name of damspec.SearchIndex.PARTS) damspec.part(name).catch(() => {});
    this.index = new MiniSearch({
      fields: Object.keys(damspec.SearchIndex.FIELDS),
      extractField: (entry, field) => (field === "key" ? entry.key : this.field(entry, field)),
      idField: "key",
      tokenize: (text, field) => (field === "id" ? [text, ...damspec.words(text)] : damspec.words(text)),
      processTerm: damspec.term,
    });
  }

  field(entry, field) {
    const value = entry[field];
    if (field === "games")
      return entry.kind === "rulebook" ? value.map((id) => this.named(id)).join(" ") : "";
    return Array.isArray(value) ? value.join(" ") : value;
  }

  /** All names of a game, as one can look for it. */
  named(id) {
    const game = this.games[id];
    return [id, game.title, ...Object.values(game.names)].join(" ");
  }

  /** The parts one by one: what readers look for first, at last the cases. */
  async *coming() {
    this.texts = await damspec.texts();
    for (const name of damspec.SearchIndex.PARTS) {
      const entries = await damspec.part(name);
      for (const entry of entries) if (entry.kind === "game") this.games[entry.id] = entry;
      this.add(entries);
      yield false;
    }
    this.add((await damspec.part("search/cases")).cases.map(damspec.caseEntry));
    this.complete = true;
    yield true;
  }

  /** Goes through the parts as they come, beginning with all that are there; says of each whether it is the last. */
  async *filled() {
    let seen = Math.max(0, this.ready.length - 1);
    for (;;) {
      if (seen === this.ready.length) {
        this.next ??= this.waiting.next().then((step) => {
          this.next = null;
          if (!step.done) this.ready.push(step.value);
        });
        await this.next;
      }
      const complete = this.ready[seen++];
      yield complete;
      if (complete) return;
    }
  }

  add(entries) {
    for (const entry of entries) {
      entry.key = this.entries.push(entry) - 1;
      if (entry.id) this.ids.add(damspec.term(entry.id));
    }
    this.index.addAll(entries);
  }

  /** The words of a query; an id stays whole. */
  words(query) {
    const found = query.split(/\s+/).flatMap((chunk) => {
      const bare = damspec.term(chunk.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
      return this.ids.has(bare) ? [bare] : damspec.words(chunk).map(damspec.term);
    });
    return [...new Set(found)];
  }

  search(words, fuzzy = false, language = "") {
    const found = this.index.search(words.join(" "), {
      tokenize: (text) => text.split(" "),
      prefix: (term, place, terms) => term.length > 2 || place === terms.length - 1,
      fuzzy: (term) => fuzzy && this.isUnknown(term) && term.length > 3 && fuzzy,
      boost: damspec.SearchIndex.FIELDS,
      boostDocument: (key) => (language.startsWith(this.entries[key].language ?? "-") ? 2 : 1),
    });
    // The name of a game narrows its sentences down, and finds none by itself.
    return found.filter((hit) =>
      Object.values(hit.match).some((fields) => fields.some((field) => field !== "games")),
    );
  }

  isUnknown(word) {
    return !this.search([word]).length;
  }

  /** The hits of a query, by kind the best first; the words that are nowhere, and those found by their spelling. */
  find(query) {
    const language = damspecLanguage.tag;
    const words = this.words(query);
    const unknown = words.filter((word) => this.isUnknown(word));
    const found = this.search(words, this.complete && 0.25, language);
    const had = new Set(found.flatMap((hit) => hit.queryTerms));
    const { best, together } = this.best(found, had);
    return {
      query,
      said: this.texts.search,
      titles: this.texts.titles,
      abouts: this.texts.abouts,
      language,
      games: this.games,
      hits: best.map((hit) => ({ entry: this.entries[hit.id], terms: new Set(hit.terms) })),
      missing: unknown
        .filter((word) => !had.has(word) && (word.length > 2 || !best.length))
        .map((word) => [word, this.near(word)]),
      spelled: unknown.filter((word) => had.has(word)),
      together,
    };
  }

  /**
   * Of each kind the hits that say most of what was asked, if that is not much less than what others say; a word that
   * stands everywhere counts little. Also whether any has all the words.
   */
  best(found, words) {
    const weights = {};
    for (const word of words) {
      const number = found.filter((hit) => hit.queryTerms.includes(word)).length;
      weights[word] = Math.log(1 + this.entries.length / number);
    }
    const sum = (some) => [...some].reduce((all, word) => all + weights[word], 0);
    const kind = (hit) => this.entries[hit.id].kind;
    const most = {};
    for (const hit of found) {
      hit.weight = sum(hit.queryTerms);
      most[kind(hit)] = Math.max(most[kind(hit)] ?? 0, hit.weight);
    }
    const top = Math.max(0, ...Object.values(most));
    const best = found.filter((hit) => hit.weight > most[kind(hit)] - 1e-6 && hit.weight > 0.66 * top);
    return { best, together: top > sum(words) - 1e-6 };
  }

  /** Words like one that is nowhere: of nearly its letters, or with the same beginning. */
  near(word) {
    if (word.length < 4) return [];
    const close = this.index.search(word, { fuzzy: 0.45, tokenize: (text) => [text] });
    const terms = (hits) => hits.flatMap((hit) => hit.terms).filter((term) => /^\p{L}+$/u.test(term));
    let likely = terms(close);
    for (let length = word.length - 1; !likely.length && length > 2; length--) {
      likely = terms(this.search([word.slice(0, length)]));
    }
    return [...new Set(likely)].slice(0, 4);
  }
};

/** A word as it is compared: an s at its end, as of the plural, does not count. */
damspec.term = (word) => damspec.folded(word).replace(/(?<=..[^s])s$/, "");

damspec.words = (text) => text.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);

/** A case of the index as an entry. */
damspec.caseEntry = ([id, why]) => ({
  kind: "case",
  id,
  at: damspec.casePlace(id),
  title: damspec.caseName(id),
  text: why,
});
