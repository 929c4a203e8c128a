// The page of search results: replaces the lists by the results for the query in the address.
"use strict";

{
  const given = new URLSearchParams(location.search);
  const query = (given.get("q") ?? "").trim();

  const show = async () => {
    const place = document.getElementById("found");
    const heading = document.querySelector("h1");
    const form = document.querySelector("form.search");
    const said = damspec.element("p", { role: "status", class: "fine" });
    const list = damspec.element("div");
    form.elements.q.value = query;
    place.append(said, list);
    const again = (words) =>
      location.assign(`?${new URLSearchParams({ ...Object.fromEntries(given), q: words })}`);
    await Promise.all(["assets/minisearch.js", "assets/search-index.js", "assets/search-results.js"].map(damspec.script));
    const index = damspec.searchIndex();
    for await (const complete of index.filled()) {
      const found = index.find(query);
      heading.textContent = found.said.results.replace("{query}", query);
      document.title = `${heading.textContent} – damspec`;
      document.getElementById("main").lang = damspecLanguage.tag;
      said.textContent = damspec.showResults(list, found, { each: 8, complete, again, brief: false });
      place.hidden = false;
      document.getElementById("lists").hidden = true;
    }
  };
  if (query) show();
}
