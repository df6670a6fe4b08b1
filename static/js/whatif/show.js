/** One experiment: it asks for the status each second while the experiment is active and draws what there is. */
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { copy, request, toast } from "../kit/kit.js";
import { Comparison } from "./comparison.js";
import { Curve } from "./curve.js";
import { Intervals } from "./intervals.js";
import { Marks } from "./marks.js";
import { Pager } from "./pager.js";
import { Pairs } from "./pairs.js";
import { hasMoves, hasParts, hasSites } from "./sitefigures.js";
import { Sites } from "./sites.js";
import { Topics } from "./topics.js";
import {
  count,
  emptyTitle,
  firstLook,
  isActive,
  keptWords,
  restedWords,
  running,
  seconds,
  timeLabel,
} from "./words.js";

const ASK_MS = 1000;

/** @param {{start: any}} props */
function Page({ start }) {
  const [status, setStatus] = useState(start);
  const [lost, setLost] = useState(false);
  const first = useRef(/** @type {any} */ (null)); // the first look at runs done: the pace is measured from there
  if (status.runs_done) first.current = firstLook(first.current, status);
  useEffect(() => {
    if (!isActive(status)) return undefined;
    const timer = setTimeout(async () => {
      try {
        setStatus(await (await request(`/what-if/${status.id}/status`)).json());
        setLost(false);
      } catch {
        setLost(true);
        setStatus({ ...status });
      }
    }, ASK_MS);
    return () => clearTimeout(timer);
  }, [status]);
  const ready = Boolean(status.result?.rows);
  return html`<div class="w-page" data-testid="whatif-results" data-state=${status.state}
    data-runs-done=${status.runs_done}>
    ${
      lost &&
      html`<p class="note warn" role="alert"><${Icon} name="warning"
      /><span>Connection lost. Trying again each second.</span></p>`
    }
    <${Answer} status=${status} />
    <${Notes} status=${status} first=${first.current} setStatus=${setStatus} />
    <${Comparison} status=${status} />
    ${
      ready &&
      html`${hasParts(status.result) && html`<${Sites} status=${status} />`}<${Topics} status=${status} />
      <${Charts} status=${status} /><${Pager} status=${status} /><${Intervals} status=${status} />
      <${Pairs} status=${status} />
      <${Method} status=${status} />`
    }
  </div>`;
}

/**
 * The losses of losing runs, and the waits of applications: where clients move, RTO says the latter.
 * @param {{status: any}} props
 */
function Charts({ status }) {
  const losing = status.result.variants.some((/** @type {any} */ v) => v.losing) && html`<${Marks} status=${status} />`;
  const waited = !hasMoves(status.result) && html`<${Curve} status=${status} />`;
  return losing && waited ? html`<div class="split">${losing}${waited}</div>` : html`${losing}${waited}`;
}

/** @param {any} status @param {boolean} isEmpty it ended before its first row */
function eyebrow(status, isEmpty) {
  if (isActive(status)) return "So far";
  if (isEmpty) return status.state === "failed" ? "Failed" : "Cancelled";
  return status.state === "cancelled" ? "Answer of the runs that are kept" : "Answer";
}

/** @param {{status: any}} props */
function Answer({ status }) {
  const told = status.result?.answer;
  const empty = emptyTitle(status);
  const points = /** @type {string[]} */ (told?.points ?? []);
  const title = empty || told?.title || (isActive(status) ? status.title : "No run has finished.");
  return html`<section class="w-answer"><div>
    <span class="eyebrow">${eyebrow(status, empty !== "")}</span>
    <h1 data-testid="whatif-answer">${title}</h1>
    ${points.length > 0 && html`<ul data-testid="whatif-points">${points.map((point) => html`<li>${point}</li>`)}</ul>`}
    ${told?.text && html`<p class="lead">${told.text}</p>`}
    ${status.result && html`<${Basis} basis=${status.result.basis} />`}</div>
    <aside aria-label="About this run"><dl class="facts">
      <dt>Run</dt><dd><a href=${status.run} data-testid="whatif-base">${status.run_title}</a></dd>
      <dt>Configurations × seeds</dt><dd>${status.variants.length} × ${count(status.seeds)}</dd>
      <dt>Finished</dt><dd data-testid="whatif-finished">${count(status.runs_done)} of ${count(status.runs)}</dd>
      <dt>Horizon of a run</dt><dd>${seconds(status.horizon_us / 1e6).replace(".0 s", " s")}</dd>
      ${
        status.result &&
        html`<dt title="With the time after the horizon in which the last calls end">Simulated time,
        all runs</dt><dd>${seconds(status.result.simulated_us / 1e6)}</dd>`
      }
      <dt>${timeLabel(status)}</dt><dd>${seconds(status.seconds)}</dd>
    </dl></aside></section>`;
}

/** What the answer rests on, as the run has it. @param {{basis: [string, string][]}} props */
const Basis = ({ basis }) =>
  html`<dl class="w-basis" data-testid="whatif-basis">${basis.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;

/** @param {{status: any, first: any, setStatus: (status: any) => void}} props */
function Notes({ status, first, setStatus }) {
  const failed = status.result?.failed_runs ?? 0;
  return html`
    ${isActive(status) && html`<${Running} status=${status} first=${first} setStatus=${setStatus} />`}
    ${
      status.note &&
      html`<p class="note warn" role="status" data-testid="whatif-note"><${Icon} name="warning"
      /><span>${status.note}</span></p>`
    }
    ${
      status.state === "failed" &&
      html`<p class="note danger" role="alert" data-testid="whatif-error"><${Icon}
      name="warning" /><span>${status.error} ${status.result ? kept(status) : ""}</span></p>`
    }
    ${
      status.state === "cancelled" &&
      html`<p class="note" data-testid="whatif-cancelled"><${Icon} name="info"
      /><span>Cancelled. ${kept(status)}</span></p>`
    }
    ${
      failed > 0 &&
      html`<details class="note warn" data-testid="whatif-failed-runs"><summary>${count(failed)} runs
        of ${count(status.runs)} failed and are left out.</summary>
      <ul>${status.result.failed.map(
        (/** @type {any} */ run) => html`<li>${run.variant},
        seed ${run.seed}: ${run.error}</li>`,
      )}</ul></details>`
    }`;
}

/** @param {any} status */
const kept = (status) => keptWords(status.result?.rows ?? 0, status.seeds, status.variants.length);

/** @param {{status: any, first: any, setStatus: (status: any) => void}} props */
function Running({ status, first, setStatus }) {
  const cancel = async () => {
    try {
      setStatus(await (await request(`/what-if/${status.id}/cancel`, { method: "POST" })).json());
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  };
  return html`<section class="card w-running" data-testid="whatif-progress">
    <div class="row"><span role="status">${running(status, first)}</span>
      ${
        status.is_owner &&
        status.state !== "cancelling" &&
        html`<button class="btn sm end" type="button"
        onClick=${cancel} data-testid="whatif-cancel">Cancel</button>`
      }</div>
    <progress class="bar" max=${status.runs} value=${status.runs_done}
      aria-label="Runs finished"></progress></section>`;
}

/** @param {{status: any}} props */
function Method({ status }) {
  const result = status.result;
  return html`<p class="w-foot"><span>Intervals, 95 %: Wilson for shares (exact one-sided for none and all), order
    statistics for medians and percentiles. A mean of losses has none: a few runs carry it.</span>
    <span>Seeds ${count(result.first_seed)} to ${count(result.first_seed + result.seeds - 1)} for every configuration,
      so rows can be compared run by run.</span>
    ${result.common.length > 0 && html`<span>In every configuration: ${result.common.join(", ")}.</span>`}
    <span>At the end of each run links heal, brokers come back and calls get their answers; then records are counted.
      Times count up to the horizon.${
        hasSites(result) ? " What MirrorMaker has copied is counted at the horizon or " + "when clients moved." : ""
      }</span>
    ${result.rested > 0 && html`<span data-testid="whatif-rested">${restedWords(result)}</span>`}
    <span>Engine ${status.engine},
      Kafka ${status.profiles.join(", ")} rules${status.profiles.length > 1 ? ", as each configuration says" : ""}.${
        status.engine !== status.engine_now ? " The engine has changed " + "since: a replay may differ." : ""
      }</span></p>`;
}

/** @param {MouseEvent} event */
function onShare(event) {
  if (event.target instanceof Element && event.target.closest("[data-share]")) copy(location.href, "Link copied.");
}

const root = /** @type {HTMLElement} */ (document.getElementById("whatif"));
render(
  html`<${Page} start=${JSON.parse(/** @type {HTMLElement} */ (document.getElementById("start")).textContent ?? "")}
    />`,
  root,
);
document.addEventListener("click", onShare);
