// A page of many positions: each can be copied and played, the one in the address and its topic are unfolded, and the
// moves are written in letters or numbers.
"use strict";

{
  const further = document.getElementById("further").content;
  for (const article of document.querySelectorAll(".one-case")) {
    const [details] = article.getElementsByTagName("details");
    const fen = damspec.pictures.fen(article.querySelector(".board"));
    const added = further.cloneNode(true);
    added.querySelector(".fen").textContent = fen;
    const [play, find] = added.querySelectorAll("a");
    play.href += `#${article.id.split(".")[0]}/${fen}`;
    find.href += `#case=${article.id}`;
    if (!details.classList.contains("exercise")) find.parentElement.remove();
    details.before(added);
    const id = article.querySelector(".id");
    id.replaceChildren(damspec.element("a", { href: `#${article.id}` }, article.id));
    for (const position of article.querySelectorAll(".steps code")) {
      position.replaceWith(damspec.element("span", { class: "board" }, position.textContent));
    }
    damspec.pictures.observe(details);
  }

  /** Writes the squares of moves as the reader chose; others of the page have marks. */
  const write = async () => {
    const notation = document.getElementById("notation").value;
    for (const topic of document.querySelectorAll("[data-squares-as]")) {
      if (topic.dataset.squaresAs === notation) continue;
      topic.dataset.squaresAs = notation;
      const board = await damspec.pictures.board(topic);
      const named = (square) => (notation === "letters" ? board.name(board.named(square)) : board.named(square));
      for (const action of topic.querySelectorAll(".actions > code, .steps b")) {
        if (!/[=→]/.test(action.textContent)) action.textContent = action.textContent.replace(/[a-wyz]?\d+/g, named);
      }
    }
  };
  document.addEventListener("notation", write);

  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (const details of [target?.closest(".topic"), target?.querySelector(":scope > div > details")]) {
      if (details) details.open = true;
    }
    target?.scrollIntoView();
  };
  window.addEventListener("hashchange", unfold);
  unfold();
}
