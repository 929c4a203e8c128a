// Buttons that print the page, shown where a script can do so.
"use strict";

for (const button of document.querySelectorAll(".print button")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
