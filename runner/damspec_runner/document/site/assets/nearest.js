// Which known games a set of rules equals or lies next to: the rules in which they differ, those first that change the
// answer most often, as cases/generated/distances.yaml has it.
"use strict";

const damspecNearest = ({ rules, weights }) => {
  const { same } = damspecLink;
  const games = damspecRulesets;
  const affects = (rule, ...what) => rules[rule].affects.some((each) => what.includes(each));

  /** The share of a game's positions in which a rule changes the answer if it has another value; null if nobody knows. */
  const weight = (rule, game, value) => {
    const found = weights[game].find(([each, as]) => each === rule && same(games[as].values[rule], value));
    return found ? found[2] : null;
  };

  /** The rules in which values differ from a game's, each with its weight; a rule that nobody has chosen yet does not. */
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

  /** The values of a game on the board of others, as positions can be held against each other. */
  const onBoardOf = (host, game) => {
    const found = { ...games[game].values };
    for (const rule of Object.keys(rules)) if (affects(rule, "board", "setup")) found[rule] = host[rule];
    return found;
  };

  const sameBoard = (values, game) =>
    Object.keys(rules).every((rule) => !affects(rule, "board") || same(values[rule], games[game].values[rule]));

  /** Whether a position can show that a rule differs. */
  const shows = (rule) => !rules[rule].affects.every((each) => ["board", "setup", "first", "history"].includes(each));

  return { ranked, onBoardOf, sameBoard, shows };
};
