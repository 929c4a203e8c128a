// The game as text beside the board: the position as FEN to copy or set up, a link to it, and the game as PDN.
"use strict";

/**
 * Shows a session as text. `format` says how the game is written, `address` is the beginning of links to positions, if
 * there can be any; `begin` is called with a position that is set up.
 */
damspecPlay.texts = ({ game, format, address, begin }) => {
  const { element } = damspec;
  const plain = { spellcheck: "false", autocomplete: "off" };
  const fen = element("input", { type: "text", "aria-label": "The position as FEN", ...plain });
  const wrong = element("p", { class: "wrong", role: "alert" });
  const form = element("form", { class: "position-form" }, fen, element("button", { type: "submit" }, "Set up"));
  const link = element("a", { target: "_blank" }, "This position in a new window");
  const pdn = element("textarea", { readonly: "readonly", rows: "6", "aria-label": "The game in PDN", ...plain });

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
    element("a", { href, download: "game.pdn" }).click();
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
    element: element(
      "details",
      {},
      element("summary", {}, "As text"),
      element("p", { class: "field-name" }, "Position (FEN)"),
      form,
      wrong,
      element("p", { class: "buttons" }, copying("Copy FEN", () => fen.value), ...links),
      element("p", { class: "field-name" }, "Game (PDN)"),
      pdn,
      element("p", { class: "buttons" }, copying("Copy PDN", () => pdn.value), damspecPlay.button("Download", save)),
    ),
    show(session) {
      pdn.value = damspecPlay.pdn(session, format);
      fen.value = game.write(session.position);
      link.href = `${address}/${fen.value}`;
      wrong.textContent = "";
    },
  };
};
