// A position as an exercise: whoever plays enters every move that is legal there, sees at the end which were missed and
// what the game's documents say of them, and is told at once why a move is none.
"use strict";

/**
 * Puts an exercise into the page. `given` has the `game` with its `name`, the `exercise` (the `position`, `why` it is there, the `clauses`
 * it shows, `home`, where its page is), `lifted`, rules with what each says and values by which it would forbid less, and `next`,
 * a link to another one.
 */
damspecPlay.exercise = (place, { game, name, words: data, exercise, lifted, next, address }) => {
  const made = damspec.element;
  const notation = document.getElementById("notation");
  const inLetters = () => notation?.value === "letters";
  const position = game.read(exercise.position);
  const board = damspecBoard.make(game, {
    label: `Board of ${name}`,
    letters: inLetters(),
    choose: (square) => choose(square),
    drag: (square) => !done && isOwn(square),
    drop: (from, to) => {
      if (walked().at(-1) !== from) choose(from);
      if (to) choose(to);
    },
  });
  const words = damspecPlay.words(game, board.name, data);
  const legal = game.legal(position);
  const offers = [...legal.moves.map((action) => ({ action, lapse: false })), ...legal.lapses.map((action) => ({ action, lapse: true }))];
  const steps = damspecPlay.steps(offers);
  const found = new Set();
  /** The square of a piece that can do nothing, if it was chosen; wrong attempts begin with it too. */
  let stuck = 0, done = false;
  const walked = () => (stuck ? [stuck] : steps.walked);
  const isOwn = (square) => position.pieces[square] > 0 === (position.side === "W") && position.pieces[square] !== 0;

  // --- why a move is none ---

  /** What is legal with one rule lifted, worked out when it is first asked for. */
  const without = lifted.map(([rule, says, changes]) => {
    let moves = null;
    const values = Object.entries({ ...game.values, ...changes }).filter(([, value]) => value !== null);
    return { rule, says, moves: () => (moves ??= damspec.rules(Object.fromEntries(values)).moves(position)) };
  });

  const begins = (action, squares) =>
    action.paths?.some(({ path }) => squares.every((square, at) => path[at] === square)) ||
    (action.path?.[0] === squares[0] && action.path.at(-1) === squares.at(-1));

  const why = (squares, text) => {
    const end = squares.at(-1);
    if (squares.length > 1 && end !== squares[0] && position.pieces[end]) return [`A piece stands on ${board.name(end)}.`];
    const rule = without.find(({ moves }) =>
      moves().some((action) => (squares.length ? begins(action, squares) : action.text === text)),
    );
    if (!rule) return [squares.length ? "No piece goes there like this." : "This cannot be done here."];
    return [`By the rule: ${rule.says} (`, made("a", { href: `${damspec.root}rules/${rule.rule}.html` }, "the rule"), ")"];
  };

  // --- what there is in the page ---

  const button = (text, act, attributes = {}) => {
    const found = made("button", { type: "button", ...attributes }, text);
    found.addEventListener("click", act);
    return found;
  };
  const status = made("p", { role: "status", class: "told" });
  const count = made("p", { class: "turn" });
  const list = made("ol", { class: "found", "aria-label": "Found" });
  const text = made("input", { type: "text", "aria-label": "A move", spellcheck: "false", autocomplete: "off", placeholder: "21-17" });
  const form = made("form", { class: "position-form" }, text, made("button", { type: "submit" }, "Enter"));
  const other = made("select", { "aria-label": "Another action" });
  const enter = made("p", { class: "buttons" }, other, button("Enter this", () => attempt(other.value)));
  const finish = button("Done: show what is missing", () => end(), { class: "main" });
  const rest = made("div", { class: "missed" });

  place.replaceChildren(
    made("div", { class: "board-side" }, board.element, status),
    made(
      "div",
      { class: "desk" },
      made("p", { class: "turn" }, `${words.asked(position)}. Find every legal move here: on the board, or written.`),
      form,
      enter,
      count,
      list,
      made("p", { class: "buttons" }, finish, button("Start again", () => again())),
      rest,
      made("p", {}, made("a", { href: exercise.home }, "The position with its answer"), " · ", made("a", { href: `${address}/${exercise.position}` }, "Play on from here"), ...(next ? [" · ", made("a", { href: next }, "Another exercise")] : [])),
    ),
  );

  /** What can be done in some position of the game beside moving a piece. */
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

  const fillOthers = () => {
    const texts = conceivable();
    enter.hidden = !texts.length;
    const chosen = other.value;
    other.replaceChildren(...texts.map((each) => made("option", { value: each }, words.written(each))));
    if (chosen) other.value = chosen;
  };

  const draw = () => {
    const squares = walked();
    const pieces = position.pieces.slice();
    if (squares.length > 1) {
      pieces[squares[0]] = 0;
      pieces[squares.at(-1)] = position.pieces[squares[0]];
    }
    const missed = legal.moves.filter((action) => !found.has(action));
    board.show({ ...position, pieces });
    board.mark({
      squares: squares.slice(0, 1),
      crosses: steps.captured(),
      arrows: done ? missed.filter((action) => action.path?.length > 1).map((action) => action.path) : [],
      words: squares.length ? { [squares.at(-1)]: "chosen" } : {},
    });
    count.textContent = done ? `${found.size} of ${legal.moves.length} found.` : `Found so far: ${found.size}.`;
    list.replaceChildren(...[...found].map((action) => made("li", {}, words.offered({ action }))));
    rest.replaceChildren(...(done ? told(missed) : []));
    finish.disabled = done;
  };

  const clauses = () => exercise.clauses.map((clause) =>
    made("li", {},
      made("a", { class: "id", href: damspec.root + clause.at }, clause.id), " ",
      made("span", { class: "place" }, clause.place), " ",
      made("span", { class: "term", lang: clause.language }, clause.term), " ", clause.says,
    ),
  );

  const told = (missed) => {
    const why = made("p");
    why.innerHTML = exercise.why;
    return [
      ...(missed.length ? [made("h3", {}, "Missed"), made("ul", {}, ...missed.map((action) => made("li", {}, words.offered({ action }))))] : []),
      made("h3", {}, "What it shows"),
      why,
      made("ul", { class: "clauses" }, ...clauses()),
    ];
  };

  // --- what is done ---

  const say = (...parts) => status.replaceChildren(...parts);

  const clear = () => {
    steps.clear();
    stuck = 0;
  };

  const take = ({ action, lapse }) => {
    clear();
    if (lapse) say(`${words.offered({ action })}: it breaks the duty to capture. It can be played all the same, but it is not counted among the legal moves.`);
    else if (found.has(action)) say(`${words.offered({ action })}: that one is there already.`);
    else {
      found.add(action);
      say(`${words.offered({ action })}: right.`);
    }
    if (found.size === legal.moves.length && legal.moves.length && !done) end();
    else draw();
  };

  const refuse = (squares, text) => {
    clear();
    say(`${words.written(text)} is not legal here. `, ...why(squares, text));
    draw();
  };

  const choose = (square) => {
    if (done) return;
    const squares = walked();
    if (!stuck && steps.choose(square)) {
      const { offers: ended } = steps.ended();
      if (ended.length) return ended.forEach(take);
      say(steps.walked.length ? `From ${words.listed(steps.walked)}.` : "Nothing is chosen.");
    } else if (isOwn(square)) {
      clear();
      stuck = square;
      say(`From ${board.name(square)}.`);
    } else if (squares.length) {
      return refuse([...squares, square], [...squares, square].join("-"));
    } else {
      say(words.refused(position, square, { walked: [], offers }));
    }
    draw();
  };

  /** A move that was written, in numbers or letters, or another action. */
  const attempt = (given) => {
    if (done || !given) return;
    try {
      const { text: meant } = game.find(position, given);
      return take(offers.find(({ action }) => action.text === meant));
    } catch {
      refuse(game.squaresOf(given) ?? [], given);
    }
  };

  const end = () => {
    done = true;
    clear();
    const missed = legal.moves.length - found.size;
    if (missed) say(`${found.size} of ${legal.moves.length} found. The arrows show what is missing.`);
    else say("All found.");
    draw();
  };

  const again = () => {
    done = false;
    found.clear();
    clear();
    say("");
    draw();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(text.value.trim());
    text.value = "";
  });
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !walked().length) return;
    clear();
    say("Nothing is chosen.");
    draw();
  });
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("notation", () => {
    board.write(inLetters());
    fillOthers();
    draw();
  }, { signal });
  fillOthers();
  draw();
  return { stop: () => listening.abort() };
};
