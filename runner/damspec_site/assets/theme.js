// Light, dark or system colours, chosen on any page and remembered for all. It runs before anything is drawn.
"use strict";

{
  const NAME = "damspec-theme";
  const chosen = () => {
    try {
      return localStorage.getItem(NAME) ?? "";
    } catch {
      return ""; // a browser that keeps nothing
    }
  };
  const show = (theme) => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  };
  show(chosen());
  document.addEventListener("DOMContentLoaded", () => {
    const select = document.getElementById("theme");
    select.value = chosen();
    select.closest("p").hidden = false;
    select.addEventListener("change", () => {
      show(select.value);
      try {
        localStorage.setItem(NAME, select.value);
      } catch {
        // then it applies to this page only
      }
    });
    window.addEventListener("pageshow", () => show((select.value = chosen())));
  });
}
