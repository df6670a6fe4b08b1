/**
 * The filter of a long page: a card stays if it has all words; Escape brings all back. A link to a card that the
 * filter hides takes the filter away.
 */
import { plural } from "../kit/wording.js";
import { foldChapters, unfold } from "./fold_chapters.js";

/**
 * @typedef {object} Parts
 * @property {HTMLElement[]} cards
 * @property {string} texts selector of what is searched in a card
 * @property {(card: HTMLElement, query: string) => boolean} isNamed it is what the query names, and stands alone
 * @property {[string, string]} noun of a card, and of several where it is no plain plural
 */

/** Bring the page's own filter to life. @param {Parts} parts */
export function startFilter({ cards, texts, isNamed, noun }) {
  const input = /** @type {HTMLInputElement} */ (byId("find"));
  const chapters = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("section.chapter")]);
  const asides = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-aside]")]);
  const words = new Map(cards.map((card) => [card, textOf(card, texts)]));

  /** Cards that the query names stand alone; else those that have all words. @param {string} query */
  const found = (query) => {
    const named = cards.filter((card) => isNamed(card, query));
    const asked = query.split(/\s+/);
    return named.length ? named : cards.filter((card) => asked.every((word) => words.get(card)?.includes(word)));
  };

  const show = () => {
    const query = input.value.trim().toLowerCase();
    const kept = new Set(query ? found(query) : cards);
    for (const card of cards) card.hidden = !kept.has(card);
    for (const chapter of chapters) {
      chapter.classList.toggle("asked", Boolean(query));
      chapter.hidden = Boolean(query) && !chapter.querySelector("article:not([hidden])");
    }
    for (const aside of asides) aside.hidden = Boolean(query);
    byId("none").hidden = kept.size > 0;
    const all = plural(cards.length, ...noun);
    byId("told").textContent = query ? `${kept.size} of ${all}` : all;
  };

  const clear = () => {
    input.value = "";
    show();
    input.focus();
  };

  /** The card or chapter of the address is shown, whatever the filter says. */
  const follow = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target?.closest("[hidden], .folded")) return;
    input.value = "";
    show();
    unfold(target);
    target.scrollIntoView();
  };

  foldChapters(chapters, noun);
  input.addEventListener("input", show);
  byId("clear").addEventListener("click", clear);
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && input.value && !document.querySelector("dialog[open]")) {
      clear();
      event.preventDefault();
    } else if (event.key === "/" && event.target === document.body) {
      input.focus();
      event.preventDefault();
    } else if (event.key === "Enter" && event.target === input) {
      cards.find((card) => !card.hidden)?.focus();
      event.preventDefault();
    }
  });
  input.value ||= new URLSearchParams(location.search).get("q") ?? "";
  show();
  follow();
}

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** The words of a card in small letters. @param {HTMLElement} card @param {string} texts */
function textOf(card, texts) {
  return [...card.querySelectorAll(texts)]
    .map((part) => part.textContent ?? "")
    .join(" ")
    .toLowerCase();
}
