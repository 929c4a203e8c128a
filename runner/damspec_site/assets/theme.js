// Light, dark or system colours, chosen on any page and remembered for all. It runs before anything is drawn.
"use strict";

{
  const NAME = "damspec-theme";
  const chosen = () => damspecKept.read(NAME) ?? "";
  const show = (theme) => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  };
  show(chosen());
  document.addEventListener("DOMContentLoaded", () => {
    const form = document.querySelector("#settings form");
    if (!form) return; // what is printed has none
    const recall = () => {
      for (const each of form.elements.theme) each.checked = each.value === chosen();
      show(chosen());
    };
    form.hidden = false;
    form.addEventListener("change", ({ target }) => {
      if (target.name !== "theme") return;
      show(target.value);
      damspecKept.write(NAME, target.value);
    });
    recall();
    window.addEventListener("pageshow", recall);
  });
}
