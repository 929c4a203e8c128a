// What the workshop tells of the known games that lie nearest: what differs, and the smallest position that shows it, which
// is looked for while the reader goes on.
"use strict";

/** `place` is where it is told, `chosen` has the `values`; `letters()` says how squares are written. */
const damspecNeighbours = ({ place, telling, near, told, chosen, letters }) => {
  const { element } = damspec;
  const games = damspecRulesets;
  /** How many of the nearest games are told of; how long choosing rests before positions are looked for. */
  const NEAREST = 3, REST = 300;
  let searching;

  const difference = (game, { rule, weight }) =>
    element(
      "li",
      {},
      element("strong", {}, told.title(rule)),
      ...(weight ? [` (${told.said("often", { number: Math.max(1, Math.round(1000 * weight)) })})`] : []),
      element("br"),
      `${told.said("here")} ${told.sentence(rule, chosen.values)}`,
      element("br"),
      `${told.said("there")} ${told.sentence(rule, games[game].values)}`,
    );

  const show = (wrong) => {
    const open = wrong.filter(({ kind }) => kind === "missing").map(({ rule }) => rule);
    const ranked = near.ranked(chosen.values, open);
    const same = ranked.filter(({ differs }) => !differs.length);
    const equal = wrong.length ? [] : same;
    const shown = same.length ? [] : ranked.slice(0, NEAREST);
    place.parentElement.hidden = !equal.length && !shown.length;
    const named = (game) => element("a", { href: `${damspec.root}rulesets/${game}.html`, hreflang: "en" }, told.game(game));
    const [before, after] = told.said("same", "\n").split("\n");
    const equals = equal.flatMap(({ game }, at) => [...(at ? [", "] : []), named(game)]);
    place.replaceChildren(
      element("p", { id: "workshop-equal" }, ...(equal.length ? [before, ...equals, after] : [told.said("next")])),
      ...shown.map(({ game, differs }) => {
        const [begun, ended] = told.said(differs.length === 1 ? "differs" : "differ", { "": "\n", number: differs.length }).split("\n");
        return element(
          "section",
          { class: "neighbour", "data-game": game },
          element("h3", {}, begun, named(game), ended),
          element("details", {}, element("summary", {}, titlesOf(differs)), element("ul", {}, ...differs.map((each) => difference(game, each)))),
          element("div", { class: "telling" }),
        );
      }),
    );
    clearTimeout(searching);
    telling.ask([]);
    if (wrong.length || !shown.length) return;
    searching = setTimeout(() => seek(shown), REST);
  };

  const titlesOf = (differs) => differs.map(({ rule }) => told.title(rule)).join(", ");

  /** Looks for a position for each of the nearest games, and shows what comes of it. */
  const seek = async (shown) => {
    const { values } = chosen;
    const positions = await damspec.part("workshop/positions");
    if (values !== chosen.values) return;
    const pairs = [];
    for (const { game, differs } of shown) {
      const theirs = near.onBoardOf(values, game);
      const to = tellingOf(game);
      if (!differs.some(({ rule }) => near.shows(rule))) {
        to.replaceChildren(element("p", {}, told.said("no-position")));
      } else if (damspec.problems(theirs).length) {
        to.replaceChildren(element("p", {}, told.said("unboarded")));
      } else {
        pairs.push({ id: game, mine: values, other: theirs, pool: positions[values["board.size"]] ?? [] });
      }
    }
    telling.ask(pairs, ({ id, tried, best, done }) => {
      const to = values === chosen.values && tellingOf(id);
      if (!to) return;
      const number = tried.toLocaleString(told.tag);
      if (best?.fen !== to.dataset.fen) {
        to.dataset.fen = best.fen;
        to.replaceChildren(...telltale(id, best), element("p", { class: "fine" }));
      } else if (!best && !to.children.length) to.append(element("p"));
      const none = best ? "" : told.said("untold", { number });
      to.lastElementChild.textContent = done ? none : told.said("seeking", { number });
      if (done && !near.sameBoard(values, id)) to.append(element("p", { class: "fine" }, told.said("on-board")));
    });
  };

  const tellingOf = (game) => place.querySelector(`[data-game="${game}"] .telling`);

  /** A position that tells two games apart, with what each allows there. */
  const telltale = (game, best) => {
    const rules = damspec.rules(chosen.values);
    const drawn = damspecBoard.make(rules, { label: best.fen, letters: letters() });
    drawn.show(rules.read(best.drawn));
    const both = best.over && best.mine.result === best.other.result;
    return [
      element("p", {}, told.said("tells", { pieces: told.counted("piece", best.pieces) })),
      element("div", { class: "small" }, drawn.element),
      element("p", {}, element("code", {}, best.fen)),
      answer(told.said("by-yours"), best.mine, rules.board, both),
      answer(told.said("by-theirs", told.game(game)), best.other, rules.board, both),
    ];
  };

  const RESULTS = { white: "wins-white", black: "wins-black", draw: "drawn" };
  /** What can be played in a position; where the game is over how it has ended, and what could be played only if `both`. */
  const answer = (title, { moves, lapses, result }, board, both) => {
    const ended = RESULTS[result] && told.said(RESULTS[result]);
    const squares = (text) => (letters() && !/[=:]/.test(text) ? text.replace(/\d+/g, (square) => board.name(Number(square))) : text);
    const listed = (texts) => texts.map(squares).join(", ");
    const words = [listed(moves) || told.said("no-moves"), ...(lapses.length ? [`(${listed(lapses)})`] : [])];
    const played = element("code", {}, words.join(" "));
    const shown = !ended ? [played] : both ? [played, ` · ${ended}`] : [ended];
    return element("p", { class: "actions" }, element("strong", {}, `${title}:`), " ", ...shown);
  };

  return { show, stop: () => clearTimeout(searching) };
};
