/**
 * A cluster is lost and another takes over. The page runs the document of a run by each way back, or in each setup, and
 * shows the costs beside each other.
 *
 * @import {Column, Failover, Head, Row, Shown} from "./rows.js"
 */
import { render } from "preact";
import { useState } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { ndjson } from "../import/ndjson.js";
import { request } from "../kit/kit.js";
import {
  COLUMNS,
  COMPARED,
  detail,
  figure,
  isBest,
  LOSSES,
  lagText,
  minutes,
  NOTHING,
  partsOf,
  rpoText,
  timesOf,
  withLine,
} from "./rows.js";

/** @param {{head: Head, lines: string}} props */
function Plans({ head, lines }) {
  const [first = "", second = ""] = head.flows[0] ?? head.clusters;
  const [lose, setLose] = useState(first);
  const [to, setTo] = useState(second);
  const [compare, setCompare] = useState("ways-back");
  const [times, setTimes] = useState(head.times);
  const [leavesRunning, setLeavesRunning] = useState(false);
  const [asked, setAsked] = useState(/** @type {Record<string, number> | null} */ (null));
  const [shown, setShown] = useState(NOTHING);
  const run = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setAsked(times);
    setShown(NOTHING);
    try {
      const json = { compare, lose, to, times, leaves_running: leavesRunning };
      for await (const line of ndjson(await request(lines, { method: "POST", json })))
        setShown((known) => withLine(known, line));
    } catch (error) {
      setShown((known) => ({ ...known, error: /** @type {Error} */ (error).message }));
    }
    setShown((known) => ({ ...known, isDone: true }));
  };
  const isRunning = asked !== null && !shown.isDone;
  const headOf = COMPARED.find(([key]) => key === compare)?.[2];
  if (head.clusters.length < 2)
    return html`<p class="note"><${Icon} name="info" />This run has one cluster. Plans move clients from one cluster to
      another: paste a second site, or write a document with several clusters.</p>`;
  return html`<div class="plans" data-testid="plans" data-done=${shown.isDone}>
    <h1>Fail over, and back</h1>
    <form class="card p-form" onSubmit=${run}>
      <div class="p-sentence"><label>When <${Clusters} name="lose" value=${lose} set=${setLose} of=${head.clusters}
        /> is lost,</label>
        <label><${Clusters} name="to" value=${to} set=${setTo} of=${head.clusters} /> takes over.</label>
        <label>Compare <select class="input" name="compare" data-testid="compare" value=${compare} disabled=${isRunning}
          onChange=${(/** @type {any} */ event) => {
            setCompare(event.currentTarget.value);
            setShown(NOTHING);
            setAsked(null);
          }}>${COMPARED.map(
            ([key, text]) => html`<option key=${key}
          value=${key}>${text}</option>`,
          )}</select></label></div>
      <div class="p-times">${timesOf(compare).map(
        ([key, text]) => html`<label key=${key}>${text}<span><input class="input" type="number" name=${key} min="0"
          max=${head.seconds_max} step="1" required value=${times[key]}
        onInput=${(/** @type {any} */ event) => setTimes({ ...times, [key]: event.currentTarget.valueAsNumber })}
          /> s</span></label>`,
      )}</div>
      <label class="p-leave"><input type="checkbox" name="leaves_running" checked=${leavesRunning}
        onChange=${(/** @type {any} */ event) => setLeavesRunning(event.currentTarget.checked)} /> Nobody ends the old
        processes: they write what they hold when ${lose} is back</label>
      <div class="row"><button class="btn pri" type="submit" data-testid="run-plans"
        disabled=${lose === to || isRunning}><${Icon} name="play" />Run and compare</button>
        ${lose === to && html`<span class="soft">Choose two different clusters.</span>`}</div></form>
    ${shown.error && html`<p class="note danger" role="alert"><${Icon} name="warning" />${shown.error}</p>`}
    ${shown.plans.length > 0 && html`<${Table} shown=${shown} head=${headOf} />`}
    ${
      shown.rows[0]?.failovers[0] &&
      asked &&
      html`<${FailoverCard}
      title=${compare === "setups" ? `The failover: ${shown.rows[0].title}` : "The failover, before any way back"}
        failover=${shown.rows[0].failovers[0]} times=${asked} />`
    }</div>`;
}

/** @param {{name: string, value: string, set: (name: string) => void, of: string[]}} props */
const Clusters = ({ name, value, set, of }) => html`<select class="input" name=${name} value=${value}
  onChange=${(/** @type {any} */ event) => set(event.currentTarget.value)}>
  ${of.map((one) => html`<option key=${one} value=${one} selected=${one === value}>${one}</option>`)}</select>`;

/** @param {{shown: Shown, head: string}} props */
function Table({ shown, head }) {
  return html`<section class="card p-table" aria-label="The cost of each"><table><thead><tr><th scope="col">${head}</th>
      ${COLUMNS.map(([key, text, title]) => html`<th key=${key} scope="col" class="r" title=${title}>${text}</th>`)}<th
        scope="col"><span class="vh">Run</span></th></tr></thead>
    <tbody>${shown.plans.map(({ plan, title, about, refused }) => {
      const row = shown.rows.find((one) => one.plan === plan);
      const head = html`<th scope="row"><b>${title}</b>${
        row?.not_over && html`<small class="bad" data-testid=${`not-over-${plan}`}>${row.not_over}</small>`
      }<small>${about}</small></th>`;
      if (refused)
        return html`<tr key=${plan} data-testid=${`plan-${plan}`}>${head}<td
          colspan=${COLUMNS.length + 1}>This plan cannot be made. ${refused}</td></tr>`;
      return html`<tr key=${plan} data-testid=${`plan-${plan}`}>${head}
        ${COLUMNS.map(
          ([key, text]) => html`<td key=${key} class=${cellClass(shown, row, key)} data-label=${text}
          data-value=${row?.[key]}><span>${row ? figure(key, row[key]) : "…"}${
            row && detail(row, key) && html`<small>${detail(row, key)}</small>`
          }</span></td>`,
        )}
        <td class="go">${row && html`<${Open} row=${row} />`}</td></tr>`;
    })}</tbody></table>
    ${
      !shown.isDone &&
      !shown.error &&
      html`<p class="soft p-wait"
      role="status">${shown.rows.length} of ${shown.plans.filter((one) => !one.refused).length} have run.</p>`
    }${shown.sample && html`<p class="soft">${shown.sample}</p>`}</section>`;
}

/**
 * @param {Shown} shown
 * @param {Row | undefined} row
 * @param {Column} key
 */
function cellClass(shown, row, key) {
  if (!row) return "r";
  const isBad = LOSSES.includes(key) && (row[key] ?? 0) > 0;
  return `r${isBad ? " bad" : ""}${shown.isDone && isBest(shown.rows, row, key) ? " best" : ""}`;
}

/** Opens the run of a plan: it is stored first. @param {{row: Row}} props */
function Open({ row }) {
  const [problem, setProblem] = useState("");
  const open = async () => {
    try {
      location.href = (await (await request("/api/documents", { method: "POST", json: row.scenario })).json()).url;
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
    }
  };
  return html`<button class="btn sm" type="button" data-testid=${`open-${row.plan}`} onClick=${open}><${Icon}
    name="play" />Open this run</button>${problem && html`<p class="error" role="alert">${problem}</p>`}`;
}

/** The failover of the first row. @param {{title: string, failover: Failover, times: Record<string, number>}} props */
function FailoverCard({ title, failover, times }) {
  const parts = partsOf(failover, times);
  const whole = parts.reduce((sum, { us }) => sum + Math.max(0, us), 0) || 1;
  return html`<section class="card p-failover" aria-label="The failover"
    data-testid="plan-failover"><h2>${title}</h2><p>${failover.sentence}</p>
    <dl class="p-two"><div><dt>RTO: until groups have caught up</dt><dd
      data-testid="rto">${failover.rto_us < 0 ? "not over" : minutes(failover.rto_us)}</dd></div>
      <div><dt>RPO: not in ${failover.to} when it took over</dt><dd
        data-testid="rpo">${rpoText(failover)}</dd></div>
      ${
        lagText(failover) && html`<div><dt>Behind before it: p50, p99, worst</dt><dd>${lagText(failover)}</dd></div>`
      }</dl>
    <div class="p-bar" aria-hidden="true">${parts.map(
      ({ name, us }, i) => html`<i key=${name} class=${`p${i}`}
      style=${{ flexGrow: Math.max(0, us) / whole }}></i>`,
    )}</div>
    <ul class="p-parts">${parts.map(
      ({ name, us }, i) => html`<li key=${name}><i class=${`p${i}`}
      aria-hidden="true"></i>${name} <b>${us < 0 ? "not over" : minutes(us)}</b></li>`,
    )}</ul></section>`;
}

const root = /** @type {HTMLElement} */ (document.getElementById("plans"));
const head = JSON.parse(document.getElementById("head")?.textContent ?? "{}");
root.replaceChildren();
render(html`<${Plans} head=${head} lines=${root.dataset.lines} />`, root);
