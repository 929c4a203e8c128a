// The page in the reader's language (language.js). A text that stands on the page is looked up by its English form, with `#`
// for numbers and `@` for names of games; one that a script writes has a key in `data-say`. Both are in `words/TAG.js`.
"use strict";

{
  const { tag, page } = damspecLanguage;
  /** What is looked up as a whole, with the elements in it where the text says {0}, {1} ... */
  const BLOCKS = "h1, h2, h3, h4, p, li, dt, dd, label, legend, summary, caption, th, figcaption, button, option";
  /** What is in no language, or in one of its own. */
  const QUOTED = "code, pre, .says, .glossary tbody, .term, .languages, script, noscript";

  /** Promises all that pages and scripts say in the reader's language, and the names of `games`. */
  damspec.texts = () => damspec.part(`words/${tag}`);

  /** Puts values into a text where it names them. */
  damspec.filled = (text, values = {}) => text.replace(/\{(\w*)\}/g, (place, name) => values[name] ?? place);

  /** A text in the reader's language, by the English one; null if there is none. */
  const translator = ({ texts, names, games }) => {
    const escaped = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const longest = Object.keys(names).sort((one, other) => other.length - one.length).map(escaped);
    const parts = new RegExp(`\\d[\\d,.]*(?<![,.])|${longest.join("|")}`, "g");
    return (text) => {
      const said = text.trim().replace(/\s+/g, " ");
      if (!said) return null;
      if (said in texts) return texts[said];
      if (said in names) return games[names[said]];
      const values = [];
      const pattern = said.replace(parts, (part) => {
        values.push(games[names[part]] ?? part);
        return part in names ? "@" : "#";
      });
      return values.length && pattern in texts ? texts[pattern].replace(/[#@]/g, () => values.shift()) : null;
    };
  };

  /** The text of a cell, whose values stand one after another. */
  const inParts = (text, translated) => text.split(/([,;:] )/).map((part) => translated(part) ?? part).join("");

  /** Sets the text of an element, with its present children in the places {0}, {1} ... */
  const setText = (element, text) => {
    const inside = [...element.children];
    element.replaceChildren(...text.split(/\{(\d)\}/).map((part, at) => (at % 2 ? inside[part] : part)));
    element.lang = tag;
  };

  /** Leads to a game's sheet and to the first page in the reader's language. */
  const lead = (link) => {
    const [, root, at, place] =
      link.getAttribute("href").match(/^((?:\.\.\/)*)(rulesets\/[a-z-]+\.html|index\.html)(?:#(.*))?$/) ?? [];
    const isWhole = !place || place.startsWith("sheet") || place in damspec.variants;
    if (!at || !isWhole || link.closest(".languages")) return;
    link.href = `${root}${at.replace("rulesets", tag).replace(/^index/, `${tag}/index`)}${place ? `#${place}` : ""}`;
    link.removeAttribute("hreflang");
  };

  /** Tells the values of rules in the sentences of the rulebook. */
  const tell = async (places, words) => {
    const scripts = ["assets/rulesets.js", "assets/rule-texts.js"].map(damspec.script);
    const [language] = await Promise.all([damspec.part("workshop/language"), ...scripts]);
    const texts = damspecRuleTexts(language, words);
    for (const each of places) setText(each, texts.sentence(each.dataset.rule, damspecRulesets[each.dataset.game].values));
  };

  /** Says a part of the page in the reader's language. */
  damspec.speak = async (part) => {
    if (tag === page) return;
    const words = await damspec.texts();
    const translated = translator(words);
    for (const each of part.querySelectorAll("[data-say]")) {
      const [file, key] = each.dataset.say.split(":");
      setText(each, words[file][key]);
    }
    const blocks = [...part.querySelectorAll(BLOCKS), ...(part.matches(BLOCKS) ? [part] : [])];
    for (const each of blocks) {
      const text = each.closest(QUOTED) ? null : translated(each.textContent);
      if (text !== null && (text.includes("{0}") || !each.children.length)) setText(each, text);
    }
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      if (!node.data.trim() || node.parentElement.closest(QUOTED)) continue;
      const text = node.parentElement.closest(".matrix td") ? inParts(node.data, translated) : translated(node.data);
      if (text !== null) node.data = node.data.replace(/\S.*\S|\S/s, () => text);
    }
    for (const name of ["aria-label", "placeholder", "data-broken"]) {
      for (const each of part.querySelectorAll(`[${name}]`)) {
        const text = each.closest(QUOTED) ? null : translated(each.getAttribute(name));
        if (text !== null) each.setAttribute(name, text);
      }
    }
    for (const each of part.querySelectorAll("a[href]")) lead(each);
    const values = part.querySelectorAll("[data-rule][data-game].value");
    if (values.length) await tell(values, words);
  };

  // A sheet that is there in the reader's language as a page of its own stays what it is.
  const isSheet = document.querySelector("link[rel=alternate][hreflang]") !== null;
  const parts = isSheet ? document.querySelectorAll("header, .way, footer") : [document.body];
  Promise.all([...parts].map(damspec.speak)).then(() => {
    const heading = document.querySelector("h1");
    if (heading?.lang === tag && tag !== page) document.title = `${heading.textContent} – damspec`;
  });
}
