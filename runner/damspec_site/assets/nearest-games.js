// The known games nearest to a set of rules: ranked by the rules that differ, weighed by how often each changes the answer
// (cases/generated/distances.yaml), and shown with the smallest position that tells them apart.
"use strict";

const damspecNearest = ({ rules, weights }) => {
  const { same } = damspecLink;
  const games = damspecRulesets;
  const affects = (rule, ...what) => rules[rule].affects.some((each) => what.includes(each));

  /** The share of a game's positions in which another value of a rule changes the answer; null if not measured. */
  const weight = (rule, game, value) => {
    const found = weights[game].find(([each, as]) => each === rule && same(games[as].values[rule], value));
    return found ? found[2] : null;
  };

  /** The rules whose values differ from a game's, each with its weight; rules without a value yet (`open`) are left out. */
  const differing = (values, game, open) =>
    Object.keys(rules)
      .filter((rule) => !open.includes(rule) && !same(values[rule], games[game].values[rule]))
      .map((rule) => ({ rule, weight: weight(rule, game, values[rule]) }))
      .sort((one, other) => (other.weight ?? 0) - (one.weight ?? 0));

  const sum = (differs) => differs.reduce((all, { weight }) => all + (weight ?? 0), 0);

  /** All games, the nearest first: `{game, differs}`. */
  const ranked = (values, open = []) =>
    Object.keys(games)
      .map((game) => ({ game, differs: differing(values, game, open) }))
      .sort((one, other) => one.differs.length - other.differs.length || sum(one.differs) - sum(other.differs));

  /** Values on the board of others, so that both answer the same positions. */
  const onBoardOf = (host, values) => {
    const found = { ...values };
    for (const rule of Object.keys(rules)) if (affects(rule, "board", "setup")) found[rule] = host[rule];
    return found;
  };

  const sameBoard = (one, other) =>
    Object.keys(rules).every((rule) => !affects(rule, "board") || same(one[rule], other[rule]));

  /** Whether a position can show that a rule differs. */
  const shows = (rule) => !rules[rule].affects.every((each) => ["board", "setup", "first", "history"].includes(each));

  return { ranked, onBoardOf, sameBoard, shows };
};

/** Shows a position that tells two sets of rules apart, with what each allows there: see damspecDifferenceSearch. */
const damspecTelltale = (texts) => {
  const { element } = damspec;
  const RESULTS = { white: "wins-white", black: "wins-black", draw: "drawn" };

  /** The legal actions in a position; where the game is over its result, with the actions only if `both`. */
  const answer = (title, { moves, lapses, result }, board, both) => {
    const ended = RESULTS[result] && texts.page(RESULTS[result]);
    const squares = (text) => (damspec.inLetters() && !/[=:]/.test(text) ? text.replace(/\d+/g, (square) => board.name(Number(square))) : text);
    const listed = (actions) => actions.map(squares).join(", ");
    const words = [listed(moves) || texts.page("no-moves"), ...(lapses.length ? [`(${listed(lapses)})`] : [])];
    const played = element("code", {}, words.join(" "));
    const shown = !ended ? [played] : both ? [played, ` · ${ended}`] : [ended];
    return element("p", { class: "actions" }, element("strong", {}, `${title}:`), " ", ...shown);
  };

  return (values, best, [mine, theirs]) => {
    const rules = damspec.rules(values);
    const drawn = damspecBoard.make(rules, { label: best.fen, letters: damspec.inLetters(), still: true });
    drawn.show(rules.read(best.drawn));
    const both = best.over && best.mine.result === best.other.result;
    return [
      element("p", {}, texts.page("tells", { pieces: texts.counted("piece", best.pieces) })),
      element("div", { class: "small" }, drawn.element),
      element("p", {}, element("code", {}, best.fen)),
      answer(mine, best.mine, rules.board, both),
      answer(theirs, best.other, rules.board, both),
    ];
  };
};

/** Shows them in the element `place`; `chosen` has the `values`. */
const damspecNeighbours = ({ place, telling, near, texts, chosen }) => {
  const { element } = damspec;
  const games = damspecRulesets;
  /** The number of games shown; the pause before positions are searched, in milliseconds. */
  const NEAREST = 3, REST = 300;
  let searching;

  const difference = (game, { rule, weight }) =>
    element("li", {},
      element("strong", {}, texts.title(rule)),
      ...(weight ? [` (${texts.page("often", { number: Math.max(1, Math.round(1000 * weight)) })})`] : []),
      element("br"),
      `${texts.page("here")} ${texts.sentence(rule, chosen.values)}`,
      element("br"),
      `${texts.page("there")} ${texts.sentence(rule, games[game].values)}`,
    );

  const show = (wrong) => {
    const open = wrong.filter(texts.leavesUnsaid).map(({ rule }) => rule);
    const ranked = near.ranked(chosen.values, open);
    const same = ranked.filter(({ differs }) => !differs.length);
    const equal = wrong.length ? [] : same;
    const shown = same.length ? [] : ranked.slice(0, NEAREST);
    place.parentElement.hidden = !equal.length && !shown.length;
    const named = (game) => element("a", { href: damspec.root + damspec.gamePage(game), hreflang: "en" }, texts.game(game));
    const [before, after] = texts.page("same", "\n").split("\n");
    const equals = equal.flatMap(({ game }, at) => [...(at ? [", "] : []), named(game)]);
    place.replaceChildren(
      element("p", { id: "workshop-equal" }, ...(equal.length ? [before, ...equals, after] : [texts.page("next")])),
      ...shown.map(({ game, differs }) => {
        const [begun, ended] = texts.page(differs.length === 1 ? "differs" : "differ", { "": "\n", number: differs.length }).split("\n");
        return element("section", { class: "neighbour", "data-game": game },
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

  const titlesOf = (differs) => differs.map(({ rule }) => texts.title(rule)).join(", ");

  /** Looks for a position for each of the nearest games, and shows what comes of it. */
  const seek = async (shown) => {
    const { values } = chosen;
    const positions = await damspec.part("workshop/positions");
    if (values !== chosen.values) return;
    const pairs = [];
    for (const { game, differs } of shown) {
      const theirs = near.onBoardOf(values, games[game].values);
      const to = tellingOf(game);
      if (!differs.some(({ rule }) => near.shows(rule))) {
        to.replaceChildren(element("p", {}, texts.page("no-position")));
      } else if (damspec.problems(theirs).length) {
        to.replaceChildren(element("p", {}, texts.page("unboarded")));
      } else {
        pairs.push({ id: game, mine: values, other: theirs, pool: positions[values["board.size"]] ?? [] });
      }
    }
    telling.ask(pairs, ({ id, tried, best, done }) => {
      const to = values === chosen.values && tellingOf(id);
      if (!to) return;
      const number = damspec.number(tried);
      if (best?.fen !== to.dataset.fen) {
        to.dataset.fen = best.fen;
        to.replaceChildren(...telltale(chosen.values, best, namesOf(id)), element("p", { class: "fine" }));
      } else if (!best && !to.children.length) to.append(element("p"));
      const none = best ? "" : texts.page("untold", { number });
      to.lastElementChild.textContent = done ? none : texts.page("seeking", { number });
      if (done && !near.sameBoard(values, games[id].values)) to.append(element("p", { class: "fine" }, texts.page("on-board")));
    });
  };

  const telltale = damspecTelltale(texts);
  const namesOf = (game) => [texts.page("by-yours"), texts.page("by-theirs", texts.game(game))];
  const tellingOf = (game) => place.querySelector(`[data-game="${game}"] .telling`);

  return { show };
};
