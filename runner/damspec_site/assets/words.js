// What scripts say, in the language of the page. An element with `data-text` gets a text by its key, `GROUP.NAME` or a name
// alone, with its children in the places {0}, {1} ... The texts are in `words/TAG.js`.
"use strict";

{
  const { tag } = damspecLanguage;

  /** Promises all that pages and scripts say in the language of the page, and the names of `games`. */
  damspec.texts = () => damspec.part(`words/${tag}`);

  /** A number with the marks of the language; Luxembourgish has those of German. */
  damspec.number = (value) => value.toLocaleString([tag, "de"]);

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
      each.textContent = damspec.number(Number(each.textContent.replaceAll(",", "")));
    }
    element.replaceChildren(...text.split(/\{(\d)\}/).map((part, at) => (at % 2 ? inside[part] : part)));
  };

  /** Says the texts of a part that a script has made. */
  damspec.speak = async (part) => {
    const words = await damspec.texts();
    for (const each of [part, ...part.querySelectorAll("[data-text]")]) {
      if (each.dataset.text) setText(each, byKey(words, each.dataset.text));
    }
  };
}
