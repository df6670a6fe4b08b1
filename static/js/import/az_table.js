/**
 * The table of losses: a row for each AZ, any single broker and any two AZs; three figures for each acks. A figure
 * opens the list behind it, a row its causes.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { unbroken } from "../kit/wording.js";
import { cellKey, darkText, FIGURES, NOTHING, rowsOf } from "./answer_lines.js";
import { momentsIn } from "./moments.js";
import { BOTH, RowDetail, RunButton } from "./row_detail.js";
import { isSame, open } from "./shown_list.js";

const CHANGED_MS = 2600; // a changed figure keeps its frame for so long
const HEADS = /** @type {Record<string, [string, string]>} */ ({
  lost: ["Lost", "records"],
  write: ["Not writable", "for the application"],
  read: ["Not readable", "or groups stopped"],
});
const SCALE = ["nothing", "seconds, or at risk", "under 10 %", "more", "half or more", "lost for good"];

/** @typedef {import("./answer_lines.js").Row} Row */

/**
 * @param {{all: import("./moments.js").Moments, moment: string, choose: (moment: string) => void, routes:
 *   import("./answer.js").Routes, body: string}} props
 */
export function AzTable({ all, moment, choose, routes, body }) {
  const shown = all.tables[moment] ?? NOTHING;
  const outline = /** @type {import("./answer_lines.js").Outline} */ (shown.outline);
  const { acks } = outline;
  const rows = rowsOf(shown);
  useFocusKept(rows.map((row) => row.key).join(" "));
  if (!rows.length) return null;
  const dark = darkText(outline);
  return html`<section class="card flush az-losses" aria-labelledby="az-losses-h"><header class="az-losses-head"><h2
    id="az-losses-h">${outline.dies === "killed" ? "When this is killed" : "When this goes dark"}</h2>
      <${MomentChoice} all=${all} moment=${moment} choose=${choose} />
      <p class="az-scale" aria-label="Colour scale"><span>stops or loses:</span>${SCALE.map(
        (word, step) => html`${
          step === 2 &&
          html`<span>until it
        is back:</span>`
        }<span><i
        class=${`l${step}`}></i>${word}</span>`,
      )}</p></header>
    <table class="az-table" data-testid="az-table"><colgroup><col class="c-head"
      />${acks.map(() => FIGURES.map((figure) => html`<col class=${`c-${figure}`} />`))}</colgroup><thead><tr><th
        rowspan="2" scope="col"><b>What is lost</b>a row each</th>${acks.map(
          (one) => html`<th class="group first" colspan="3"
            scope="colgroup">acks=${one}</th>`,
        )}</tr>
      <tr>${acks.map(() =>
        FIGURES.map(
          (figure) => html`<th scope="col"
        class=${
          figure === "lost" ? "first" : ""
        }><b>${/** @type {any} */ (HEADS[figure])[0]}</b>${/** @type {any} */ (HEADS[figure])[1]}</th>`,
        ),
      )}</tr></thead>
      ${rows.map(
        (row) => html`<${LossRow} key=${row.key} row=${row} shown=${shown} routes=${routes} body=${body}
        />`,
      )}</table></section>
    ${dark && html`<p class="az-note" data-testid="az-dark">${dark} The other rows count without what is down.</p>`}
    <p class="az-note">“Any single broker” and “Any two AZs” stand for the one broker, and the pair of AZs, whose loss
      weighs most; “majority”: most controllers go with it, so nobody can elect. ${waitText(outline)}</p>
    <p class="az-note">Each row is two runs of this cluster, one per acks, with nothing coming back before their end
      at ${(outline.horizon_us / 1e6).toFixed(0)} s. “Groups” counts the partitions of __consumer_offsets: a group whose
        coordinator is gone can neither join nor commit. “By rule”: whenever this loss comes in this state,
          it takes no acknowledged record. “At risk”: the moment decides. “May hide”: its leader is
          lost too, and the next one may not show the newest records before it is back.</p>`;
}

/** The setting behind times of a client that waits for a dark broker. @param {import("./answer_lines.js").Outline} o */
function waitText({ dies, basis }) {
  const wait = basis.find(({ key }) => key === "request_timeout_ms");
  if (dies === "killed" || !wait) return "";
  return `Times near ${wait.value / 1000} s are request.timeout.ms (${wait.why}): a dark broker closes no connection, so
    a client waits so long before it asks others. A longer time is that of a client that asked two dark brokers
    in turn. “At least”: the run ended first.`;
}

/**
 * The moment whose table is shown; nothing where there is only one.
 * @param {{all: import("./moments.js").Moments, moment: string, choose: (moment: string) => void}} props
 */
function MomentChoice({ all, moment, choose }) {
  const keys = momentsIn(all);
  if (keys.length < 2) return null;
  return html`<div class="seg" role="group" aria-label="When it is lost" data-testid="az-moments">${keys.map(
    (key) => html`<button type="button" aria-pressed=${key === moment} data-testid=${`az-moment-${key}`}
      onClick=${() => choose(key)}>${all.tables[key]?.outline?.label ?? ""}</button>`,
  )}</div>`;
}

/**
 * @param {{row: Row, shown: import("./answer_lines.js").Shown, routes: import("./answer.js").Routes, body: string}}
 *   props
 */
function LossRow({ row, shown, routes, body }) {
  const outline = /** @type {import("./answer_lines.js").Outline} */ (shown.outline);
  const isOpen = open.value?.row === row.key;
  const isWorst =
    row.kind === "az" &&
    shown.answer?.worst === row.key &&
    !shown.answer.same &&
    outline.rows.filter((one) => one.kind === "az").length > 1;
  const toggle = () => {
    open.value = isOpen ? null : { row: row.key, list: null };
  };
  return html`<tbody><tr class="az-row" data-testid=${`az-row-${row.key}`}><th scope="row"><button type="button"
    aria-expanded=${isOpen} onClick=${toggle}><${Icon} name="right"
      /><span><b>${row.label}</b>${
        row.has_majority &&
        html` <span
        class="tag warn">majority</span>`
      }${
        isWorst &&
        html` <span
          class="tag danger">worst AZ</span>`
      }${" "}</span><span
        class="note-of">${row.note}</span></button>${
          outline.acks.length > 1 &&
          html`<${RunButton} row=${row} acks=${BOTH} action=${routes.open} body=${body} isIcon=${true} />`
        }</th>
    ${outline.acks.map((acks) =>
      FIGURES.map(
        (figure) => html`<${FigureOf} key=${acks + figure} row=${row} acks=${acks}
      of=${figure} cell=${shown.cells[cellKey(row.key, acks)]} />`,
      ),
    )}</tr>
    ${
      isOpen &&
      html`<tr class="az-detail" data-detail=${row.key}><td
      colspan=${1 + outline.acks.length * FIGURES.length}><${RowDetail} row=${row} shown=${shown} routes=${routes}
        body=${body} /></td></tr>`
    }</tbody>`;
}

/**
 * @param {{row: Row, acks: string, of: import("./answer_lines.js").FigureKey, cell: import("./answer_lines.js").Cell |
 *   undefined}} props
 */
function FigureOf({ row, acks, of, cell }) {
  const figure = cell?.[of];
  const isFramed = useChanged(figure && `${figure.step} ${figure.text} ${figure.more}`);
  const head = `${of === "lost" ? "first" : ""} ${acks === "all" ? "of-all" : "of-1"}`;
  if (!figure) return html`<td class=${`az-figure wait ${head}`}><span class="vh">not computed yet</span></td>`;
  const list = { of, acks };
  const isOpen = open.value?.row === row.key && isSame(open.value.list, list);
  const toggle = () => {
    open.value = isOpen ? null : { row: row.key, list };
  };
  const [title] = HEADS[of] ?? [""];
  const inside = html`<span class="vh">${row.label}, acks=${acks}: </span><span
    class="head-of">${
      of === "read" ? `${title}, groups` : title
    }${" "}</span><b>${figure.text}</b>${" "}<span>${unbroken(figure.more)}</span><span
      class="vh"> (${figure.word})</span>`;
  return html`<td class=${`az-figure l${figure.step} ${head} ${isFramed ? "changed" : ""}`}
    data-testid=${`az-${of}-${row.key}-${acks}`} data-step=${figure.step} data-list=${figure.list}>
    ${
      figure.list
        ? html`<button type="button" aria-expanded=${isOpen}
      onClick=${toggle}>${inside}</button>`
        : html`<div>${inside}</div>`
    }</td>`;
}

/** A row that takes another place keeps the focus: a browser drops it when the row moves. @param {string} order */
function useFocusKept(order) {
  const focused = document.activeElement; // as it is before the rows move
  useLayoutEffect(() => {
    if (focused instanceof HTMLElement && focused.isConnected && focused !== document.activeElement)
      focused.focus({ preventScroll: true });
  }, [order]);
}

/** True if a figure has changed in the last seconds; the first one is no change. @param {string | undefined} said */
function useChanged(said) {
  const before = useRef(said);
  const [isFramed, setFramed] = useState(false);
  useEffect(() => {
    if (before.current === said) return undefined;
    const isFirst = before.current === undefined;
    before.current = said;
    if (isFirst) return undefined;
    setFramed(true);
    const timer = setTimeout(() => setFramed(false), CHANGED_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return isFramed;
}
