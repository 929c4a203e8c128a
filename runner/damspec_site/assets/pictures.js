// The boards of a page, drawn where they come into view, and all of them for print. What is drawn stands at the element:
// the position as FEN in its text, the board, the layout of trapdoors and what is marked in `data-`.
"use strict";

damspec.pictures = (() => {
  /** How far below the window a board is drawn already. */
  const MARGIN = "400px";
  const boards = {};
  const drawn = new Map();
  let loading = null;
  /** Loads what draws boards: at once if any can be seen on the page, or else when one is unfolded. */
  const ready = () =>
    (loading ??= Promise.all([
      damspec.script("assets/interpreter.js"),
      damspec.script("assets/board.js"),
      damspec.part("play/layouts"),
    ]));
  const isFolded = (place) => place.closest("details:not([open])") !== null;

  const boardOf = (words) => {
    const [size, squares, corner, numbering, layout] = words.split(" ");
    return (boards[words] ??= new damspec.Board({
      "board.size": size,
      "board.squares": squares,
      "board.dark-corner": corner,
      "board.numbering": numbering,
      "trapdoors.layout": damspec.held["play/layouts"][layout],
    }));
  };

  /** The position of a FEN as a board shows it, and its parts in words. */
  const read = (fen, board) => {
    const [turn, ...parts] = fen.split(":");
    const pieces = Array(board.squares + 1).fill(0);
    const words = [];
    for (const [side, name, sign] of [["W", "White", 1], ["B", "Black", -1]]) {
      const squares = parts.find((part) => part[0] === side).slice(1).split(",").filter(Boolean);
      const kings = squares.filter((each) => each[0] === "K").map((each) => each.slice(1));
      const men = squares.filter((each) => each[0] !== "K");
      for (const square of men) pieces[square] = sign;
      for (const square of kings) pieces[square] = 2 * sign;
      const kinds = [["man", "men", men], ["king", "kings", kings]]
        .filter(([, , list]) => list.length)
        .map(([one, many, list]) => `${list.length === 1 ? one : many} ${list.join(", ")}`);
      words.push(`${name} ${kinds.join(", ") || "has no pieces"}`);
    }
    const sliders = fen.match(/:sliders=(\w+)/)?.[1] ?? "M".repeat(board.sliders.length);
    const open = board.sliders.flatMap(({ id, left, right }, at) =>
      ({ L: [`${id} open on ${left}`], R: [`${id} open on ${right}`] })[sliders[at]] ?? [],
    );
    if (board.sliders.length) words.push(open.length ? `doors ${open.join(", ")}` : "all doors shut");
    words.push(...parts.filter((part) => /^[a-z]/.test(part) && !part.startsWith("sliders=")));
    return { position: { pieces, sliders }, says: `${turn === "W" ? "White" : "Black"} to move: ${words.join("; ")}.` };
  };

  /** The board of a picture and its width, which several may have in common. */
  const given = (place) => ({
    board: place.closest("[data-board]").dataset.board, wide: place.closest("[data-wide]").dataset.wide,
  });
  const fenOf = (place) => place.dataset.fen ?? place.textContent.trim();
  const paths = (text) => (text ? text.split(" ").map((path) => path.split("-").map(Number)) : []);
  const numbers = (text) => (text ? text.split(" ").map(Number) : []);

  /** The squares of a move's text, and those of the opponent's pieces that it jumps; none of an action without a path. */
  const inNumbers = (text, board) => text.replace(/[a-wyz]\d+/g, (square) => board.named(square));
  const pathOf = (text, board) =>
    /^[a-z]?\d+[-x:]/.test(text) ? inNumbers(text, board).split(/[-x:]/).map(Number) : [];
  const jumped = (text, board, { pieces }, sign) => {
    if (text.startsWith("huff ")) return [board.named(text.slice(5))];
    const path = /[x:]/.test(text) ? pathOf(text, board) : [];
    const found = new Set();
    path.slice(1).forEach((to, leg) => {
      const [[fromColumn, fromRow], [column, row]] = [path[leg], to].map((square) => board.place(square));
      const steps = Math.max(Math.abs(column - fromColumn), Math.abs(row - fromRow));
      for (let step = 1; step < steps; step++) {
        const at = (from, goal) => from + ((goal - from) / steps) * step;
        const square = board.square(at(fromColumn, column), at(fromRow, row));
        if (square && pieces[square] * sign < 0) found.add(square);
      }
    });
    return [...found].sort((a, b) => a - b);
  };

  /** What is marked on the board of a case, and said of it: all that can be done there, as the text beside it lists it. */
  const markedAnswer = (article, board, position, sign) => {
    const [moves, lapses] = [".moves", ".lapses"].map((list) =>
      [...article.querySelectorAll(`${list} > code`)].map(({ textContent }) => inNumbers(textContent, board)),
    );
    const inWords = (text) => {
      const taken = pathOf(text, board).length ? jumped(text, board, position, sign) : [];
      return taken.length ? `${text} capturing ${taken.join(", ")}` : text;
    };
    const listed = (name, list) => `${name}: ${list.map(inWords).join("; ") || "none"}.`;
    const [arrows, dashed] = [moves, lapses].map((list) =>
      list.map((text) => pathOf(text, board)).filter((path) => path.length),
    );
    return {
      marks: { arrows, dashed, crosses: [...new Set(moves.flatMap((text) => jumped(text, board, position, sign)))] },
      says: [
        ...(article.querySelector(".moves") ? [listed("Moves", moves)] : []),
        ...(lapses.length ? [listed("Lapses", lapses)] : []),
      ].join(" "),
    };
  };
  /** What is marked on a board: as its data say, or the text of a list that it stands in. */
  const marksOf = (place, board, position, sign) => {
    const { arrows, dashed, crosses, squares, says = "" } = place.dataset;
    const article = place.parentElement.closest(".one-case");
    if (!article) {
      const marks = { arrows: paths(arrows), dashed: paths(dashed), crosses: numbers(crosses), squares: numbers(squares) };
      return { marks, says };
    }
    if (place.parentElement === article) {
      const found = markedAnswer(article, board, position, sign);
      return { ...found, says: found.says || says };
    }
    const path = pathOf(place.previousElementSibling.textContent, board);
    return { marks: { squares: path.length ? [path[0], path.at(-1)] : [] }, says };
  };

  const draw = (place) => {
    if (drawn.has(place)) return;
    const board = boardOf(given(place).board);
    const fen = fenOf(place);
    const { position, says: described } = read(fen, board);
    const { marks, says } = marksOf(place, board, position, fen[0] === "W" ? 1 : -1);
    const label = `${described} ${says}`.trim();
    const picture = damspecBoard.make({ board }, { still: true, label, letters: damspec.inLetters() });
    picture.show(position);
    picture.mark(marks);
    place.dataset.fen = fen;
    place.style.aspectRatio = "auto";
    place.replaceChildren(picture.element);
    if (place.matches(".steps *")) place.after(damspec.element("code", { class: "fen" }, fen));
    drawn.set(place, picture);
  };

  const watch = new IntersectionObserver(
    async (seen) => {
      const near = seen.filter(({ isIntersecting }) => isIntersecting);
      if (near.length) await ready();
      for (const { target } of near) {
        watch.unobserve(target);
        draw(target);
      }
    },
    { rootMargin: MARGIN },
  );
  /** Makes room for the boards in a part of the page, and draws them as they come into view. */
  const observe = (part) => {
    for (const place of part.querySelectorAll(".board")) {
      const { board, wide } = given(place);
      place.style.width = `${wide}px`;
      place.style.aspectRatio = board.split(" ")[0].replace("x", "/");
      watch.observe(place);
      if (!isFolded(place)) ready();
    }
  };

  document.addEventListener("notation", () => drawn.forEach((picture) => picture.write(damspec.inLetters())));
  window.addEventListener("beforeprint", () => {
    if (damspec.Board && damspec.held["play/layouts"] && typeof damspecBoard === "object") {
      [...document.querySelectorAll(".board")].filter((place) => !isFolded(place)).forEach(draw);
    }
  });
  observe(document);

  /** An element for a board in a width for eight columns, in pixels. */
  const make = (fen, board, width) => {
    const wide = Math.floor((width * Number.parseInt(board, 10)) / 8);
    return damspec.element("span", { class: "board", "data-board": board, "data-wide": wide }, fen);
  };

  /** Promises the board that a part of the page stands on. */
  const board = (part) => ready().then(() => boardOf(given(part).board));

  return { make, observe, fen: fenOf, board };
})();
