/**
 * The recordings: the buttons of kinds, the numbers of rules and the search leave those rows that have all that is
 * asked for, and open their tables. An address that names a row opens its table.
 */
import { plural } from "../kit/wording.js";

const RULE = /^[a-z]+-\d+$/;
const input = /** @type {HTMLInputElement | null} */ (document.getElementById("truth-search"));
const told = document.getElementById("truth-told");
const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".truth-part tbody tr")]);
const parts = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll(".truth-part")]);
const buttons = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll("#truth-kinds button")]);
const wereOpen = new Map(parts.map((part) => [part, part.open]));

function show() {
  const words = (input?.value ?? "").trim().toLowerCase().split(/\s+/).filter(Boolean);
  const kinds = buttons.filter((button) => button.ariaPressed === "true").map((button) => button.dataset.kind ?? "");
  const isAsked = words.length + kinds.length > 0;
  for (const row of rows) row.hidden = !has(row, words, kinds);
  for (const part of parts) {
    const kept = rows.filter((row) => part.contains(row) && !row.hidden).length;
    part.hidden = !kept;
    part.open = isAsked || Boolean(wereOpen.get(part));
  }
  const kept = rows.filter((row) => !row.hidden).length;
  if (told) told.textContent = isAsked ? `${kept} of ${plural(rows.length, "recording")}` : "";
}

/**
 * True if a row has all words and all kinds. The id of a rule is a whole word.
 * @param {HTMLElement} row @param {string[]} words @param {string[]} kinds
 */
function has(row, words, kinds) {
  const text = (row.textContent ?? "").toLowerCase();
  const rules = (row.dataset.rules ?? "").toLowerCase().split(" ");
  const hasWord = (/** @type {string} */ word) => (RULE.test(word) ? rules.includes(word) : text.includes(word));
  const own = (row.dataset.kinds ?? "").split(",");
  return words.every(hasWord) && kinds.every((kind) => own.includes(kind));
}

function clear() {
  if (input) input.value = "";
  for (const button of buttons) button.ariaPressed = "false";
  show();
}

/** Ask for one rule alone, and lead to what was found. @param {string} id */
function showRule(id) {
  clear();
  if (input) input.value = id;
  show();
  input?.scrollIntoView({ block: "start" });
  input?.focus();
}

function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const part = named?.closest("details");
  if (!part) return;
  if (named?.hidden) clear();
  part.open = true;
  named?.scrollIntoView({ block: "center" });
}

for (const button of buttons)
  button.addEventListener("click", () => {
    button.ariaPressed = String(button.ariaPressed !== "true");
    show();
  });
for (const number of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-find]")))
  number.addEventListener("click", () => showRule(number.dataset.find ?? ""));
input?.addEventListener("input", show);
addEventListener("keydown", (event) => {
  if (event.key === "/" && event.target !== input) {
    input?.focus();
    event.preventDefault();
  } else if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
    clear();
  }
});
addEventListener("hashchange", openNamed);
openNamed();
