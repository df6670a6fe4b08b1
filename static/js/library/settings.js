/** The filter of the settings. The titles of a setting's runs are not searched; a name that is asked for is shown. */
import { startFilter } from "./filter.js";

startFilter({
  cards: [...document.querySelectorAll("article.setting, article.reason")].map(
    (card) => /** @type {HTMLElement} */ (card),
  ),
  texts: "h3, [data-searched]",
  isNamed: (card, query) =>
    card.dataset.name === query ||
    [...card.querySelectorAll("details code")].some((name) => name.textContent === query),
  noun: ["entry", "entries"],
});
