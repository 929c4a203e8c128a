// A position as an exercise: the player enters every legal move, is told at once why a move is illegal, and sees at the end
// which moves were missed and what the documents of the game say about them.
"use strict";

/**
 * Puts an exercise into the page. `given` has the `game` with its `name`, the `words`, the `exercise` (its
 * `position`, its purpose `why` as HTML, the `clauses` it shows, and the page of the case, `home`), the rules that can be
 * `lifted` (see `explain`), the `address` of the board to play on, and `next`, a link to another exercise.
 */
damspecPlay.exercise = (place, { game, name, words: data, exercise, lifted, address, next }) => {
  const { element, button, inLetters } = damspec;
  const said = (key, values) => damspec.filled(data[`exercise-${key}`], values);
  const position = game.read(exercise.position);
  const board = damspecBoard.make(game, {
    label: damspec.filled(data.board, { game: name }),
    letters: inLetters(),
    texts: data,
    choose: (square) => choose(square),
    drag: (square) => !done && isOwn(square),
    drop: (from, to) => {
      if (walked().at(-1) !== from) choose(from);
      if (to) choose(to);
    },
  });
  const words = damspecPlay.words(game, board.name, data);
  const why = damspecPlay.explain(game, position, lifted, board.name, data);
  const listening = new AbortController();

  const offers = damspecPlay.session(game, position).offers();
  const legal = offers.filter(({ lapse }) => !lapse).map(({ action }) => action);
  const selection = damspecPlay.selection(offers);
  const found = new Set();
  let done = false;
  /** The chosen square of a piece that cannot move, since wrong attempts begin there too. */
  let stuck = 0;
  const walked = () => (stuck ? [stuck] : selection.walked);
  const isOwn = (square) => position.pieces[square] * (position.side === "W" ? 1 : -1) > 0;

  // --- elements ---

  const status = element("p", { role: "status", class: "told" });
  const count = element("p", { class: "count" });
  const list = element("ol", { class: "found", "aria-label": said("found") });
  const plain = { spellcheck: "false", autocomplete: "off" };
  const text = element("input", { type: "text", "aria-label": said("move"), placeholder: "21-17", ...plain });
  const form = element("form", { class: "position-form" }, text, element("button", { type: "submit" }, said("enter")));
  const other = element("select", { "aria-label": said("other") });
  const others = element("p", { class: "buttons" }, other, button(said("enter-this"), () => attempt(other.value)));
  const finish = button(said("done"), () => end(), { class: "btn go" });
  const rest = element("div", { class: "missed" });
  const links = [
    element("a", { href: exercise.home }, said("home")),
    element("a", { href: `${address}/${exercise.position}` }, said("play-on")),
    ...(next ? [element("a", { href: next }, said("another"))] : []),
  ];

  place.style.setProperty("--shape", board.shape);
  place.replaceChildren(
    element("div", { class: "board-side" }, board.element),
    element("div", { class: "panel exercise" },
      element("h2", {}, `${words.asked(position)}. ${said("find")}`),
      status,
      form,
      others,
      count,
      list,
      element("p", { class: "buttons" }, finish, button(data.again, () => again())),
      rest,
      element("ul", { class: "inline" }, ...links.map((link) => element("li", {}, link)))),
  );

  /** The kinds of action other than moves that the game has. */
  const conceivable = () => {
    const { values } = game;
    const against = [...position.pieces.keys()].filter((square) => position.pieces[square] && !isOwn(square));
    const letters = values["trapdoors.closing"] === "optional" ? ["L", "M", "R", "LM", "RM"] : ["L", "M", "R"];
    return [
      ...Object.keys(values["spin.outcomes"] ?? {}).map((shown) => `spin=${shown}`),
      ...game.board.sliders.flatMap(({ id }) => letters.map((letter) => `${id}=${letter}`)),
      ...(values["spin.slide"] ? ["pass"] : []),
      ...(values["huff.remedies"] ? [...against.map((square) => `huff ${square}`), "retract"] : []),
    ];
  };

  const drawOthers = () => {
    const chosen = other.value;
    const texts = conceivable();
    other.replaceChildren(...texts.map((each) => element("option", { value: each }, words.written(each))));
    other.value = chosen || texts[0];
    others.hidden = !texts.length;
  };

  const clause = ({ id, at, place: where, term, language, says }) =>
    element("li", {},
      element("a", { class: "id", href: damspec.root + at }, id), " ", element("span", { class: "place" }, where), " ",
      element("span", { class: "term", lang: language }, term), " ", element("span", { lang: "en" }, says));

  /** The content shown at the end. */
  const answer = (missed) => {
    const shows = element("p", { lang: "en" });
    shows.innerHTML = exercise.why;
    const items = missed.map((action) => element("li", {}, words.offered({ action })));
    return [
      ...(missed.length ? [element("h3", {}, said("missed")), element("ul", {}, ...items)] : []),
      element("h3", {}, said("shows")),
      shows,
      element("ul", { class: "clauses" }, ...exercise.clauses.map(clause)),
    ];
  };

  const draw = () => {
    const squares = walked();
    const missed = legal.filter((action) => !found.has(action));
    board.show(damspecPlay.halfway(position, squares));
    board.mark({
      squares: squares.slice(0, 1),
      crosses: [...selection.captured(), ...(done ? missed.flatMap(({ captured }) => captured) : [])],
      arrows: done ? missed.map(({ path }) => path).filter((path) => path.length > 1) : [],
      words: squares.length ? { [squares.at(-1)]: data.chosen } : {},
    });
    count.textContent = said(done ? "counted" : "so-far", { found: found.size, all: legal.length });
    list.replaceChildren(...[...found].map((action) => element("li", {}, words.offered({ action }))));
    rest.replaceChildren(...(done ? answer(missed) : []));
    finish.disabled = done;
  };

  // --- actions ---

  const say = (...parts) => status.replaceChildren(...parts);

  const clear = () => {
    selection.clear();
    stuck = 0;
  };

  /** Handles a possible action. */
  const take = ({ action, lapse }) => {
    say(said(lapse ? "lapse" : found.has(action) ? "twice" : "right", { move: words.offered({ action }) }));
    if (!lapse) found.add(action);
    if (found.size === legal.length && legal.length) end();
    else draw();
  };

  const refuse = (squares, given) => {
    clear();
    say(`${said("wrong", { move: words.written(given) })} `, ...why(squares, given));
    draw();
  };

  /** Handles a chosen square. An action that goes on from there is no lapse yet. */
  const choose = (square) => {
    if (done) return;
    const squares = walked();
    if (!stuck && selection.choose(square)) {
      const { offers: ended, more } = selection.ended();
      const entered = more ? ended.filter(({ lapse }) => !lapse) : ended;
      say(selection.walked.length ? said("from", { squares: words.listed(selection.walked) }) : data.nothing);
      if (!more && ended.length) clear();
      entered.forEach(take);
    } else if (isOwn(square)) {
      clear();
      stuck = square;
      say(said("from", { squares: board.name(square) }));
    } else if (squares.length) {
      refuse([...squares, square], [...squares, square].join("-"));
    } else {
      say(words.refused(position, square, { walked: [], offers }));
    }
    draw();
  };

  /** Handles a typed move in numbers or letters, or another action. */
  const attempt = (given) => {
    if (done || !given) return;
    const squares = game.squaresOf(given) ?? [];
    let meant = null;
    try {
      meant = game.find(position, given).text;
    } catch (error) {
      if (!(error instanceof damspec.MoveError)) throw error;
    }
    clear();
    if (meant === null) refuse(squares, given);
    else take(offers.find(({ action }) => action.text === meant));
  };

  const end = () => {
    done = true;
    clear();
    const missing = found.size < legal.length;
    const counted = said("counted", { found: found.size, all: legal.length });
    say(missing ? `${counted} ${said("missing")}` : said("all-found"));
    draw();
  };

  const again = () => {
    done = false;
    found.clear();
    clear();
    say("");
    draw();
  };

  // --- events ---

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(text.value.trim());
    text.value = "";
  });
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !walked().length) return;
    clear();
    say(data.nothing);
    draw();
  }, listening);
  document.addEventListener("notation", () => {
    board.write(inLetters());
    drawOthers();
    draw();
  }, listening);

  drawOthers();
  draw();
  return { stop: () => listening.abort() };
};

/**
 * Returns a function that explains why a move is illegal in a position, like `damspec replay`: what stands in its way, or
 * the rule without which it would be legal. `lifted` are rules with their texts and the values by which they forbid less,
 * null for a removed rule; `name` writes a square. The function takes squares, or the text of an action that moves no
 * piece, and returns the content to show: the rule, with the clauses that it rests on; the rest in `texts`.
 */
damspecPlay.explain = (game, position, lifted, name, texts) => {
  /** The legal moves with one rule lifted, worked out on demand. */
  const without = lifted.map(({ rule, title, says, changes, clauses }) => {
    let moves = null;
    const values = Object.entries({ ...game.values, ...changes }).filter(([, value]) => value !== null);
    return { rule, title, says, clauses, moves: () => (moves ??= damspec.rules(Object.fromEntries(values)).moves(position)) };
  });

  /** Whether squares are the beginning of an action, or its two ends. */
  const begins = ({ path, paths }, squares) =>
    paths.some((way) => squares.every((square, at) => way.path[at] === square)) ||
    (path[0] === squares[0] && path.at(-1) === squares.at(-1));

  return (squares, text) => {
    const end = squares.at(-1);
    if (squares.length > 1 && end !== squares[0] && position.pieces[end]) {
      return [damspec.filled(texts["stands-there"], { square: name(end) })];
    }
    const meant = (action) => (squares.length ? begins(action, squares) : action.text === text);
    const found = without.find(({ moves }) => moves().some(meant));
    if (!found) return [squares.length ? texts["not-so"] : texts["exercise-impossible"]];
    const link = (href, text) => damspec.element("a", { href: damspec.root + href }, text);
    const clauses = found.clauses.flatMap(({ id, at }, place) => [place ? ", " : " (", link(at, id)]);
    return [link(`rules/${found.rule}.html`, found.title), texts.colon, found.says, ...clauses, clauses.length ? ")" : ""];
  };
};

/**
 * The rules of one's own that can be lifted, for `explain`: first those that restrict the choice of moves, then each rule
 * about moves with the values that other games have. What follows from a changed value is changed with it.
 */
damspecPlay.lifted = (values, { rules }, texts) => {
  const isMovement = (rule) => {
    const { affects } = rules[rule];
    return rule in values && !affects.includes("doors") && (affects.includes("quiet") || affects.includes("captures"));
  };
  const others = (rule) => {
    const known = new Set(damspecLink.known(rule).map((value) => JSON.stringify(value)));
    return [...known].map((value) => ({ [rule]: JSON.parse(value) }));
  };
  const changes = [
    { "capture.duty": "optional" },
    { "capture.choice": [] },
    { "capture.completion": "may-stop", "capture.choice": [] },
    ...Object.keys(rules).filter(isMovement).flatMap(others),
  ];
  return changes.flatMap((change) => {
    const [rule] = Object.keys(change);
    const settled = damspec.settled({ ...values, ...change });
    if (damspec.problems(settled).length) return [];
    const gone = Object.keys(values).filter((each) => !(each in settled));
    const nothing = Object.fromEntries(gone.map((each) => [each, null]));
    return [{ rule, changes: { ...settled, ...nothing }, title: texts.title(rule), says: texts.whole(rule, values), clauses: [] }];
  });
};
