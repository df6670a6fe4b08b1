/**
 * All figures of the runs side by side at the drawn moment, as the engine gives them; as text and as CSV.
 *
 * @import {ComparePage} from "./page.js"
 * @import {Comparison} from "./apart.js"
 */
import { signal } from "@preact/signals";
import { must } from "../kit/dom.js";
import { html, Icon } from "../kit/html.js";
import { copy } from "../kit/kit.js";
import { asCsv, asText, LETTERS, tablesOf } from "./apart.js";

const found = signal(/** @type {Comparison | null} */ (null));
const problem = signal("");

/** @param {{page: ComparePage}} props */
export function FiguresDialog({ page }) {
  const dialog = /** @type {HTMLDialogElement} */ (must("figures"));
  if (!dialog.dataset.listens) {
    dialog.dataset.listens = "yes";
    new MutationObserver(() => dialog.open && load(page)).observe(dialog, { attributeFilter: ["open"] });
  }
  const shown = found.value;
  return html`<h2 id="figures-title">All figures${shown && ` at ${(shown.until_us / 1e6).toFixed(3)} s`}</h2>
    ${problem.value && html`<p class="warn" role="alert">${problem.value}</p>`}
    ${!shown && !problem.value && html`<p role="status">Counting…</p>`}
    ${shown && html`<${Table} page=${page} shown=${shown} />`}`;
}

/** The figures of the moment at which the dialog opens. @param {ComparePage} page */
async function load(page) {
  found.value = null;
  problem.value = "";
  try {
    found.value = await page.figures(`?at_us=${Math.round(page.travel.t)}`);
  } catch (error) {
    problem.value = /** @type {Error} */ (error).message;
  }
}

/** @param {{page: ComparePage, shown: Comparison}} props */
function Table({ page, shown }) {
  const { names } = page;
  const heads = names.map((name, i) => html`<th scope="col" title=${name}>${LETTERS[i]}<small> ${name}</small></th>`);
  const copyText = () => copy(`${asText(shown, names)}\n${page.link()}`, "Figures copied.");
  return html`<div class="scrolls" tabindex="0" role="region" aria-labelledby="figures-title"><table class="figures"
      data-testid="figures-table"><thead><tr><td></td>${heads}</tr></thead>
      ${tablesOf(shown).map(
        ({ title, rows }) => html`<tbody><tr><th scope="rowgroup" colspan=${names.length + 1}>${title}</th></tr>
          ${rows.map(
            (row) =>
              html`<tr class=${row.differs ? "differs" : ""}><th scope="row">${row.label}</th>${row.cells.map(
                (cell) => html`<td class="num">${cell}</td>`,
              )}</tr>`,
          )}</tbody>`,
      )}</table></div>
    <p class="row"><button type="button" class="btn" data-testid="copy-text" onClick=${copyText}><${Icon} name="copy"
      />Copy as text</button>
      <button type="button" class="btn" data-testid="copy-csv"
        onClick=${() => copy(asCsv(shown, names), "CSV copied.")}>Copy as CSV</button></p>`;
}
