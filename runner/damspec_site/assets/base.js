// What scripts share, above all loading on demand. Data are scripts too, which hand over their content by `damspec.put`, so
// that everything works from a folder without a server.
"use strict";

const damspec = { root: damspecLanguage.root, held: {}, loading: {} };

damspec.put = (name, content) => {
  damspec.held[name] = content;
};

/** As `put`, of compressed content, which is unpacked when it is wanted. */
damspec.pack = (name, text) => {
  const unpacked = async () => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  };
  damspec.put(name, unpacked());
};

/** Loads a script of the site once; the promise fails if it is missing. */
damspec.script = (address) =>
  (damspec.loading[address] ??= new Promise((loaded, failed) => {
    const script = document.createElement("script");
    script.src = damspec.root + address;
    script.onload = loaded;
    script.onerror = () => {
      delete damspec.loading[address];
      failed(new Error(address));
    };
    document.head.append(script);
  }));

/** Promises the content of a data script. */
damspec.part = async (name) => {
  await damspec.script(`${name}.js`);
  return damspec.held[name];
};

/** A text in lower case without accents, for comparison. */
damspec.folded = (text) =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(
      /[ßæœøłđı]/g,
      (letter) => ({ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i" })[letter],
    );

/** Makes an element with attributes and content. */
damspec.element = (tag, attributes = {}, ...inside) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value) made.setAttribute(name, value);
  made.append(...inside);
  return made;
};

/** Makes a button with what it does. */
damspec.button = (text, press, attributes = {}) => {
  const made = damspec.element("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", press);
  return made;
};

/** Copies a text; promises whether the browser lets it. */
damspec.copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

/** Gives a text to the reader as a file. */
damspec.download = (name, text, type) => {
  const href = URL.createObjectURL(new Blob([text], { type }));
  damspec.element("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
};

/** Whether squares are written in letters on this page. */
damspec.inLetters = () => document.getElementById("notation")?.value === "letters";

/** The address of a page that is there in every language, in that of this page. */
damspec.inLanguage = (address) => (damspecLanguage.tag === "en" ? address : `${damspecLanguage.tag}/${address}`);

/** The page of a game in the reader's language; a variant (`damspec.variants` is added by the build) is on another's. */
damspec.gamePage = (id) => {
  const game = damspec.variants[id] ?? id;
  return `${damspecLanguage.tag === "en" ? "rulesets" : damspecLanguage.tag}/${game}.html${game === id ? "" : `#${id}`}`;
};

/** The place of a case on the page of its ruleset. */
damspec.casePlace = (id) => {
  const [of] = id.split(".");
  return `cases/${damspec.variants[of] ?? of}.html#${id}`;
};

/** The name of a case: the last part of its id, in words. */
damspec.caseName = (id) => {
  const words = id.slice(id.lastIndexOf(".") + 1).replaceAll("-", " ");
  return words[0].toUpperCase() + words.slice(1);
};
