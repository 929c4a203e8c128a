// The results of a search as lists by kind, with the words marked, and the reasons why nothing was found.
"use strict";

{
  const { element, filled } = damspec;

  /** Text with the found words marked; of a long text the part around the first of them. */
  const marked = (text, terms, longest = 220) => {
    const pieces = text.split(/([\p{L}\p{N}\p{M}]+)/u);
    const hits = (piece) => terms.has(damspec.term(piece));
    const first = pieces.findIndex(hits);
    let begin = 0;
    while (first > 0 && pieces.slice(begin, first).join("").length > longest / 2) begin++;
    const inside = begin ? ["… "] : [];
    for (let length = 0; begin < pieces.length; begin++) {
      if ((length += pieces[begin].length) > longest) {
        inside.push(" …");
        break;
      }
      inside.push(hits(pieces[begin]) ? element("mark", {}, pieces[begin]) : pieces[begin]);
    }
    return inside;
  };

  const has = (text, terms) => damspec.words(text).some((word) => terms.has(damspec.term(word)));

  const languageOf = (tag, reader) => {
    try {
      return new Intl.DisplayNames([reader, "en"], { type: "language" }).of(tag);
    } catch {
      return tag;
    }
  };

  const own = (found) => found.language.split("-")[0];
  const nameOf = (game, found) =>
    own(found) === "en" ? game.title : (game.names[found.language] ?? game.names[own(found)] ?? game.title);
  const link = (address, ...inside) => element("a", { href: damspec.root + address }, ...inside);

  const placeOn = (page, place) => (place ? page.split("#")[0] + place : page);

  /** The sheet of a game in a language, or the place of a section on it. */
  const sheet = (game, language, place = "") => link(placeOn(game.sheets[language], place), game.title);

  const gameLinks = (ids, found, language, place) => {
    const games = ids.map((id) => found.games[id]);
    if (games.length === Object.keys(found.games).length) return [found.said.every];
    const shown = games.slice(0, 4).flatMap((game, index) => {
      const one = sheet(game, language, place);
      one.textContent = nameOf(game, found);
      return index ? [", ", one] : [one];
    });
    return games.length > 4
      ? [...shown, ` ${filled(found.said.others, { number: games.length - 4 })}`]
      : shown;
  };

  /** The games of a sentence, those named by the query first. */
  const first = (entry, terms, found) => {
    const named = (id) => has(damspec.searchIndex().named(id), terms);
    return [...entry.games].sort(
      (one, other) => named(other) - named(one) || entry.games.indexOf(one) - entry.games.indexOf(other),
    );
  };

  /** The title of a page in the reader's language, if it is that of a rule. */
  const titleOf = (title, address, { titles }) => titles[address.match(/^rules\/(.+)\.html$/)?.[1]] ?? title;

  /** For each kind of result: its link, its text and further links. */
  const shown = {
    game: ({ entry, terms }, found) => {
      const name = nameOf(entry, found);
      const others = Object.values(entry.names).filter((other) => other !== name && has(other, terms));
      const text = others.flatMap((other) => [...marked(other, terms), ". "]);
      return [
        link(entry.sheets[own(found)], ...marked(name, terms)),
        { text: [...text, ...marked(found.abouts[entry.id], terms)], lang: own(found) },
      ];
    },
    rulebook: ({ entry, terms }, found) => {
      const games = first(entry, terms, found);
      const page = link(
        placeOn(found.games[games[0]].sheets[entry.language], entry.at),
        ...marked(entry.title, terms),
      );
      const tag = entry.language === own(found) ? "" : ` ${languageOf(entry.language, found.language)}`;
      return [
        page,
        { text: marked(entry.text, terms), lang: entry.language },
        [gameLinks(games, found, entry.language, entry.at)],
        tag,
      ];
    },
    word: ({ entry, terms }, found) => {
      const said = Object.entries(entry.said);
      const hit = said.filter(([, words]) => words.some((text) => has(text, terms)));
      const text = (hit.length ? hit : said)
        .slice(0, 4)
        .flatMap(([tag, words], index) => [
          index ? "; " : "",
          element("span", { lang: tag }, ...marked(words.join(", "), terms)),
          ` (${languageOf(tag, found.language)})`,
        ]);
      const rules = entry.rules
        .slice(0, 6)
        .flatMap(([title, address], index) => [index ? ", " : `${found.said.rules} `, link(address, titleOf(title, address, found))]);
      const games = entry.games.length
        ? [`${found.said.games} `, ...gameLinks(entry.games, found, own(found), "")]
        : [];
      return [link(entry.at, ...marked(entry.title, terms)), { text }, [rules, games]];
    },
    rule: ({ entry, terms }, found) => {
      const title = found.titles[entry.id];
      const words = entry.words.filter((text) => has(text, terms) && !title.includes(text)).slice(0, 3);
      const text = words.flatMap((word, index) => [index ? ", " : "", ...marked(word, terms)]);
      return [
        link(entry.at, ...marked(title, terms)),
        { text: [...text, words.length ? ". " : "", ...marked(entry.text, terms)], lang: "en" },
        [[`${found.said.games} `, ...gameLinks(entry.games, found, own(found), "")]],
      ];
    },
  };

  const plain = ({ entry, terms }) => [
    link(entry.at, ...marked(entry.title, terms)),
    { text: marked(entry.text ?? "", terms), lang: "en" },
    entry.kind === "case" ? [[element("code", {}, entry.id)]] : [],
  ];

  const item = (hit, found, brief) => {
    const [page, said, beyond = [], tag = ""] = (shown[hit.entry.kind] ?? plain)(hit, found);
    const lang = said.lang === own(found) ? "" : said.lang;
    if (lang && lang !== "en" && hit.entry.kind === "rulebook") page.lang = lang;
    const one = element("li", {}, element("p", {}, page, tag && element("span", { class: "in" }, tag)));
    if (said.text.length) one.append(element("p", { class: "text", lang }, ...said.text));
    if (!brief || hit.entry.kind === "word")
      for (const line of beyond) if (line.length) one.append(element("p", { class: "in" }, ...line));
    return one;
  };

  const group = (kind, hits, found, { each, level, brief }) => {
    const list = element("ul", { class: "hits" }, ...hits.slice(0, each).map((hit) => item(hit, found, brief)));
    const parts = [
      element(`h${level}`, {}, `${found.said.kinds[kind]} `, element("span", { class: "in" }, String(hits.length))),
      list,
    ];
    if (hits.length > each && !brief) {
      const more = element("button", { type: "button" }, filled(found.said.more, { number: hits.length }));
      more.addEventListener("click", () => {
        list.append(...hits.slice(each).map((hit) => item(hit, found, brief)));
        list.children[each].querySelector("a").focus();
        more.remove();
      });
      parts.push(more);
    }
    return parts;
  };

  /** The reasons why nothing or something else was found, with alternative words. */
  const reasons = (found, again) => {
    const instead = (word, other) => {
      const button = element("button", { type: "button" }, other);
      button.addEventListener("click", () => {
        const kept = found.query.split(/\s+/).map((one) => (damspec.term(one).includes(word) ? other : one));
        again(kept.join(" "));
      });
      return button;
    };
    const parts = [];
    if (!found.hits.length) parts.push([filled(found.said.none, found)]);
    for (const [word, near] of found.missing) {
      parts.push([filled(found.said.missing, { word })]);
      if (near.length)
        parts.at(-1).push(` ${found.said.near} `, ...near.flatMap((other) => [instead(word, other), " "]));
    }
    for (const word of found.spelled) parts.push([filled(found.said.spelled, { word })]);
    if (!found.together && found.hits.length) parts.push([found.said.apart]);
    return parts.map((inside) => element("p", { class: "why" }, ...inside));
  };

  /** Shows results in an element; returns their number in words. */
  damspec.showResults = (place, found, { each, complete, again, level = 2, brief = true }) => {
    const kinds = damspec.SearchIndex.KINDS.map((kind) => [
      kind,
      found.hits.filter((hit) => hit.entry.kind === kind),
    ]);
    const parts = kinds
      .filter(([, hits]) => hits.length)
      .flatMap(([kind, hits]) => group(kind, hits, found, { each, level, brief }));
    const why = complete ? reasons(found, again) : [];
    const waiting = complete ? [] : [element("p", { class: "in" }, found.said.loading)];
    place.replaceChildren(...why, ...parts, ...waiting);
    if (!complete) return found.said.loading;
    const number = found.hits.length;
    return [
      number === 1 ? found.said.one : number ? filled(found.said.found, { number }) : "",
      ...why.map((one) => one.textContent),
    ].join(" ");
  };
}
