// The index of what stands on all pages, filled part by part, and how a query is answered from it.
//
// A hit has as many of the words as can be had together, each as it is written or as the beginning of a longer one. A
// word that is nowhere so is looked for by its spelling.
"use strict";

damspec.finding = () => (damspec.finder ??= new damspec.Finder());

damspec.Finder = class {
  static PARTS = ["search/things", "search/rulebook", "search/clauses", "search/guides"];
  static FIELDS = { id: 6, title: 4, words: 3, text: 1, games: 0.3 };
  static KINDS = ["game", "rule", "word", "rulebook", "comparison", "reading", "document", "clause", "guide", "case"];

  constructor() {
    this.entries = [];
    this.ids = new Set();
    this.games = {};
    this.complete = false;
    this.waiting = this.coming();
    this.ready = [];
    for (const name of ["search/said", ...damspec.Finder.PARTS]) damspec.part(name).catch(() => {});
    this.index = new MiniSearch({
      fields: Object.keys(damspec.Finder.FIELDS),
      extractField: (entry, field) => (field === "key" ? entry.key : this.field(entry, field)),
      idField: "key",
      tokenize: (text, field) => (field === "id" ? [text, ...damspec.words(text)] : damspec.words(text)),
      processTerm: damspec.folded,
    });
  }

  field(entry, field) {
    const value = entry[field];
    if (field === "games") return entry.kind === "rulebook" ? value.map((id) => this.named(id)).join(" ") : "";
    return Array.isArray(value) ? value.join(" ") : value;
  }

  /** All names of a game, as one can look for it. */
  named(id) {
    const game = this.games[id];
    return [id, game.title, ...Object.values(game.names)].join(" ");
  }

  /** The parts one by one: what readers look for first, at last the cases. */
  async *coming() {
    this.said = await damspec.part("search/said");
    for (const name of damspec.Finder.PARTS) {
      const entries = await damspec.part(name);
      for (const entry of entries) if (entry.kind === "game") this.games[entry.id] = entry;
      this.add(entries);
      yield false;
    }
    const names = [...new Set(Object.values(this.said.cases).flat())];
    const loading = names.map((id) => damspec.part(`search/cases/${id}`));
    for (const part of loading) this.add((await part).cases.map(damspec.caseEntry));
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
      if (entry.id) this.ids.add(damspec.folded(entry.id));
    }
    this.index.addAll(entries);
  }

  /** The words of a query; an id stays whole. */
  words(query) {
    const found = query.split(/\s+/).flatMap((chunk) => {
      const bare = damspec.folded(chunk.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
      return this.ids.has(bare) ? [bare] : damspec.words(chunk).map(damspec.folded);
    });
    return [...new Set(found)];
  }

  search(words, fuzzy = false, language = "") {
    return this.index.search(words.join(" "), {
      tokenize: (text) => text.split(" "),
      prefix: (term) => term.length > 1,
      fuzzy: (term) => fuzzy && this.isUnknown(term) && term.length > 3 && fuzzy,
      boost: damspec.Finder.FIELDS,
      boostDocument: (key) => (language.startsWith(this.entries[key].language ?? "-") ? 2 : 1),
    });
  }

  isUnknown(word) {
    return !this.search([word]).length;
  }

  /**
   * The hits of a query, the best first; the words that are nowhere, those found by their spelling, and those that
   * the hits do not have together with the others.
   */
  find(query, language) {
    const words = this.words(query);
    const unknown = words.filter((word) => this.isUnknown(word));
    const found = this.search(words, this.complete && 0.25, language);
    const most = Math.max(0, ...found.map((hit) => hit.queryTerms.length));
    const best = found.filter((hit) => hit.queryTerms.length === most);
    const had = new Set(found.flatMap((hit) => hit.queryTerms));
    const missing = unknown.filter((word) => !had.has(word));
    const apart = most < had.size ? [...had].filter((word) => !best.every((hit) => hit.queryTerms.includes(word))) : [];
    return {
      query,
      said: this.said.words[language.split("-")[0]],
      language,
      games: this.games,
      hits: best.map((hit) => ({ entry: this.entries[hit.id], terms: new Set(hit.terms) })),
      missing: missing.map((word) => [word, this.near(word)]),
      spelled: unknown.filter((word) => had.has(word)),
      apart,
    };
  }

  /** Words like one that is nowhere: of nearly its letters, or with the same beginning. */
  near(word) {
    const close = this.index.search(word, { fuzzy: 0.45, tokenize: (text) => [text] });
    let likely = close.flatMap((hit) => hit.terms);
    for (let length = word.length - 1; !likely.length && length > 2; length--) {
      likely = this.search([word.slice(0, length)]).flatMap((hit) => hit.terms);
    }
    return [...new Set(likely)].slice(0, 4);
  }
};

damspec.words = (text) => text.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);

/** A case as the parts of the case browser hold it, as an entry. */
damspec.caseEntry = ([id, why]) => ({ kind: "case", id, at: `cases/${id}.html`, title: damspec.caseName(id), text: why });
