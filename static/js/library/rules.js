/**
 * The filter of the rule book: a rule stays if it has all words; Escape brings all rules back. A link to a rule that
 * the filter hides takes the filter away.
 */
import { plural } from "../kit/wording.js";

const input = /** @type {HTMLInputElement} */ (byId("rules-search"));
const rules = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("article.rule")]);
const chapters = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("section.chapter")]);
const texts = new Map(rules.map((rule) => [rule, textOf(rule)]));
const asides = /** @type {HTMLElement[]} */ ([
  ...document.querySelectorAll(".chapter > .about, .chapter > .rest, #rules-words, #rules-chapters"),
]);

/** @param {string} id */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** The words of a rule in small letters, without the titles of its runs. @param {HTMLElement} rule */
function textOf(rule) {
  const parts = [...rule.querySelectorAll("h3, .rule-text, .rule-sources")];
  return parts
    .map((part) => part.textContent ?? "")
    .join(" ")
    .toLowerCase();
}

/** Rules whose id is the query stand alone; else those that have all words. @param {string} query */
function found(query) {
  const named = rules.filter((rule) => rule.id.toLowerCase() === query);
  const words = query.split(/\s+/);
  return named.length ? named : rules.filter((rule) => words.every((word) => texts.get(rule)?.includes(word)));
}

function show() {
  const query = input.value.trim().toLowerCase();
  const kept = new Set(query ? found(query) : rules);
  for (const rule of rules) rule.hidden = !kept.has(rule);
  for (const chapter of chapters) {
    chapter.hidden = Boolean(query) && !chapter.querySelector("article.rule:not([hidden])");
  }
  for (const aside of asides) aside.hidden = Boolean(query);
  byId("rules-none").hidden = kept.size > 0;
  byId("rules-told").textContent = query
    ? `${kept.size} of ${plural(rules.length, "rule")}`
    : plural(rules.length, "rule");
}

function clear() {
  input.value = "";
  show();
  input.focus();
}

/** The rule or chapter of the address is shown, whatever the filter says. */
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.closest("[hidden]")) return;
  input.value = "";
  show();
  target.scrollIntoView();
}

input.addEventListener("input", show);
byId("rules-clear").addEventListener("click", clear);
addEventListener("hashchange", follow);
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && input.value && !document.querySelector("dialog[open]")) {
    clear();
    event.preventDefault();
  } else if (event.key === "/" && event.target === document.body) {
    input.focus();
    event.preventDefault();
  } else if (event.key === "Enter" && event.target === input) {
    rules.find((rule) => !rule.hidden)?.focus();
    event.preventDefault();
  }
});
input.value ||= new URLSearchParams(location.search).get("q") ?? "";
show();
follow();
