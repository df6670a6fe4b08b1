/**
 * The table AZ x acks: what is lost, what stops and for how long. The server runs a cell at a time and sends each as a
 * line of JSON; every cell opens its run, paused at the moment before.
 */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { html, Icon } from "../html.js";
import { request } from "../kit.js";
import { plural } from "../wording.js";
import { darkText, headOf, tintOf } from "./az_heads.js";
import { ndjson } from "./ndjson.js";

/**
 * @typedef {{row: string, acks: string, lost: number, by: string, duplicated: number, hidden: number, hidden_before: number,
 *   write_us: number, write_partitions: number, write_until_back: number, write_before: number,
 *   read_us: number, read_partitions: number, read_until_back: number, read_before: number, cause: string, causes: string[], tint: string, outcome: string}} Cell
 * @typedef {{key: string, label: string, brokers: number, controllers: number, dead: number[], broker: number | null, why: string, over: string[]}} Row
 * @typedef {{rows: Row[], acks: string[], kill_us: number, horizon_us: number, assumed: string}} Outline
 */

/** @param {{lines: string, open: string}} props */
export function AzTable({ lines, open }) {
  const [outline, setOutline] = useState(/** @type {Outline | null} */ (null));
  const [cells, setCells] = useState(/** @type {Record<string, Cell>} */ ({}));
  const [sentence, setSentence] = useState("");
  const [problem, setProblem] = useState("");
  const [done, setDone] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const [stopped, setStopped] = useState(false);
  useEffect(() => {
    if (stopped) return undefined;
    const abort = new AbortController();
    setCells({});
    (async () => {
      try {
        for await (const item of ndjson(await request(lines, { signal: abort.signal }))) {
          setWaiting(Boolean(item.waiting));
          if (item.outline) setOutline(item.outline);
          if (item.cell) setCells((known) => ({ ...known, [`${item.cell.row} ${item.cell.acks}`]: item.cell }));
          if (item.sentence !== undefined) setSentence(item.sentence);
          if (item.error) setProblem(item.error);
        }
        setDone(true);
      } catch (error) {
        if (!abort.signal.aborted) setProblem(/** @type {Error} */ (error).message);
      }
    })();
    return () => abort.abort();
  }, [lines, stopped]);
  const count = Object.keys(cells).length;
  const total = outline ? outline.rows.filter((row) => !row.dead.length).length * outline.acks.length : 0;
  const doing = stopped ? `Stopped after ${count} of ${total} runs` : waiting ? "Another table is being computed; this one is next" : outline ? `${count} of ${total} runs` : "Setting the cluster going";
  const causes = (outline?.rows ?? []).map((row) => ({ label: row.label, told: causesOf(row, cells) })).filter(({ told }) => told.length);
  return html`<section class="p-az" data-testid="az-table" data-done=${done}>
    <h2 class="p-sentence" aria-live="polite" data-testid="az-sentence">${sentence || (outline && !outline.rows.length ? "No broker has an AZ, so none can go dark." : "What happens when an AZ goes dark")}</h2>
    ${!done && !problem && html`<div class="p-progress" data-testid="az-progress" data-runs=${count}><progress class="bar" max=${total || 8} value=${count}></progress><span class="soft" role="status">${doing}</span>
      <button type="button" class="btn sm" data-testid=${stopped ? "az-again" : "az-stop"} onClick=${() => setStopped(!stopped)}>${stopped ? "Run them again" : "Stop"}</button></div>`}
    ${problem && html`<p class="note danger" role="alert"><${Icon} name="warning" />${problem}</p>`}
    ${outline && outline.rows.length > 0 && html`<div class="card flush scroll"><table class="table p-table">
      <thead><tr><th scope="col">When this goes dark</th>${outline.acks.map((acks) => html`<th scope="col">acks=${acks}</th>`)}</tr></thead>
      <tbody>${outline.rows.map((row) => html`<tr data-testid=${`az-row-${row.key}`}><th scope="row"><b>${row.label}</b><span>${nodes(row)}</span></th>
        ${row.dead.length ? html`<td class="dark" colspan=${outline.acks.length}>${darkText(row)}</td>` : outline.acks.map((acks) => html`<${CellOf} cell=${cells[`${row.key} ${acks}`]} other=${cells[`${row.key} ${acks === "all" ? "1" : "all"}`]} row=${row} acks=${acks} open=${open} />`)}</tr>`)}</tbody></table></div>`}
    ${causes.length > 0 && html`<ul class="p-causes" data-testid="az-causes">${causes.map(({ label, told }) => html`<li><b>${label}</b>: ${told.join("; ")}.</li>`)}</ul>`}
    ${outline && html`<${Over} outline=${outline} />`}
    ${outline && html`<p class="help">${outline.assumed}. Each cell is one run of ${whole(outline.horizon_us)} s that begins in this state: the loss comes at ${whole(outline.kill_us)} s and nothing comes back. Figures and sentence are those of the run’s verdict at its end; what was out or hidden before the loss is counted apart. Causes, and which broker stands for any single one, are read from the state that the loss meets. <b>Hidden</b>: acknowledged, and nobody can read it. <b>By rule</b>: no moment of the loss could lose an acknowledged record. <b>By luck</b>: another moment could. Red: records are gone, hidden, or out until it is back. Else the worse of two cells side by side is tinted, by what may be lost before what stops for a while.</p>`}
  </section>`;
}

/** Why the cells of a row are as they are: of both, each reason once. @param {Row} row @param {Record<string, Cell>} cells */
const causesOf = (row, cells) => [...new Set([...(cells[`${row.key} all`]?.causes ?? []), ...(cells[`${row.key} 1`]?.causes ?? [])])];

/** What is so at the start and over when the loss comes: a loss at once would meet it. @param {{outline: Outline}} props */
function Over({ outline }) {
  const rows = outline.rows.filter((row) => row.over.length);
  if (!rows.length) return null;
  const at = whole(outline.kill_us);
  return html`<div class="p-causes" data-testid="az-over"><p>In this state the cluster is weaker than at ${at} s, when replicas that are outside the ISR in it have caught up. If they lag for a reason that no listing tells, count on this:</p>
    <ul>${rows.map(({ label, over }) => html`<li><b>${label}</b>: in this state, ${over.join("; ")}.</li>`)}</ul></div>`;
}

/** @param {number} us */
const whole = (us) => (us / 1e6).toFixed(0);

/** What stands in an AZ, or why this broker is the worst. @param {Row} row */
const nodes = ({ brokers, controllers, dead, why }) => why || [dead.length || brokers ? plural(dead.length || brokers, "broker") : "", controllers ? plural(controllers, "controller") : ""].filter(Boolean).join(", ");

/** @param {{cell: Cell | undefined, other: Cell | undefined, row: Row, acks: string, open: string}} props */
function CellOf({ cell, other, row, acks, open }) {
  if (!cell) return html`<td class="wait"><span class="vh">not run yet</span></td>`;
  const { tone, icon, words } = headOf(cell);
  return html`<td class=${`cell ${tintOf(cell, other)}`} data-head=${`acks=${acks}`} data-testid=${`az-cell-${row.key}-${acks}`} data-lost=${cell.lost} data-by=${cell.by} data-hidden=${cell.hidden + cell.hidden_before} data-write-until-back=${cell.write_until_back}>
    <form method="post" action=${open}><input type="hidden" name="csrfmiddlewaretoken" value=${csrfToken()} /><input type="hidden" name="row" value=${row.key} /><input type="hidden" name="acks" value=${acks} /><input type="hidden" name="broker" value=${row.broker ?? ""} />
    <button type="submit" aria-label=${`Open the run: ${row.label} goes dark, acks=${acks}`}>
      <span class=${`p-cause ${tone}`}><${Icon} name=${icon} />${words}</span>
      <dl><div><dt>lost</dt><dd class=${cell.lost ? "bad" : cell.by === "luck" ? "risk" : ""}>${lost(cell)}</dd></div>
      ${cell.duplicated > 0 && html`<div><dt>twice</dt><dd class="bad">${plural(cell.duplicated, "record")}</dd></div>`}
      <div><dt>hidden</dt><dd class=${cell.hidden ? "bad" : ""}>${hidden(cell)}</dd></div>
      <div><dt>not writable</dt><dd>${outage(cell.write_us, cell.write_partitions, cell.write_until_back, cell.write_before)}</dd></div>
      <div><dt>not readable</dt><dd>${outage(cell.read_us, cell.read_partitions, cell.read_until_back, cell.read_before)}</dd></div></dl>
      <span class="say" data-testid="az-outcome">${cell.outcome}</span>
      <span class="go">Open the run</span></button></form></td>`;
}

const csrfToken = () => /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=csrf-token]"))?.content ?? "";

/** @param {Cell} cell */
const lost = (cell) => (cell.lost ? `${cell.lost.toLocaleString("en")} record${cell.lost === 1 ? "" : "s"}` : `0 by ${cell.by}`);

/** @param {Cell} cell */
function hidden(cell) {
  const before = cell.hidden_before ? html`<small>${cell.hidden_before.toLocaleString("en")} where it was so before</small>` : null;
  return html`${cell.hidden ? plural(cell.hidden, "record") : html`<span class="none">0</span>`}${before}`;
}

/** @param {number} us @param {number} partitions @param {number} untilBack @param {number} before */
function outage(us, partitions, untilBack, before) {
  const was = before ? html`<small>${plural(before, "partition")} ${before === 1 ? "was" : "were"} out before</small>` : null;
  if (!partitions) return html`<span class="none">never</span>${was}`;
  const rest = partitions - untilBack;
  const stays = untilBack ? html`<b>${plural(untilBack, "partition")} until it is back</b>` : null;
  const others = untilBack ? `${rest.toLocaleString("en")} more` : plural(rest, "partition");
  const recovers = rest > 0 ? html`<span>${others} <small>for up to</small> ${(us / 1e6).toFixed(1)} s</span>` : null;
  return html`${stays}${recovers}${was}`;
}

const host = document.getElementById("az");
if (host?.dataset.lines) {
  const { lines, open } = host.dataset;
  host.replaceChildren();
  render(html`<${AzTable} lines=${lines} open=${open} />`, host);
}
