// The results of a search as lists by kind, with the words marked: of a question the sheets' own sentences, with the games
// that have them.
"use strict";

{
  const { element, button, filled } = damspec;
  /** What players look for, and what only programmers and historians do, in English. */
  const KINDS = ["topic", "page", "game", "word"];
  const RECORDS = ["rule", "reading", "document", "clause", "guide", "case"];
  /** The games named beside a sentence. */
  const GAMES = 4;

  /** Text with the found words marked; of a long text the part around the first of them. */
  const marked = (text, terms, longest = 260) => {
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

  const link = (address, ...inside) => element("a", { href: damspec.root + address }, ...inside);

  /** A sentence with its squares as the reader wants them, or as the players of the game do. */
  const written = (text) => {
    const kept = damspecKept.read("damspec.notation");
    return text.replace(/\[(.+?)\|(.+?)\]/g, (_, usual, other) => (kept && (kept === "letters") === /^\d/.test(usual) ? other : usual));
  };

  /** Games, those named by the query first, then the reader's own. */
  const inOrder = (ids, { named, first }) => {
    const place = (id) => damspec.placeIn([...named, ...first], id);
    return [...ids].sort((one, other) => place(one) - place(other));
  };

  /** The place of a sentence on the sheet of a game, which the browser shows marked. */
  const sheetLink = (id, text, { section }, found, ...inside) => {
    const [said] = text.split(/[[:(]/);
    const { at } = found.own.games[id];
    const mark = said.length > 9 ? `:~:text=${encodeURIComponent(said.trim()).replaceAll("-", "%2D")}` : "";
    // The page of a game shows the variant that its address names.
    return link((at.includes("#") ? at : `${at}#${section}`) + mark, ...inside);
  };

  const gameLinks = (ids, text, entry, found) => {
    if (ids.length === Object.keys(found.own.games).length) return [found.said.every];
    const links = ids.map((id) => sheetLink(id, text, entry, found, found.names[id]));
    const listed = (some) => some.flatMap((each, at) => (at ? [" · ", each] : [each]));
    if (ids.length <= GAMES + 1) return listed(links);
    const rest = button(` ${filled(found.said.others, { number: ids.length - GAMES })}`, () => {
      rest.replaceWith(" · ", ...listed(links.slice(GAMES)));
      links[GAMES].focus();
    }, { class: "rest" });
    return [...listed(links.slice(0, GAMES)), rest];
  };

  /** The sentences about a topic with their games, of named games only: those with a number that was asked, of the reader's own
   * games first; where a question wants yes or no, two for each answer. */
  const sentences = ({ entry, terms }, found) => {
    const { named, denied, first, own, query } = found;
    const numbers = damspec.words(query).filter((word) => /\d/.test(word));
    const onBoard = (id) => own.games[id].words.some((word) => numbers.includes(word));
    const isAsked = ([, ids]) => !named.length || named.some((id) => ids.includes(id));
    const told = entry.says.filter(isAsked).map(([text, ids, side]) => ({ text, side, ids: inOrder(ids, found), rest: [] }));
    const earliness = (list, ids) => list.length - Math.min(...ids.map((id) => damspec.placeIn(list, id)));
    const rank = ({ text, ids }) => [
      earliness(named, ids),
      Number(!own.affirms(text, denied)),
      damspec.words(text).filter((word) => numbers.includes(word)).length,
      Number(ids.some(onBoard)),
      earliness(first, ids),
      ids.length,
    ];
    const ranked = told.map((each) => [each, rank(each)]);
    ranked.sort(([, one], [, other]) => other.map((each, at) => each - one[at]).find((each) => each) ?? 0);
    const sides = new Map();
    const group = ({ side, text }) => sides.get(side || text) ?? [];
    for (const [each] of ranked) sides.set(each.side || each.text, [...group(each), each]);
    // Beside the first sentence of a side the one with most words of the question that the first lacks.
    const shortened = ([one, ...others]) => {
      const lacking = [...terms].filter((term) => !own.terms(one.text).includes(term));
      const added = ({ text }) => lacking.filter((term) => own.terms(text).includes(term)).length;
      const [other, ...more] = others.sort((first, second) => added(second) - added(first));
      return other ? [one, { ...other, rest: more.flatMap(({ ids }) => ids) }] : [one];
    };
    return [...sides.values()].flatMap(shortened);
  };

  const topic = (hit, found, each) => {
    const { entry, terms } = hit;
    const told = sentences(hit, found);
    return [
      element("p", { class: "about" }, ...marked(entry.title, terms)),
      ...told.slice(0, told[0].side ? told.length : each).flatMap(({ text, ids, rest, side }) => [
        element("p", { class: "text" }, ...(side ? [element("b", {}, `${side}: `)] : []), sheetLink(ids[0], text, entry, found, ...marked(written(text), terms))),
        element("p", { class: "in" }, ...gameLinks(ids, text, entry, found)),
        // Those that give the same answer in other words.
        ...(rest.length ? [element("p", { class: "in" }, element("b", {}, `${entry.title} – ${side}: `), ...gameLinks(rest, "", entry, found))] : []),
      ]),
    ];
  };

  const word = ({ entry, terms }, { languages, english }) => {
    const said = Object.entries(entry.said).flatMap(([tag, words], at) => [
      at ? "; " : "",
      element("span", { lang: tag }, ...marked(words, terms)),
      languages[tag] ? ` (${languages[tag]})` : "",
    ]);
    return [element("p", {}, link(entry.at, ...marked(entry.title, terms)), english), element("p", { class: "text" }, ...said)];
  };

  const plain = ({ entry, terms }) => [
    element("p", {}, link(entry.at, ...marked(entry.title, terms))),
    element("p", { class: "text" }, ...marked(entry.text ?? "", terms)),
    ...(entry.kind === "case" ? [element("p", { class: "in" }, element("code", {}, entry.id))] : []),
  ];

  /** The numbers of sentences about the first topic and the others, below the box and on the page. */
  const SENTENCES = { true: [3, 1], false: [6, 3] };

  const item = (hit, at, found, brief) => {
    const { kind } = hit.entry;
    const inside = kind === "topic" ? topic(hit, found, SENTENCES[brief][at ? 1 : 0]) : (kind === "word" ? word : plain)(hit, found);
    return element("li", { lang: RECORDS.includes(kind) && "en" }, ...inside);
  };

  const group = (kind, hits, found, { each, brief, level }) => {
    const list = element("ul", { class: "hits" }, ...hits.slice(0, each).map((hit, at) => item(hit, at, found, brief)));
    const parts = [element(`h${level}`, {}, found.said.kinds[kind]), list];
    if (hits.length > each && !brief) {
      const more = button(filled(found.said.more, { number: hits.length }), () => {
        list.append(...hits.slice(each).map((hit) => item(hit, 1, found, brief)));
        list.children[each].querySelector("a").focus();
        more.remove();
      });
      parts.push(more);
    }
    return parts;
  };

  const why = ({ said, query, hits, missing, near }) => {
    const nothing = missing.length ? missing.join(", ") : hits.length ? "" : query;
    return nothing ? [`${filled(said.none, { query: nothing })}${near ? ` ${said.instead}` : ""}`] : [];
  };

  /** Shows results in an element; returns their number in words. */
  damspec.showResults = (place, found, { each, level = 2, brief = true }) => {
    const { said, hits, pair, names } = found;
    const of = (kind) => {
      const own = hits.filter(({ entry }) => entry.kind === kind);
      return kind === "game" ? inOrder(own.map(({ entry }) => entry.id), found).map((id) => own.find(({ entry }) => entry.id === id)) : own;
    };
    const most = (list) => Math.max(...list.map(({ weight }) => weight));
    const there = (kinds) => kinds.map((kind) => [kind, of(kind)]).filter(([, list]) => list.length);
    const groups = there(KINDS).sort(([, one], [, other]) => (most(other) > most(one)) - (most(one) > most(other)));
    const shown = (list) => list.flatMap(([kind, hits]) => group(kind, hits, found, { each, level, brief }));
    const records = shown(there(RECORDS));
    const compared = pair && [
      element(`h${level}`, {}, said.kinds.comparison),
      element("ul", { class: "hits" }, element("li", {}, link(`${damspec.inLanguage("compare/index.html")}#${pair}`, pair.map((id) => names[id]).join(" – ")))),
    ];
    const reasons = why(found);
    place.replaceChildren(
      ...reasons.map((text) => element("p", { class: "why" }, text)),
      ...(compared ?? []),
      ...shown(groups),
      ...(records.length ? [element("details", { class: "records", open: damspecLanguage.tag === "en" || !groups.length }, element("summary", {}, found.shelf), ...records)] : []),
    );
    const number = reasons.length ? 0 : hits.length;
    return [number === 1 ? said.one : number ? filled(said.found, { number }) : "", ...reasons].filter(Boolean).join(". ");
  };
}
