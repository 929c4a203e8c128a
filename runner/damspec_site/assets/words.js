// The page in the reader's language (language.js). An element with `data-text` has a text by its key, `GROUP.NAME` or a name
// alone, with its children in the places {0}, {1} ...; `data-label` is the key of its label. They are in `words/TAG.js`.
"use strict";

{
  const { tag, page, reader } = damspecLanguage;

  /** Promises all that pages and scripts say in the reader's language, and the names of `games`. */
  damspec.texts = () => damspec.part(`words/${tag}`);

  /** Puts values into a text where it names them. */
  damspec.filled = (text, values = {}) => text.replace(/\{(\w*)\}/g, (place, name) => values[name] ?? place);

  /** An error that says a text by its key, with values in it; errors of the interpreter have both too. */
  damspec.KeyedError = class extends Error {
    constructor(key, values) {
      super(key);
      Object.assign(this, { key, values });
    }
  };

  /** What an error says in the reader's language; a browser's own is in that of the browser. */
  damspec.explained = async ({ message, key, values }) => {
    const { errors } = await damspec.texts();
    const found = `${values?.found}`.replace(/^(.{60}).+/s, "$1…");
    return key in errors ? damspec.filled(errors[key], { ...values, found }) : message;
  };

  /** Makes an element with a text by its key and values in its places, which `damspec.speak` writes. */
  damspec.text = (key, ...values) =>
    damspec.element("span", { "data-text": key }, ...values.map((each) => (each.nodeType ? each : damspec.element("span", {}, each))));

  /** As `damspec.text`; the key with `-one` is the singular. */
  damspec.counted = (key, number) => damspec.text(number === 1 ? `${key}-one` : key, String(number));

  const byKey = (words, key) => {
    const [, group = "texts", name] = key.match(/^(?:(\w+)\.)?(.+)$/);
    return words[group][name];
  };

  /** Sets the text of an element, with its present children in the places {0}, {1} ...; numbers get the language's marks. */
  const setText = (element, text) => {
    const inside = [...element.children];
    for (const each of inside) {
      if (!/^\d{1,3}(,\d{3})+$/.test(each.textContent)) continue;
      each.textContent = Number(each.textContent.replaceAll(",", "")).toLocaleString([tag, "de"]); // Luxembourgish as German
    }
    element.replaceChildren(...text.split(/\{(\d)\}/).map((part, at) => (at % 2 ? inside[part] : part)));
    element.lang = tag;
  };

  /** Leads to a game's sheet and to the first page in the reader's language. */
  const lead = (link) => {
    const [, root, at, place] =
      link.getAttribute("href").match(/^((?:\.\.\/)*)(rulesets\/[a-z-]+\.html|index\.html)(?:#(.*))?$/) ?? [];
    const isWhole = !place || place.startsWith("sheet") || place in damspec.variants;
    if (!at || !isWhole) return;
    const sheet = `${root}${at.replace("rulesets", reader).replace(/^index/, `${reader}/index`)}`;
    link.setAttribute("href", sheet + (place ? `#${place}` : ""));
    link.removeAttribute("hreflang");
  };

  /** Tells the values of rules in the sentences of the rulebook. */
  const tell = async (places, words) => {
    const scripts = ["assets/rulesets.js", "assets/rule-texts.js"].map(damspec.script);
    const [language] = await Promise.all([damspec.part("workshop/language"), ...scripts]);
    const texts = damspecRuleTexts(language, words);
    for (const each of places) setText(each, texts.sentence(each.dataset.rule, damspecRulesets[each.dataset.game].values));
  };

  /** Says a part of the page, and itself, in the reader's language. */
  damspec.speak = async (part) => {
    const words = await damspec.texts();
    const all = (selector) => [...(part.matches(selector) ? [part] : []), ...part.querySelectorAll(selector)];
    for (const each of all("[data-text]")) setText(each, byKey(words, each.dataset.text));
    for (const each of all("[data-label]")) {
      each.setAttribute(each.placeholder ? "placeholder" : "aria-label", byKey(words, each.dataset.label));
    }
    if (tag === page) return;
    for (const each of all("a[href]")) lead(each);
    const values = all("[data-rule][data-game].value");
    if (values.length) await tell(values, words);
  };

  if (tag !== page) {
    damspec.speak(document.body).then(() => {
      const heading = document.querySelector("h1");
      if (heading?.querySelector("[data-text]")) document.title = `${heading.textContent} – damspec`;
    });
  } else if (reader !== page) document.querySelectorAll(".lid a[href]").forEach(lead);
}
