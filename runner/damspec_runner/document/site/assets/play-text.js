// A game as text, beside the board: the position as FEN to keep or to set up, a link to it, the game as PDN.
"use strict";

/**
 * What shows a session as text. `format` says how the game is written, `address` what a link to a position begins with,
 * if there can be one; `begin` is told of a position that is set up.
 */
damspecPlay.texts = ({ game, format, address, begin }) => {
  const made = damspec.element;
  const plain = { spellcheck: "false", autocomplete: "off" };
  const fen = made("input", { type: "text", "aria-label": "The position as FEN", ...plain });
  const wrong = made("p", { class: "wrong", role: "alert" });
  const form = made("form", { class: "position-form" }, fen, made("button", { type: "submit" }, "Set up"));
  const link = made("a", { target: "_blank" }, "This position in a new window");
  const pdn = made("textarea", { readonly: "readonly", rows: "6", "aria-label": "The game in PDN", ...plain });

  const copying = (label, text) => {
    const button = damspecPlay.button(label, async () => {
      try {
        await navigator.clipboard.writeText(text());
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not copied";
      }
      setTimeout(() => (button.textContent = label), 2000);
    });
    return button;
  };

  const save = () => {
    const href = URL.createObjectURL(new Blob([pdn.value], { type: "text/plain" }));
    made("a", { href, download: "game.pdn" }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      begin(game.read(fen.value.trim()));
    } catch (error) {
      wrong.textContent = error.message;
    }
  });

  const links = address ? [copying("Copy link", () => link.href), link] : [];
  return {
    element: made(
      "details",
      {},
      made("summary", {}, "As text"),
      made("p", { class: "field-name" }, "Position (FEN)"),
      form,
      wrong,
      made("p", { class: "buttons" }, copying("Copy FEN", () => fen.value), ...links),
      made("p", { class: "field-name" }, "Game (PDN)"),
      pdn,
      made("p", { class: "buttons" }, copying("Copy PDN", () => pdn.value), damspecPlay.button("Download", save)),
    ),
    show(session) {
      pdn.value = damspecPlay.pdn(session, format);
      fen.value = game.write(session.position);
      link.href = `${address}/${fen.value}`;
      wrong.textContent = "";
    },
  };
};
