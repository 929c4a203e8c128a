// Squares as numbers or as letters: in sentences, in moves and on boards, as the reader has chosen on any page before.
"use strict";

{
  const control = document.getElementById("notation");
  const KEY = "damspec.notation";

  /** What was chosen; nothing where a browser keeps nothing. */
  const kept = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };

  const keep = (notation) => {
    try {
      localStorage.setItem(KEY, notation);
    } catch {
      // It holds for this page alone.
    }
  };

  /** Writes the squares in a part of the page; a picture of a board has both notations and shows one by its address. */
  const write = (part) => {
    const notation = control.value;
    for (const mark of part.querySelectorAll(".squares")) {
      // A mark comes with the notation it does not show; what it shows is kept when that changes.
      if (mark.dataset[notation] === undefined) continue;
      mark.dataset[notation === "letters" ? "numbers" : "letters"] = mark.textContent;
      mark.textContent = mark.dataset[notation];
      delete mark.dataset[notation];
    }
    for (const picture of part.querySelectorAll("img[src*='boards/']")) {
      const [file, fragment] = picture.getAttribute("src").split("#");
      if ((fragment === "letters") !== (notation === "letters")) {
        picture.setAttribute("src", notation === "letters" ? `${file}#letters` : file);
      }
    }
  };

  /** Writes the whole page, and tells scripts that draw boards of their own. */
  const show = () => {
    write(document);
    document.dispatchEvent(new Event("notation"));
  };

  const recall = () => {
    const notation = kept();
    control.value = notation === "numbers" || notation === "letters" ? notation : control.dataset.usual;
    show();
  };

  control.addEventListener("change", () => {
    keep(control.value);
    show();
  });
  // A page that shows another game may have another usual notation.
  control.addEventListener("usual", () => recall());
  // Another window may choose, and a page may come back from the history as it was left.
  window.addEventListener("storage", recall);
  window.addEventListener("pageshow", recall);
  new MutationObserver((changes) => {
    if (changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.nodeType === Node.ELEMENT_NODE))) {
      write(document.getElementById("main"));
    }
  }).observe(document.getElementById("main"), { childList: true, subtree: true });
  control.parentElement.hidden = false;
  recall();
}
