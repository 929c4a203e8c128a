// Squares as numbers or letters in sentences, moves and boards, as the reader chose on any page before.
"use strict";

{
  /** It has the value; the radio buttons beside it show it. */
  const control = document.getElementById("notation");
  const choice = control.form.elements.squares;
  const KEY = "damspec.notation";

  /** Writes the squares in part of the page. */
  const write = (part) => {
    const notation = control.value;
    for (const mark of part.querySelectorAll(".squares")) {
      // A mark has the other notation as data; what it shows is stored when it changes.
      if (mark.dataset[notation] === undefined) continue;
      mark.dataset[notation === "letters" ? "numbers" : "letters"] = mark.textContent;
      mark.textContent = mark.dataset[notation];
      delete mark.dataset[notation];
    }
  };

  /** Writes the whole page, and notifies scripts that draw their own boards. */
  const show = () => {
    write(document);
    document.dispatchEvent(new Event("notation"));
  };

  const recall = () => {
    const notation = damspecKept.read(KEY);
    choice.value = control.value = notation === "numbers" || notation === "letters" ? notation : control.dataset.usual;
    show();
  };

  control.form.addEventListener("change", ({ target }) => {
    if (target.name !== "squares") return;
    control.value = target.value;
    damspecKept.write(KEY, control.value);
    show();
  });
  // The default notation changes with the game shown.
  control.addEventListener("usual", () => recall());
  // Another window may change it, and the history may restore an old page.
  window.addEventListener("storage", recall);
  window.addEventListener("pageshow", recall);
  new MutationObserver((changes) => {
    if (changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.nodeType === Node.ELEMENT_NODE))) {
      write(document.getElementById("main"));
    }
  }).observe(document.getElementById("main"), { childList: true, subtree: true });
  recall();
}
