// On a page of many positions the one in the address is unfolded.
"use strict";

{
  const unfold = () => {
    const details = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.querySelector(":scope > div > details");
    if (details) details.open = true;
  };
  window.addEventListener("hashchange", unfold);
  unfold();
}
