// What scripts share, above all loading: scripts and data come only when they are needed. Data are scripts as well,
// which hand over what they hold by `damspec.put`: so they work from a folder, without any server.
"use strict";

const damspec = { root: "", held: {}, asked: {} };

damspec.put = (name, content) => {
  damspec.held[name] = content;
};

/** Loads a script of the site, once; fails if it is not there. */
damspec.script = (address) =>
  (damspec.asked[address] ??= new Promise((loaded, failed) => {
    const script = document.createElement("script");
    script.src = damspec.root + address;
    script.onload = loaded;
    script.onerror = () => {
      delete damspec.asked[address];
      failed(new Error(address));
    };
    document.head.append(script);
  }));

/** What a data script holds. */
damspec.part = async (name) => {
  await damspec.script(`${name}.js`);
  return damspec.held[name];
};

/** A word with capitals and accents taken off, as words are compared. */
damspec.folded = (text) =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(
      /[ßæœøłđı]/g,
      (letter) => ({ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i" })[letter],
    );

/** An element with attributes and what is in it. */
damspec.element = (tag, attributes = {}, ...inside) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value) made.setAttribute(name, value);
  made.append(...inside);
  return made;
};

/** What a case shows, in words: the last part of its id. */
damspec.caseName = (id) => {
  const words = id.slice(id.lastIndexOf(".") + 1).replaceAll("-", " ");
  return words[0].toUpperCase() + words.slice(1);
};
