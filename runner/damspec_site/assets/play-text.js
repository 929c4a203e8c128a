// The game as text beside the board: the position as FEN to copy or set up, a link to it, and the game as PDN.
"use strict";

/**
 * Shows a session as text. `format` says how the game is written, `address` is the beginning of links to positions, if
 * there can be any; `texts` are the words. `begin` is called with a position that is set up, or with the start and the
 * actions of a game that is loaded.
 */
damspecPlay.texts = ({ game, format, address, texts }, begin) => {
  const { element, button } = damspec;
  const plain = { spellcheck: "false", autocomplete: "off" };
  const fen = element("input", { type: "text", "aria-label": texts["fen-label"], ...plain });
  const wrong = element("p", { class: "wrong", role: "alert" });
  const form = element("form", { class: "position-form" }, fen, element("button", { type: "submit" }, texts.set));
  const link = element("a", { target: "_blank" }, texts.window);
  const pdn = element("textarea", { rows: "6", "aria-label": texts["pdn-label"], ...plain });

  const copying = (label, text) => {
    const made = button(label, async () => {
      made.textContent = texts[(await damspec.copy(text())) ? "copied" : "not-copied"];
      setTimeout(() => (made.textContent = label), 2000);
    });
    return made;
  };

  const save = () => damspec.download("game.pdn", pdn.value, "text/plain");

  /** Does something with what was written, and says what is wrong with it. */
  const attempt = async (act) => {
    try {
      act();
    } catch (error) {
      wrong.textContent = await damspec.explained(error);
    }
  };
  const loadGame = () => {
    const { start, played } = damspecPlay.readPdn(pdn.value, game, texts);
    begin(start, played);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => begin(game.read(fen.value.trim())));
  });

  const links = address ? [copying(texts["copy-link"], () => link.href), link] : [];
  const games = [button(texts.load, () => attempt(loadGame)), copying(texts["copy-pdn"], () => pdn.value), button(texts.download, save)];
  return {
    element: element("details", {},
      element("summary", {}, texts.text),
      element("p", { class: "field-name" }, texts.fen), form, wrong,
      element("p", { class: "buttons" }, copying(texts["copy-fen"], () => fen.value), ...links),
      element("p", { class: "field-name" }, texts.pdn), pdn,
      element("p", { class: "buttons" }, ...games)),
    show(session) {
      pdn.value = damspecPlay.pdn(session, format);
      fen.value = game.write(session.position);
      link.href = `${address}/${fen.value}`;
      wrong.textContent = "";
    },
  };
};
