// The reader's language, on every page: that of a page that is there in several, else the one chosen by a click, or the
// browser's first one that there is. It runs before anything is drawn, since it opens the first page in that language.
"use strict";

const damspecLanguage = (() => {
  const KEY = "damspec-language"; // not damspec.language, which earlier versions kept without a click
  const { languages, root } = document.currentScript.dataset;
  const tags = languages.split(" ");
  const page = document.documentElement.lang.split("-")[0];

  const kept = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };

  const own = page !== "en" || document.querySelector("link[hreflang]:not([data-start])") ? page : null;
  const asked = new URLSearchParams(location.search).get("in");
  const usual = navigator.languages.map((each) => each.split("-")[0]);
  const tag = [own, asked, kept(), ...usual].find((each) => tags.includes(each)) ?? "en";
  const start = document.querySelector(`link[data-start][hreflang="${tag}"]`);
  if (start && tag !== page) location.replace(start.href + location.hash);

  document.addEventListener("DOMContentLoaded", () => {
    const choice = document.querySelector(".languages");
    if (!choice) return; // what is printed has none
    choice.hidden = false;
    choice.querySelector(`button[lang="${tag}"]`)?.setAttribute("aria-current", "true");
    choice.addEventListener("click", ({ target }) => {
      const chosen = target.closest("[data-language]");
      if (!chosen) return;
      const address = new URL(chosen.href ?? location.href);
      address.searchParams.delete("in");
      address.hash = location.hash;
      try {
        localStorage.setItem(KEY, chosen.dataset.language);
      } catch {
        address.searchParams.set("in", chosen.dataset.language); // a browser that keeps nothing: on that page only
      }
      if (chosen.href) {
        chosen.href = address;
        return;
      }
      history.replaceState(null, "", address);
      location.reload();
    });
  });

  return { tag, page, root };
})();
