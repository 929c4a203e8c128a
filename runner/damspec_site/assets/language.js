// The reader's language, on every page: that of a page that is there in several, else the one chosen by a click, or the
// browser's first one that there is. It runs before anything is drawn, since it opens the first page in that language.
// A page for programmers and historians speaks English, whatever the reader's language is.
"use strict";

const damspecLanguage = (() => {
  const KEY = "damspec-language"; // not damspec.language, which earlier versions kept without a click
  const { languages, root, english } = document.currentScript.dataset;
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
  const reader = [own, asked, kept(), ...usual].find((each) => tags.includes(each)) ?? "en";
  const tag = english === undefined ? reader : page;
  const start = document.querySelector(`link[data-start][hreflang="${tag}"]`);
  if (start && tag !== page) location.replace(start.href + location.hash);

  document.addEventListener("DOMContentLoaded", () => {
    const choice = document.getElementById("languages");
    if (!choice) return; // what is printed has none
    const opener = document.querySelector(".tongue");
    opener.hidden = false;
    opener.firstElementChild.textContent = tag.toUpperCase();
    opener.firstElementChild.lang = tag;
    for (const each of choice.children) {
      if (each.lang === tag) each.setAttribute("aria-current", "true");
      else each.removeAttribute("aria-current");
    }
    for (const each of document.querySelectorAll(".abroad")) each.hidden = tag === "en";
    choice.addEventListener("click", ({ target }) => {
      const chosen = target.closest("[data-language]");
      if (!chosen) return;
      const address = new URL(chosen.href ?? location.href);
      address.searchParams.delete("in");
      if (address.pathname === location.pathname || chosen.hreflang) address.hash = location.hash;
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

  return { tag, page, reader, root };
})();
