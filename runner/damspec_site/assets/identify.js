// The page that finds out which game is ours: one question a screen, and at the end the game with what is otherwise in ours.
// The address after # has the answers.
"use strict";

{
  const { element } = damspec;
  const { MORE, changed, key } = damspecIdentify;
  /** About how many questions it takes, how many games that fit are drawn as discs, how many of them are named, and how many of
   * those in plain sight; and how many that come near are named. */
  const USUAL = 9, DISCS = 24, NAMED = 8, FEW = 4, NEAR = 3;
  /** The rule that a rule often repeats. */
  const REPEATED = { "man.capture.later": "man.capture.first" };
  const place = document.getElementById("identify");
  const isGame = (values) => !damspec.problems(values).length;
  let data, session, texts, tongue;
  /** How many discs were drawn before the last answer. */
  let fitted = 0;

  // --- words ---

  const say = (name, values = {}) => damspec.filled(tongue.identify[name], values);
  const counted = (name, number) => say(number === 1 ? `${name}-one` : name, { number });
  const linked = (game) => element("a", { href: damspec.root + damspec.gamePage(game) }, texts.game(game));

  const sentence = (rule, values, isAlone) => {
    const before = REPEATED[rule];
    if (!before || key(values[rule]) !== key(values[before])) return texts.sentence(rule, values);
    return isAlone ? say(`alone-${rule}`, { ways: texts.directions(values[rule]) }) : say(`alike-${rule}`);
  };
  const isOfDraws = (rules) => rules.some((rule) => rule.startsWith("draws."));
  /** What rule values say about rules that go together. */
  const told = (unit, values, isAlone = true) => {
    if (unit === MORE) return say("no-more");
    if (isOfDraws(unit) && !isOfDraws(Object.keys(values))) return say("no-draws");
    const found = unit.filter((rule) => rule in values && rule in tongue.rules);
    return found.length ? found.map((rule) => sentence(rule, values, isAlone)).join(" ") : say("without");
  };

  /** What a choice of how a rule is says. */
  const chosen = ({ unit, changes, told: mine }, values) => told(unit, changed(values, { ...changes, ...mine }));

  // --- boards ---

  /** A drawing with what stands on the board in words. */
  const board = (drawing, words = "") => {
    const holder = element("div", { class: "pic" });
    holder.innerHTML = drawing;
    holder.firstElementChild.setAttribute(...(words ? ["aria-label", words] : ["aria-hidden", "true"]));
    return holder;
  };
  const drawingOf = (game) => data.boards[data.games[game][1]];
  const startOf = (game) => board(drawingOf(game));
  /** What stands where, and the move. */
  const standing = ({ fen, move }) => {
    const [, ...sides] = fen.split(":");
    const [king] = tongue.phrases.pieces.king;
    const words = sides.map((side) => {
      const pieces = side.slice(1).split(",").filter(Boolean).map((each) => each.replace("K", `${king} `)).join(", ");
      return damspec.filled(tongue.position[side[0] === "W" ? "white" : "black"], { pieces: pieces || tongue.position.nothing });
    });
    return [...words, ...(move ? [`${move}.`] : [])].join(" ");
  };
  /** A board that shows the first of some rules that a picture has, if they are as they are in the likeliest game. */
  const showing = (units, values) => {
    const [{ game }] = session.standing();
    const known = units.filter((unit) => unit !== MORE && session.asked.same(unit, game.values, values)).flat();
    const isShown = ({ rule, move }, at) => move && known.includes(rule) && game.letters[at] === "y";
    const found = session.asked.questions.find(isShown);
    return found ? board(found.wood, standing(found)) : startOf(game.id);
  };

  // --- questions ---

  const button = (text, said, attributes) => damspec.button(text, () => answer(said), { class: "btn", ...attributes });
  const line = (text, at) => button(text, String(at), { class: "line" });
  const link = (text, press) => damspec.button(text, press, { class: "link" });
  const unknown = (wide = "wide") => button(say("unknown"), "unknown", { class: `btn ${wide}`, "aria-keyshortcuts": "?" });

  const heading = (text, why) => [element("h1", { tabindex: "-1" }, text), ...(why ? [element("p", { class: "why" }, why)] : [])];
  const answers = (...buttons) => element("div", { class: "answers" }, ...buttons);
  const linesOf = (lines) => element("div", { class: "lines" }, ...lines);

  /** A board that somebody may play on: what tells it from the others, and how large it is. */
  const boardName = ({ game, values }, others) => {
    const { "board.size": size, "board.squares": squares, "board.dark-corner": corner } = values;
    const isTurned = ({ values: other }) => other["board.size"] === size && other["board.dark-corner"] === "right";
    const men = `${drawingOf(game).match(/#w-[mk]w/g).length} ${tongue.phrases.pieces.man[1]}`;
    const large = size.replace("x", " × ");
    if ("trapdoors.layout" in values) return [say("with-doors"), `${large}, ${men}`, men];
    if (squares === "all") return [say("all-squares"), `${large}, ${men}`, men];
    return others.some(isTurned) ? [say(`${corner}-corner`), `${large}, ${men}`, men] : [large, men, men];
  };

  const DRAWN = {
    boards: (question) => {
      const heads = new Set();
      const named = question.options.map((option, at) => {
        const [name, large, men] = boardName(option, question.options);
        const head = heads.has(name) ? men : name;
        heads.add(head);
        return [head, large, option.game, String(at)];
      });
      const isCorner = (name) => name === say("left-corner") || name === say("right-corner");
      // Boards that differ in their dark corner alone stand side by side.
      const picks = named.sort(([one], [other]) => isCorner(other) - isCorner(one)).map(([name, large, game, at]) => {
        const pick = button("", at, { class: "pick", "data-board": game, "aria-label": `${name}, ${large}` });
        pick.append(startOf(game), element("span", {}, name, element("small", {}, large)));
        return pick;
      });
      const others = question.more ? [button(say("other-board"), "none"), unknown("")] : [unknown()];
      return [...heading(say("which-board"), say("count")), element("div", { class: "choice" }, ...picks), answers(...others)];
    },
    picture: (question) => {
      const { asks, shows } = tongue.identify;
      const [{ game }] = session.standing();
      const yes = button(say("yes"), "yes", { "aria-keyshortcuts": "y" });
      const no = button(say("no"), "no", { "aria-keyshortcuts": "n" });
      return [
        question.wood ? board(question.wood, standing(question)) : startOf(game.id),
        element("div", { class: "says" }, ...heading(asks[question.id], shows[question.id]), answers(yes, no, unknown())),
      ];
    },
    check: ({ units, values }) => {
      const lines = units.map((unit, at) => line(told(unit, values, !at), at));
      const yes = button(say("all-so"), "yes", { class: "btn go", "aria-keyshortcuts": "y" });
      return [
        showing(units, values),
        element("div", { class: "says" }, ...heading(say("read"), say("tap")), linesOf(lines), answers(yes, unknown(""))),
      ];
    },
    how: ({ unit, options, values, more }) => {
      const seen = new Set();
      const lines = options.flatMap((option, at) => {
        const text = chosen(option, values);
        if (seen.has(text)) return [];
        seen.add(text);
        return [line(text, at)];
      });
      const title = unit === MORE ? "" : texts.title(unit[0]);
      return [...heading(say("how"), title), linesOf(lines), answers(button(say("other"), "none"), unknown(""))];
    },
  };

  const links = () => [link(say("back"), () => startOver(session.given.length - 1)), " · ", link(say("anew"), () => startOver(0))];
  /** How far it is: a ring for each question, and when few games still fit a disc for each of them. */
  const progress = () => {
    const number = session.given.length;
    const state = (at) => (at < number ? "ok" : at > number ? "" : "now");
    const dots = Array.from({ length: Math.max(USUAL, number + 1) }, (_, at) => element("i", { class: state(at) }));
    return element("p", { class: "steps", role: "img", "aria-label": say("question", { number: number + 1 }) }, ...dots);
  };
  const left = () => {
    // Variants are on the page of their game, and count once.
    const fitting = session.fitting();
    const likely = session.standing().filter(({ game }) => fitting.includes(game));
    const games = [...new Set(likely.map(({ game }) => damspec.variants[game.id] ?? game.id))];
    const size = games.length;
    const pile = element("div", { class: "pile", "aria-hidden": "true" });
    const few = size > DISCS ? 0 : size;
    const discs = (number, name) => `<svg viewBox="0 0 100 100" class="${name}"><use href="#w-mb"/></svg>`.repeat(number);
    pile.innerHTML = discs(few, "") + discs(Math.max(0, fitted - few), "gone");
    fitted = few;
    const fits = size ? counted("fit", size) : say("fit-none");
    const names = games.slice(0, NAMED).flatMap((game, at) => (at ? [", ", linked(game)] : [linked(game)]));
    const named = element("p", {}, ...names, ...(size > NAMED ? [", …"] : []));
    const isBegun = session.given.length > 0;
    const told = isBegun && size > FEW ? [folded(fits, named)] : [element("p", {}, fits), ...(isBegun ? [named] : [])];
    return element("div", { class: "left" }, pile, ...told, element("p", {}, ...(isBegun ? links() : [])));
  };

  const show = (question) => {
    const whole = element("div", { class: `ask ${question.kind}` }, ...DRAWN[question.kind](question));
    const says = whole.querySelector(".says") ?? whole;
    says.prepend(progress());
    says.append(left());
    place.replaceChildren(whole);
  };

  // --- the game ---

  /** What is otherwise than in the game; not what only goes with another rule that is gone. */
  const house = ({ game, differs, values }) => {
    const before = session.asked.games.find(({ id }) => id === game).values;
    const picked = new Set(session.given.map(({ question, said }) => question.options?.[Number(said)]?.unit?.[0]));
    const lines = differs.map((unit) => {
      if (unit.some((rule) => rule in values) || isOfDraws(unit)) return told(unit, values);
      return picked.has(unit[0]) && say("not", { sentence: told(unit, before) });
    });
    return [...new Set(lines.filter(Boolean))];
  };

  const folded = (title, ...inside) => element("details", { class: "fold" }, element("summary", {}, title), ...inside);

  /** A question that was asked, and what was said to it. */
  const REPLIES = {
    boards: ({ options }, said, option) => [
      say("which-board"), option ? boardName(option, options).join(", ") : say(said === "none" ? "other-board" : "unknown"),
    ],
    picture: ({ id }, said) => [tongue.identify.asks[id], say(said)],
    check: ({ units, values }, said) => {
      const unit = units[Number(said)];
      return unit ? [told(unit, values), say("no")] : [units.map((each) => told(each, values)).join(" "), say(said)];
    },
    different: () => [say("different"), ""],
    how: ({ values }, said, option) => [say("how"), option ? chosen(option, values) : say("unknown")],
  };
  const answered = ({ question, said }, at) => {
    const [asks, reply] = REPLIES[question.kind](question, said, question.options?.[Number(said)]);
    const again = link(say("again"), () => startOver(at));
    return element("li", {}, asks, " ", element("b", {}, reply), " ", again);
  };

  const conclude = () => {
    const verdict = session.verdict(isGame);
    const { game, values, exactly, near, unclear } = verdict;
    const own = house(verdict);
    const named = own.length ? say("as-told", { game: texts.game(game) }) : "";
    const rules = damspecLink.write({ base: game, name: named, values });
    const played = `${damspec.root}${damspec.inLanguage("play/index.html")}#${own.length ? "rules=" : ""}${rules}`;
    const notes = [
      ...(own.length || unclear.length ? [] : [say("as-known")]),
      ...(exactly.length ? [say("exactly", { games: exactly.map(texts.game).join(", ") })] : []),
      ...(unclear.length ? [say("unclear", { titles: unclear.map(([rule]) => texts.title(rule)).join(", ") })] : []),
    ];
    const nearest = near.slice(0, NEAR).map((id) => element("li", {}, linked(id)));
    const workshop = element("a", { href: `${damspec.root}${damspec.inLanguage("workshop/index.html")}#${rules}` }, say("workshop"));
    const rulesOfOwn = own.map((each) => element("li", {}, element("b", {}, each)));
    const wholeGame = element("div", { class: "says" },
      element("p", { class: "why" }, counted("after", session.given.length)),
      element("h1", { tabindex: "-1" }, say("found", { game: texts.game(game) })),
      ...(own.length ? [element("p", { class: "but" }, counted("own", own.length)), element("ul", { class: "house-rules" }, ...rulesOfOwn)] : []),
      ...notes.map((each) => element("p", { class: "but" }, each)),
      element("p", { class: "acts" },
        element("a", { class: "btn go", href: damspec.root + damspec.gamePage(game) }, say("sheet")),
        element("a", { class: "btn", href: played }, say("play"))),
      folded(say("near"), element("ul", {}, ...nearest), element("p", {}, workshop)),
      folded(say("answers"), element("ol", {}, ...session.given.map(answered))),
      element("p", { class: "left" }, link(say("different"), () => answer("no")), " · ", ...links()));
    place.replaceChildren(element("div", { class: "ask result" }, startOf(game), wholeGame));
  };

  // --- events ---

  /** What is said to a game that is not the right one. */
  const DIFFERENT = { kind: "different", id: "different" };
  let asking = null, turn = 0;

  const remember = () => {
    const kept = session.given.map(({ question, said }) => `${question.id}:${said}`).join("&");
    history.replaceState(null, "", kept ? `#${kept}` : location.pathname + location.search);
  };

  /** The next question, or the game; the heading is read out, but not when the page opens. */
  const next = async (isFirst = false) => {
    const mine = ++turn;
    try {
      const question = await session.next();
      if (!question) await Promise.all(["assets/interpreter.js", "assets/ruleset-link.js"].map(damspec.script));
      if (mine !== turn) return;
      asking = question ?? DIFFERENT;
      remember();
      if (question) show(question);
      else conclude();
      scrollTo(0, 0);
      if (!isFirst) place.querySelector("h1").focus();
    } catch {
      document.getElementById("broken").hidden = false;
    }
  };
  const answer = (said) => {
    session.given.push({ question: asking, said });
    next();
  };
  /** Takes all answers back but the first so many. */
  const startOver = (from) => {
    session.given.length = from;
    next();
  };

  /** Answers as the address has them, as long as the same is asked. */
  const recall = async () => {
    session.given = [];
    for (const part of decodeURIComponent(location.hash.slice(1)).split("&").filter(Boolean)) {
      const at = part.lastIndexOf(":");
      const question = (await session.next()) ?? DIFFERENT;
      if (question.id !== part.slice(0, at)) break;
      session.given.push({ question, said: part.slice(at + 1) });
    }
    return next(true);
  };

  const begin = async () => {
    const parts = ["identify/questions", "workshop/language"].map(damspec.part);
    const scripts = ["assets/rulesets.js", "assets/rule-texts.js"].map(damspec.script);
    const [content, language, words] = await Promise.all([...parts, damspec.texts(), ...scripts]);
    [data, tongue] = [content, words];
    texts = damspecRuleTexts(language, tongue);
    const asked = new damspecIdentify.Questionnaire(data, damspecRulesets);
    session = new damspecIdentify.Session(asked, (game) => damspec.part(`identify/changes/${game}`));
    document.addEventListener("keydown", ({ key: pressed, target, ctrlKey, metaKey, altKey }) => {
      if (target.closest("input, select, textarea") || ctrlKey || metaKey || altKey) return;
      const found = place.querySelector(`[aria-keyshortcuts="${CSS.escape(pressed)}"]`);
      if (found) found.click();
      else if (pressed === "u" && session.given.length) startOver(session.given.length - 1);
    });
    addEventListener("hashchange", recall);
    await recall();
  };

  begin().catch(() => {
    document.getElementById("broken").hidden = false;
  });
}
