/** The gallery's search: cards that have all the words stay, sections without any card go. */
const search = /** @type {HTMLInputElement} */ (document.getElementById("gallery-search"));
const none = /** @type {HTMLElement} */ (document.getElementById("gallery-none"));
const sections = [...document.querySelectorAll("section.gal")].map((section) => ({ section: /** @type {HTMLElement} */ (section), cards: /** @type {HTMLElement[]} */ ([...section.querySelectorAll("li.card")]) }));

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const { section, cards } of sections) {
    const found = cards.filter((card) => {
      card.hidden = !words.every((word) => (card.dataset.words ?? "").includes(word));
      return !card.hidden;
    });
    section.hidden = !found.length;
    left += found.length;
  }
  none.hidden = left > 0;
}

search.addEventListener("input", filter);
filter();
