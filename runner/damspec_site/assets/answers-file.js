// Saving of answers: as an answers file, in the address of the page, and the rules found as a ruleset.
"use strict";

const damspecAnswersFile = (() => {
  const SHORT = { yes: "y", no: "n", unknown: "u" };
  const LONG = { y: "yes", n: "no", u: "unknown" };
  const FACTS = ["name", "country", "latitude", "longitude", "year", "told", "by"];

  /** Text as a quoted YAML string, which is written as in JSON. */
  const text = (value) => JSON.stringify(value);

  /** The answers file (schemas/answers.schema.json). */
  const answersFile = ({ given, notes, facts }) => {
    const country = facts.country.toUpperCase();
    const place = [
      ...(facts.name ? [`name: ${text(facts.name)}`] : []),
      ...(country ? [`country: ${text(country)}`] : []),
      ...(facts.latitude ? [`latitude: ${Number(facts.latitude)}`, `longitude: ${Number(facts.longitude)}`] : []),
    ];
    const year = /^[12]\d{3}$/.test(facts.year) ? facts.year : text(facts.year);
    const entries = (found) => [...found].map(([id, said]) => `  ${text(id)}: ${text(said)}`);
    return [
      "# How a game of draughts is played, as somebody answered. `damspec identify --answers FILE` says which it is.",
      "damspec: 1",
      ...(place.length ? [`place: {${place.join(", ")}}`] : []),
      ...(facts.year ? [`year: ${year}`] : []),
      ...["told", "by"].filter((key) => facts[key]).map((key) => `${key}: ${text(facts[key])}`),
      given.size ? "answers:" : "answers: {}",
      ...entries(given),
      ...(notes.size ? ["notes:", ...entries(notes)] : []),
      "",
    ].join("\n");
  };

  /** What is wrong with the form, by the key of its text; empty if nothing is. */
  const wrong = (facts) => {
    if (!facts.name && (facts.country || facts.latitude || facts.longitude)) return "place-name";
    if (!facts.latitude !== !facts.longitude) return "both";
    return "";
  };

  /** The part of an address after # with answers, notes and facts. */
  const address = ({ given, notes, facts }) => {
    const answers = [...given].map(([id, said]) => `${id}.${SHORT[said]}`).join(",");
    const noted = [...notes].map(([id, note]) => [`note.${id}`, note]);
    const kept = [...FACTS.map((key) => [key, facts[key]]), ...noted].filter(([, value]) => value);
    const rest = kept.map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    return [...(answers ? [`answers=${answers}`] : []), ...rest].join("&");
  };

  /** The answers, notes and facts in such an address. */
  const read = (hash) => {
    const found = new URLSearchParams(hash.replace(/^#/, "").replaceAll("+", "%2B"));
    const answers = (found.get("answers") ?? "").split(",").map((one) => one.split("."));
    const noted = [...found].filter(([key]) => key.startsWith("note."));
    return {
      given: new Map(answers.filter(([, said]) => said in LONG).map(([id, said]) => [id, LONG[said]])),
      notes: new Map(noted.map(([key, note]) => [key.slice(5), note])),
      facts: Object.fromEntries(FACTS.map((key) => [key, found.get(key) ?? ""])),
    };
  };

  /** A ruleset that extends a known one by changes. */
  const ruleset = (id, name, about, changes) => {
    const said = Object.entries(changes);
    return [
      "damspec: 1",
      "id: told",
      `name: ${text(name)}`,
      `about: ${text(about)}`,
      `extends: ${text(id)}`,
      "documents: []",
      said.length ? "rules:" : "rules: {}",
      ...said.map(([rule, value]) => `  ${rule}: {value: ${JSON.stringify(value)}}`),
      "",
    ].join("\n");
  };

  /** Offers a text to be saved as a file. */
  const save = (name, content) => {
    const href = URL.createObjectURL(new Blob([content], { type: "text/yaml" }));
    damspec.element("a", { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 1000);
  };

  return { FACTS, address, answersFile, read, ruleset, save, wrong };
})();
