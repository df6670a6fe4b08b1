/** The outcome of a paste: status and counts, doubts, and the lines that gave nothing. */
import { html, Icon } from "../kit/html.js";

const STATUS = /** @type {Record<string, [string, string, string]>} */ ({
  accept: ["ok", "check", "Read"],
  "accept-warn": ["warn", "warning", "Read, with doubts"],
  reject: ["danger", "x", "Not used"],
});
const COUNTS = [
  ["brokers", "brokers"],
  ["topics", "topics"],
  ["partitions", "partitions listed"],
  ["under_replicated", "under-replicated"],
  ["leaderless", "without leader"],
  ["leader_not_first", "not on the preferred leader"],
];

/** @param {{told: any}} props */
export function Counts({ told }) {
  const [tone, icon, word] = STATUS[told.status] ?? STATUS.reject;
  return html`<section class="card p-counts" data-testid="import-status" data-status=${told.status}>
    <span class=${`tag ${tone}`}><${Icon} name=${icon}
      />${told.status !== "reject" && !told.can_build ? "Recognised" : word}</span>
    ${
      told.reason
        ? html`<p class="p-reason">${told.reason}</p>`
        : html`<dl>${countsOf(told).map(
            ([key, label]) => html`<div class=${trouble(key, told.summary[key])}>
      <dd class="num" data-testid=${`count-${key}`}>${told.summary[key].toLocaleString("en")}</dd>
      <dt>${told.summary[key] === 1 ? label.replace(/s( listed)?$/, "$1") : label}</dt></div>`,
          )}</dl>`
    }
  </section>`;
}

/**
 * The counts that this kind of paste tells; a quorum's members are no brokers yet.
 * @param {any} told
 * @returns {string[][]}
 */
export function countsOf({ kind, summary }) {
  const [brokers, ...others] = COUNTS;
  return [kind === "quorum" ? ["brokers", "quorum members"] : (brokers ?? []), ...others].filter(
    ([key]) => typeof summary[key ?? ""] === "number",
  );
}

/** @param {string} key @param {number | null} value */
const trouble = (key, value) =>
  !value || !["under_replicated", "leaderless"].includes(key) ? "" : key === "leaderless" ? "bad" : "risk";

/** @param {{told: any}} props */
export function Doubts({ told }) {
  const said = [...told.warnings, ...told.notes];
  if (!said.length) return null;
  const list = html`<ul>${said.map((one) => html`<li>${one}</li>`)}</ul>`;
  return html`<section class=${`note p-doubts ${told.warnings.length ? "warn" : ""}`}
    data-testid="import-warnings"><${Icon} name=${told.warnings.length ? "warning" : "info"} />
    ${
      said.length > 4
        ? html`<details><summary>${said.length} doubts about this
      paste</summary>${list}</details>`
        : list
    }</section>`;
}

/**
 * The lines that were left, with the reasons. `verb`: what became of them, "could not be read" if nothing else is said.
 * @param {{told: any, goTo: (line: number) => void, verb?: string}} props
 */
export function Unread({ told, goTo, verb = "could not be read" }) {
  const lost = told.unread.filter((/** @type {any} */ one) => !one.noise);
  const noise = told.unread.filter((/** @type {any} */ one) => one.noise);
  if (!told.unread.length) return null;
  return html`<section class="card p-unread" data-testid="import-unread">
    ${
      lost.length > 0 &&
      html`<h2>${many(lost.length, "line")} ${verb}</h2><${Lines} lines=${lost}
      goTo=${goTo} />`
    }
    ${
      noise.length > 0 &&
      html`<details><summary>${many(noise.length, "line")} of prompts, log lines and
      markup</summary><${Lines} lines=${noise} goTo=${goTo} /></details>`
    }
    ${told.unread_more > 0 && html`<p class="soft">and ${told.unread_more.toLocaleString("en")} more</p>`}
  </section>`;
}

/** @param {{lines: any[], goTo: (line: number) => void}} props */
const Lines = ({ lines, goTo }) =>
  html`<ul>${lines.map(
    (one) => html`<li data-testid="import-problem" data-line=${one.line}>
  <button class="link" type="button"
    onClick=${() => goTo(one.line)}>Line ${one.line}</button><span>${one.reason}</span><code>${one.text}</code></li>`,
  )}</ul>`;

/** @param {number} number @param {string} noun */
export const many = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
