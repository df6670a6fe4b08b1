/**
 * The gallery: one theme at a time, the one that the address names. The cards that a search finds, runs and
 * questions, and those that the toggles choose stand in a list of their own, the best first; Escape brings the themes
 * back. Words and toggles stand in the address. Without this script all themes stand one below the other.
 */
import { foundText, Search } from "./search.js";
import { plural } from "../kit/wording.js";

/** @import {Found, Term} from "./search.js" */

const AGAIN_MS = 1_000;
const AGAIN_MS_MAX = 60_000;
const search = new Search(JSON.parse(byId("gallery-index").textContent ?? "{}"));
const input = /** @type {HTMLInputElement} */ (byId("gallery-search"));
const found = byId("gallery-found");
const hits = byId("gallery-hits");
const cards = /** @type {HTMLElement[]} */ ([
  ...document.querySelectorAll("#gallery-questions li.card, section.gal li.card"),
]);
const homes = new Map(cards.map((card) => [card, card.parentElement]));
const byName = new Map(cards.map((card) => [card.dataset.name, card]));
const toggles = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll("#gallery-kinds button")]);
const sections = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("section.gal:not(.found)")]);

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

function show() {
  const query = input.value.trim();
  const isAsked = Boolean(query) || chosen().length > 0;
  for (const card of cards) {
    homes.get(card)?.append(card);
    tellHow(card, "");
  }
  found.hidden = !isAsked;
  if (query)
    tell(
      query,
      search.find(query, (name) => isChosen(byName.get(name))),
    );
  else if (isAsked) tellChosen();
  showTheme(isAsked ? undefined : named(), !isAsked);
}

/** The toggles that are pressed. */
const chosen = () => toggles.filter((toggle) => toggle.ariaPressed === "true");

/** True if a card is what all pressed toggles say. @param {HTMLElement | undefined} card */
const isChosen = (card) =>
  chosen().every(({ dataset }) => card?.dataset.kinds?.split(" ").includes(String(dataset.kind)));

/** The words of the pressed toggles: a run has all of them. */
const chosenText = () =>
  chosen()
    .map(({ dataset }) => `“${dataset.text}”`)
    .join(" and ");

/** The cards that the toggles choose, in their order. */
function tellChosen() {
  const list = cards.filter(isChosen);
  byId("gallery-told").textContent = list.length
    ? `${plural(list.length, "run")}: ${chosenText()}`
    : `No run is all of these: ${chosenText()}. Release a button, or press Escape.`;
  byId("gallery-terms").replaceChildren();
  for (const card of list) place(card);
}

/** Put a card into the list of those that are found. @param {HTMLElement} card */
function place(card) {
  hits.append(card);
  const theme = sections.find((section) => section.contains(homes.get(card) ?? null));
  if (theme) void drawPictures(theme);
}

/** Words and toggles stand in the address, so that it can be shared. */
function note() {
  const address = new URL(location.href);
  const kinds = chosen()
    .map(({ dataset }) => dataset.kind)
    .join(",");
  for (const [key, value] of [
    ["q", input.value.trim()],
    ["kinds", kinds],
  ])
    if (value) address.searchParams.set(String(key), value);
    else address.searchParams.delete(String(key));
  history.replaceState(history.state, "", address);
}

/** Release all toggles and take the words away. */
function clear() {
  input.value = "";
  for (const toggle of toggles) toggle.ariaPressed = "false";
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

/**
 * Draw a theme's pictures when it, or a card of it, is first shown; asks again where no answer comes.
 * @param {HTMLElement} theme @param {number} [again] ms until then
 */
async function drawPictures(theme, again = AGAIN_MS) {
  if (theme.dataset.drawn) return;
  theme.dataset.drawn = "true";
  const answer = await fetch(`/gallery/pictures/${theme.id}`).catch(() => null);
  if (!answer?.ok) {
    setTimeout(() => {
      delete theme.dataset.drawn;
      void drawPictures(theme, Math.min(again * 2, AGAIN_MS_MAX));
    }, again);
    return;
  }
  for (const [name, svg] of Object.entries(await answer.json()))
    byName.get(name)?.querySelector(".gal-picture")?.insertAdjacentHTML("afterbegin", svg);
}

/** @param {string} query @param {Found} told */
function tell(query, told) {
  const { terms, hits: list, whole } = told;
  byId("gallery-told").textContent = `${foundText(query, told)}${chosen().length ? `: ${chosenText()}` : ""}`;
  byId("gallery-terms").replaceChildren(
    ...(terms.length > 1 || terms.some((term) => term.readAs) || !whole ? terms.map(tagOf) : []),
  );
  for (const hit of list) {
    const card = byName.get(hit.name);
    if (!card) continue;
    place(card);
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

const change = () => {
  note();
  show();
};
input.addEventListener("input", change);
for (const toggle of toggles)
  toggle.addEventListener("click", () => {
    toggle.ariaPressed = String(toggle.ariaPressed !== "true");
    change();
  });
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && (input.value || chosen().length) && !document.querySelector("dialog[open]")) {
    if (input.value) input.value = "";
    else clear();
    change();
    input.focus();
    event.preventDefault();
  } else if (event.key === "/" && event.target === document.body) {
    input.focus();
    event.preventDefault();
  }
});
addEventListener("hashchange", () => {
  clear();
  change();
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
});
const asked = new URLSearchParams(location.search);
input.value ||= asked.get("q") ?? "";
const kinds = asked.get("kinds")?.split(",") ?? [];
for (const toggle of toggles) if (kinds.includes(String(toggle.dataset.kind))) toggle.ariaPressed = "true";
show();
