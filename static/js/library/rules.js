/** The filter of the rule book. The titles of a rule's runs are not searched. */
import { startFilter } from "./filter.js";

startFilter({
  cards: [...document.querySelectorAll("article.rule")].map((card) => /** @type {HTMLElement} */ (card)),
  texts: "h3, .rule-text, .rule-sources",
  isNamed: (card, query) => card.id.toLowerCase() === query,
  noun: ["rule", "rules"],
});
