/**
 * The basis of the answer: each assumption is a field with its source; a diamond marks those that can change the
 * headline.
 */
import { html } from "../kit/html.js";
import { decidesOf, shownText } from "./answer_lines.js";
import { controllersText, racksText } from "./places.js";

const SOURCES = /** @type {Record<string, string>} */ ({ read: "pasted" });
const LINES_MAX = 6; // of a field of lines, before it scrolls
const IN_THE_EDITOR = ["racks", "controllers"];

/** @typedef {import("./answer_lines.js").Field} Field */

// what stands before a value that does not say by itself what it is of
const BEFORE = /** @type {Record<string, string>} */ ({
  controllers: "controllers: ",
  dies: "it ",
  disks: "its disks ",
  outside: "followers outside the ISR ",
  version: "Kafka ",
  latency_ms: "latency ",
  records_per_s: "records ",
  log_gb: "a log ",
  copy_mb_per_s: "copied at ",
  request_timeout_ms: "request.timeout.ms ",
  min_insync_replicas: "min ISR ",
  elr: "ELR ",
  log_end: "records in a log ",
  backlog: "copies ",
  rates: "by topic ",
});

/** All values in one line, as a phone shows them while they are folded. @param {Field[]} basis */
export const basisLine = (basis) => basis.map((field) => `${BEFORE[field.key] ?? ""}${field.said}`).join(" · ");

/**
 * @param {{shown: import("./answer_lines.js").Shown, edits: import("./edits.js").Edits, refused: Record<string,
 *   string>,
 * places: import("./places.js").Places | null, edit: (key: string, value: string | undefined, isTyped: boolean) =>
 * void}} props
 */
export function Basis({ shown, edits, refused, places, edit }) {
  const basis = shown.outline?.basis ?? [];
  return html`<section class="az-basis" id="az-basis" aria-labelledby="az-basis-h" data-testid="az-basis"><h2
    id="az-basis-h">What this answer rests on</h2><p>Change a value here; the answer follows at once.</p>
    <ul>${basis.map(
      (field) => html`<li key=${field.key} data-testid=${`basis-${field.key}`} data-from=${sourceOf(field, edits)}
        data-decides=${decidesOf(shown, field)}>
      <${Diamond} shown=${shown} field=${field} />
      ${
        IN_THE_EDITOR.includes(field.key)
          ? html`<span class="label">${field.label}</span><${InEditor} field=${field}
        places=${places} />`
          : html`<label for=${`basis-${field.key}`}>${field.label}</label><${Value} field=${field}
          typed=${edits.fields[field.key]} isRefused=${field.key in refused} edit=${edit} />`
      }
      <span class=${`from ${sourceOf(field, edits) === "yours" ? "yours" : ""}`}
        title=${field.why}>${sourceOf(field, edits)}</span>
      ${
        field.key in refused &&
        html`<p class="error" role="alert" id=${`refused-${field.key}`}
        data-testid=${`refused-${field.key}`}>${refused[field.key]}</p>`
      }</li>`,
    )}</ul>
    <p class="az-diamond-key"><span class="az-diamond on"></span>Another value can change the headline</p></section>`;
}

/**
 * The source of a value: `yours` from the first key on.
 * @param {Field} field
 * @param {import("./edits.js").Edits} edits
 */
function sourceOf(field, edits) {
  const isTyped = (edits.fields[field.key] ?? "") !== "";
  return isTyped ? "yours" : (SOURCES[field.from] ?? field.from);
}

/** @param {{shown: import("./answer_lines.js").Shown, field: Field}} props */
function Diamond({ shown, field }) {
  const tried = shown.decides[field.key];
  if (!decidesOf(shown, field)) return html`<span class="az-diamond"></span>`;
  return html`<span class="az-diamond on" role="img" aria-label="Another value can change the headline"
    title=${tried ? `With ${tried.tried}: ${tried.headline}` : ""}></span>`;
}

/**
 * A value that the AZ editor below holds: the button leads there.
 * @param {{field: Field, places: import("./places.js").Places | null}} props
 */
function InEditor({ field, places }) {
  const said = !places ? field.said : field.key === "racks" ? racksText(places) : controllersText(places);
  const go = () => {
    const band = document.querySelector(".az-band");
    band?.scrollIntoView({ block: "center" });
    /** @type {HTMLElement | null | undefined} */ (band?.querySelector('.az-chip[tabindex="0"]'))?.focus();
  };
  return html`<button type="button" class="az-ed" aria-label=${`${field.label}: ${said}. Change it below`}
    onClick=${go}><span class="num">${said}</span></button>`;
}

/**
 * The field shows what is asked for: a refused or half typed value stays.
 * @param {{field: Field, typed: string | undefined, isRefused: boolean, edit: (key: string, value: string | undefined,
 *   isTyped: boolean) => void}} props
 */
function Value({ field, typed, isRefused, edit }) {
  const { key, choices, unit, hint } = field;
  const shown = shownText(field, typed);
  if (choices) {
    return html`<span class="az-ed"><select id=${`basis-${key}`} value=${shown} aria-invalid=${isRefused}
      onChange=${(/** @type {any} */ event) => edit(key, event.currentTarget.value, false)}>
      ${choices.map(([value, label]) => html`<option value=${String(value)}>${label}</option>`)}</select></span>`;
  }
  if (field.lines) {
    return html`<span class=${`az-ed az-lines ${isRefused ? "wrong" : ""}`}><textarea id=${`basis-${key}`}
      rows=${Math.min(LINES_MAX, Math.max(1, shown.split("\n").length))} placeholder=${hint} spellcheck="false"
        wrap="off" aria-invalid=${isRefused} aria-describedby=${isRefused ? `refused-${key}` : null}
          title="A topic and its records/s on each line"
      value=${shown} onInput=${(/** @type {any} */ event) =>
        edit(key, event.currentTarget.value, true)}></textarea></span>`;
  }
  const leave = (/** @type {any} */ event) => {
    if (event.currentTarget.value === "") edit(key, undefined, false);
  };
  return html`<span class=${`az-ed ${isRefused ? "wrong" : ""}`}><input id=${`basis-${key}`} type="number" step="any"
    min=${field.min} max=${field.max} inputmode="decimal" value=${shown} aria-invalid=${isRefused}
      aria-describedby=${isRefused ? `refused-${key}` : null}
    onInput=${(/** @type {any} */ event) => edit(key, event.currentTarget.value, true)} onBlur=${leave} /><span
      class="unit">${unit}</span></span>`;
}
