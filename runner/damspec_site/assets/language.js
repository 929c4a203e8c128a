// The language of the page, and the one that a reader has clicked, else the browser's first that there is: the first page opens in
// it, and the parts of the site that are there in every language are led to in it. It runs before anything is drawn.
"use strict";

const damspecLanguage = (() => {
  const KEY = "damspec-language"; // not damspec.language, which earlier versions kept without a click
  const { languages, root } = document.currentScript.dataset;
  const tags = languages.split(" ");
  const tag = document.documentElement.lang.split("-")[0];

  const kept = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };

  const asked = new URLSearchParams(location.search).get("in");
  const usual = navigator.languages.map((each) => each.split("-")[0]);
  const readers = [asked, kept(), ...usual].find((each) => tags.includes(each)) ?? "en";
  const start = document.querySelector(`link[data-start][hreflang="${readers}"]`);
  if (start && tag !== readers) location.replace(start.href + location.hash);

  document.addEventListener("click", ({ target }) => {
    const chosen = target.closest("[data-language]");
    if (!chosen) return;
    chosen.hash = location.hash;
    try {
      localStorage.setItem(KEY, chosen.dataset.language);
    } catch {
      chosen.search = `?in=${chosen.dataset.language}`; // a browser that keeps nothing
    }
  });

  return { tag, readers, root };
})();
