/**
 * The gallery: one theme at a time, the one that the address names. The cards that a search finds, runs and
 * questions, stand in a list of their own, the best first; Escape brings the themes back. Without this script all
 * themes stand one below the other.
 */
import { foundText, Search } from "./search.js";
import { plural } from "../kit/wording.js";

/** @import {Found, Term} from "./search.js" */

const search = new Search(JSON.parse(byId("gallery-index").textContent ?? "{}"));
const input = /** @type {HTMLInputElement} */ (byId("gallery-search"));
const found = byId("gallery-found");
const hits = byId("gallery-hits");
const cards = /** @type {HTMLElement[]} */ ([
  ...document.querySelectorAll("#gallery-questions li.card, section.gal li.card"),
]);
const homes = new Map(cards.map((card) => [card, card.parentElement]));
const byName = new Map(cards.map((card) => [card.dataset.name, card]));
const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("section.gal:not(.found)")]);

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

function show() {
  const query = input.value.trim();
  for (const card of cards) {
    homes.get(card)?.append(card);
    tellHow(card, "");
  }
  found.hidden = !query;
  if (query) tell(query, search.find(query));
  showTheme(query ? undefined : named(), !query);
}

/** The theme that the address names, by its key or by a card of it. */
function named() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  return sections.find((section) => target && section.contains(target));
}

/** @param {HTMLElement | undefined} theme the only one shown @param {boolean} isChosen whether themes are offered */
function showTheme(theme, isChosen) {
  byId("gallery-themes").hidden = Boolean(theme) || !isChosen;
  byId("gallery-sections").hidden = !theme;
  for (const section of sections) section.hidden = section !== theme;
  for (const link of byId("gallery-sections").querySelectorAll("a"))
    link.toggleAttribute("aria-current", link.hash === `#${theme?.id}`);
  if (theme) void drawPictures(theme);
}

/** Draw a theme's pictures when it, or a card of it, is first shown. @param {HTMLElement} theme */
async function drawPictures(theme) {
  if (theme.dataset.drawn) return;
  theme.dataset.drawn = "true";
  const answer = await fetch(`/gallery/pictures/${theme.id}`);
  if (!answer.ok) return;
  for (const [name, svg] of Object.entries(await answer.json()))
    byName.get(name)?.querySelector(".gal-picture")?.insertAdjacentHTML("afterbegin", svg);
}

/** @param {string} query @param {Found} told */
function tell(query, told) {
  const { terms, hits: list, whole } = told;
  byId("gallery-told").textContent = foundText(query, told);
  byId("gallery-terms").replaceChildren(
    ...(terms.length > 1 || terms.some((term) => term.readAs) || !whole ? terms.map(tagOf) : []),
  );
  for (const hit of list) {
    const card = byName.get(hit.name);
    if (!card) continue;
    hits.append(card);
    const theme = sections.find((section) => section.contains(homes.get(card) ?? null));
    if (theme) void drawPictures(theme);
    tellHow(card, hit.all ? "" : `Found by ${hit.found.map((text) => `“${text}”`).join(" and ")}`);
  }
}

/** @param {HTMLElement} card @param {string} text */
function tellHow(card, text) {
  const line = /** @type {HTMLElement} */ (card.querySelector(".gal-by"));
  line.textContent = text;
  line.hidden = !text;
}

/** A word of the search and how many results know it. @param {Term} term */
function tagOf({ text, known, readAs }) {
  const tag = document.createElement("span");
  tag.className = known ? "tag acc" : "tag";
  tag.textContent = `${text}${readAs ? `, read as ${readAs}` : ""}: ${known ? plural(known, "result") : "no result"}`;
  return tag;
}

input.addEventListener("input", show);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && input.value && !document.querySelector("dialog[open]")) {
    input.value = "";
    show();
    input.focus();
    event.preventDefault();
  } else if (event.key === "/" && event.target === document.body) {
    input.focus();
    event.preventDefault();
  }
});
addEventListener("hashchange", () => {
  input.value = "";
  show();
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
});
input.value ||= new URLSearchParams(location.search).get("q") ?? "";
show();
