// Two games compared: what differs, the strongest first, with a position that each answers in its own way, and what is the
// same in both. The address names them after `#`, and a rule to go to.
"use strict";

{
  const { element, text, counted } = damspec;
  const { tag } = damspecLanguage;
  const form = document.getElementById("pair");
  const choices = ["first", "second"].map((id) => document.getElementById(id));
  const summary = document.getElementById("summary");
  const place = document.getElementById("differences");
  /** The rules that are told if both games have them alike. */
  const USUAL = [
    "capture.duty", "capture.choice", "man.capture.first", "king.move.reach", "capture.removal", "promotion.mid-capture",
    "ending.no-moves",
  ];
  /** Rules that are told with another. */
  const WITH = {
    "ending.order": "ending.draws", "man.capture.later": "man.capture.first", "capture.binds": "capture.choice",
    "capture.king-weight": "capture.choice", "promotion.return": "promotion.mid-capture",
  };
  /** Rules that are told with a part that only one game has. */
  const PARTS = { "capture.duty": "huff" };
  /** What is not told of a part that only one game has: where the doors are, and what the duty says too. */
  const LONGER = ["trapdoors.layout", "huff.offence"];
  /** The most sentences about a part that only one game has. */
  const MOST = 2;
  /** The share of their words that sentences which are otherwise alike have in common at least. */
  const ALIKE = 0.35;
  /** The length of a name that is written smaller. */
  const LONG = 21;
  /** The groups of rules that say how pieces move. */
  const MOVING = ["man", "king", "capture"];

  /**
   * What differs between two games, by their places in the data: sections of rules, each with its share of positions,
   * null if that was not measured. Those stand behind the measured ones, how pieces move before the rest.
   */
  const sectionsOf = ({ rules, measured }, one, other) => {
    const share = ({ values, often }) => {
      const counts = [often[one]?.[values[other]], often[other]?.[values[one]]].filter((each) => each !== undefined);
      return counts.length ? counts.reduce((sum, each) => sum + each, 0) / counts.length / measured : null;
    };
    const has = (group, game) => Object.values(rules).some((rule) => rule.group === group && rule.values[game] >= 0);
    const found = new Map();
    const differs = (name) => rules[name].values[one] !== rules[name].values[other];
    for (const [name, rule] of Object.entries(rules)) {
      if (!differs(name)) continue;
      const { group } = rule;
      const part = PARTS[name] ?? (rule.part && group);
      const only = part && has(part, one) !== has(part, other);
      const board = group === "board" || name === "start.men";
      const title = board ? "board" : only ? part : group === "draws" ? group : name in WITH && differs(WITH[name]) ? WITH[name] : name;
      if (!found.has(title)) found.set(title, { title, only, board, group, rules: [], share: null });
      const section = found.get(title);
      section.rules.push(name);
      const ofRule = share(rule);
      if (ofRule !== null) section.share = Math.max(section.share, ofRule);
    }
    const strength = ({ only, group, share }) => (only ? 1 : share ?? (MOVING.includes(group) ? -1 : -2));
    const sorted = [...found.values()].filter(({ board }) => !board).sort((a, b) => strength(b) - strength(a));
    if (found.has("board")) sorted.splice(Math.max(1, sorted.filter(({ only }) => only).length), 0, found.get("board"));
    return sorted;
  };

  /** A position that shows one of some rules, with the answers of both games; none if none is on record. */
  const positionOf = ({ rules }, names, one, other) => {
    for (const name of names) {
      const { values, positions } = rules[name];
      for (const position of positions) {
        const [mine, theirs] = [position.answers[one], position.answers[other]];
        const is = [mine, theirs, values[one], values[other]].join();
        if (position.told.some((each) => each.join() === is)) return { ...position, mine, theirs };
      }
    }
    return null;
  };

  /** What the marks of a picture mean. */
  const MARKS = { not: "words.forbidden", would: "words.lapse" };

  /** A picture, with what its dotted and dashed arrows mean below it. */
  const figure = (svg, label) => {
    const made = element("figure");
    made.innerHTML = svg;
    made.firstElementChild.setAttribute("aria-label", label);
    for (const mark of Object.keys(MARKS)) if (made.querySelector(`.arrow.${mark}`)) made.append(element("figcaption", {}, text(MARKS[mark])));
    return made;
  };

  /** What differs of the boards in a few words; another number of men goes without saying with another size. */
  const boardNotes = (names) =>
    names
      .filter((name) => name !== "start.men" || !names.includes("board.size"))
      .flatMap((name, at) => [at ? ", " : "", text(`other-${name.split(".")[1]}`)]);

  const plain = (word) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

  /** Which words of a sentence another does not have, as a text of `x` and `-`; one between two of these is of them. */
  const newIn = (words, other) => {
    const known = other.map(plain);
    const signs = words.map((word) => (known.includes(plain(word)) ? "-" : "x")).join("");
    return signs.replace(/x-(?=x)/g, "xx");
  };

  /** Whether two sentences are alike but for a place or two. */
  const isAlike = (one, other) => {
    const both = newIn(one, other) + newIn(other, one);
    return both.match(/-/g)?.length >= ALIKE * both.length && both.split(/x+/).length <= 5;
  };

  /** A text with the words that another does not have in bold, in sentences that are otherwise alike. */
  const keyed = (said, other) => {
    const [mine, theirs] = [said, other].map((each) => each.split(/(?<=\.) /).map((sentence) => sentence.split(" ")));
    const known = mine.map((words) => theirs.find((each) => isAlike(words, each)));
    // A sentence that the other has not at all is what differs, if the rest is alike.
    const isMore = mine.length > theirs.length && known.filter((each) => !each).length === 1;
    return mine.flatMap((words, at) => {
      const signs = known[at] ? newIn(words, known[at]) : (isMore ? "x" : "-").repeat(words.length);
      return [...signs.matchAll(/x+|-+/g)].flatMap(({ 0: run, index }) => {
        const part = words.slice(index, index + run.length).join(" ");
        return [run[0] === "x" ? element("b", { class: "key" }, part) : part, " "];
      });
    });
  };

  /** How often a rule changes the answer. */
  const often = (share) => {
    if (share >= 0.995) return text("in-nearly-all");
    const [number, of] = share < 0.02 ? [1000 * share, 1000] : [100 * share, 100];
    return text("in-some", String(share && Math.max(1, Math.round(number))), String(of));
  };

  const show = async (one, other, rule) => {
    const [data, told, words] = await Promise.all([damspec.part("compare/rules"), damspec.part(`compare/${tag}`), damspec.texts()]);
    const places = [one, other].map((id) => data.games.indexOf(id));
    choices.forEach((choice) => choice.classList.toggle("long", words.games[choice.value].length > LONG));
    const sections = sectionsOf(data, ...places);
    // The boards of the start stand beside the trapdoors, if only one has these.
    const started = sections.find(({ title }) => title === "trapdoors") ?? sections.find(({ board }) => board);
    const starts = started ? await damspec.part("compare/starts") : {};
    const saying = (name, game) => {
      const [sentences, numbers] = told.says[name];
      return sentences[numbers[game]];
    };
    const said = ({ rules, only }, game) => {
      const sentences = [...new Set(rules.filter((name) => !only || !LONGER.includes(name)).map((name) => saying(name, game)))].filter(Boolean);
      return sentences.slice(0, only ? MOST : undefined).join(" ");
    };
    const shown = sections.map((section) => {
      const telling = section.rules.filter((name) => !section.board && (!section.only || name in PARTS));
      const found = positionOf(data, telling, ...places);
      const pictures = found
        ? [[found.mine, found.theirs], [found.theirs, found.mine]].map((pair) => figure(found.pictures[pair.join(" ")], told.positions[found.fen]))
        : section === started
          ? [one, other].map((id) => figure(starts[id], words.words.start))
          : [];
      const sides = places.map((game) => said(section, game));
      const cells = places.map((game, at) => {
        const reason = found && found.outcomes[at ? found.theirs : found.mine];
        const outcome = words.reasons[reason] ?? words.results[reason];
        return element(
          "div",
          { class: pictures.length ? "cell" : "cell text" },
          ...pictures.slice(at, at + 1),
          element(
            "p",
            {},
            element("span", { class: "label" }, words.games[[one, other][at]]),
            ...(sides[at] ? keyed(sides[at], sides[1 - at]) : [text("workshop.without")]),
            outcome ? element("small", {}, outcome) : "",
          ),
        );
      });
      const title = text(section.board ? "board-and-start" : `titles.${section.title}`);
      const note = section.only
        ? [text("only-in"), " ", words.games[saying(section.rules.at(-1), places[0]) ? one : other]]
        : section.board
          ? boardNotes(section.rules)
          : [section.share === null ? text("not-measured") : text("changes-answer", often(section.share))];
      const heading = element("h2", {}, title, note.length ? element("small", {}, ...note) : "");
      return element("section", { class: "diff", id: section.rules[0] }, heading, ...cells);
    });
    const same = Object.keys(data.rules).filter((name) => {
      const [mine, theirs] = places.map((game) => data.rules[name].values[game]);
      return mine === theirs && mine >= 0;
    });
    // Not a rule whose sentences tell one with it that differs.
    const isTold = (name) => sections.some(({ rules }) => rules.some((each) => WITH[each] === name));
    const usual = same.filter((name) => USUAL.includes(name) && !isTold(name)).map((name) => saying(name, places[0]));
    summary.replaceChildren(
      sections.length ? counted("differences-sorted", sections.length) : text("rules-differ-none"),
      " ",
      counted("same-rules", same.length),
    );
    place.replaceChildren(
      ...shown,
      ...(usual.length ? [element("section", { class: "same" }, element("h3", {}, text("same-in-both")), element("p", {}, usual.join(" ")))] : []),
    );
    await Promise.all([summary, place].map(damspec.speak));
    document.title = `${[one, other].map((id) => words.games[id]).join(" – ")} – damspec`;
    document.querySelector(".leads a").hash = `games=${one},${other}`;
    if (rule) document.getElementById(sections.find(({ rules }) => rules.includes(rule))?.rules[0])?.scrollIntoView();
  };

  const recall = async () => {
    const [one, other, rule] = decodeURIComponent(location.hash.slice(1)).split(",").map((each) => each.split("?")[0]);
    const known = (id) => [...choices[0].options].some(({ value }) => value === id);
    const games = known(one) && known(other) ? [one, other] : form.dataset.usual.split(",");
    choices.forEach((choice, at) => (choice.value = games[at]));
    await show(...games, rule);
  };
  const choose = () => {
    history.replaceState(null, "", `#${choices.map(({ value }) => value).join()}`);
    return show(...choices.map(({ value }) => value));
  };

  for (const choice of choices) choice.addEventListener("change", choose);
  form.querySelector(".swap").addEventListener("click", () => {
    [choices[0].value, choices[1].value] = [choices[1].value, choices[0].value];
    choose();
  });
  window.addEventListener("hashchange", recall);
  form.hidden = false;
  recall();
}
