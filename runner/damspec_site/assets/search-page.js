// The page of search results: replaces the lists by the results for the query in the address.
"use strict";

{
  const query = (new URLSearchParams(location.search).get("q") ?? "").trim();

  const show = async () => {
    const place = document.getElementById("found");
    const heading = document.querySelector("h1");
    const said = damspec.element("p", { role: "status", class: "fine" });
    const list = damspec.element("div");
    for (const box of document.querySelectorAll("form.search input")) box.value = query;
    place.append(said, list);
    const { find } = await damspec.prepareSearch();
    for (const all of [false, true]) {
      const found = await find(query, { all });
      heading.textContent = damspec.filled(found.said.results, { query });
      document.title = `${heading.textContent} – damspec`;
      document.getElementById("main").lang = damspecLanguage.tag;
      const number = damspec.showResults(list, found, { each: 8, brief: false });
      said.textContent = all ? number : found.said.loading;
      if (all) list.querySelector(".why")?.remove(); // the line above has it
      place.hidden = false;
      document.getElementById("lists").hidden = true;
    }
  };
  if (query) show();
}
