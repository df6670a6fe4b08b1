/**
 * A metric over the run's time, below the timeline and on its scale: a line for each series, and the figures of the
 * alert rules that read it. Loaded when somebody asks for the first plot. The server reads the values off the engine.
 *
 * @import {App} from "../app/app.js"
 * @import {History} from "./plotlines.js"
 */
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { must } from "../kit/dom.js";
import { html, Icon } from "../kit/html.js";
import { request } from "../kit/kit.js";
import { plural } from "../kit/wording.js";
import { DASH, highest, inWords, lineOf, rowsOf, spanOf } from "./plotlines.js";

const HEIGHT_PX = 96;
const AXIS_FONT = "10px monospace";

/** @param {App} app */
export function showPlot(app) {
  const root = must("plot");
  if (!document.getElementById("plot-style")) {
    const link = Object.assign(document.createElement("link"), { id: "plot-style", rel: "stylesheet" });
    link.href = String(root.dataset.style);
    document.head.append(link);
  }
  render(html`<${Plot} app=${app} />`, root);
}

/** @param {{app: App}} props */
function Plot({ app }) {
  const wanted = app.page.plot.value;
  const { found, problem } = useHistory(app, wanted);
  if (!wanted) return null;
  const { metric, of } = wanted;
  const metrics = app.alerts.answer.value?.metrics ?? [metric];
  const told = found && inWords(found);
  return html`<div class="plot" data-testid="plot"><div class="plot-head">
      <label class="vh" for="plot-metric">Metric</label><select class="input" id="plot-metric" value=${metric}
        onChange=${(/** @type {any} */ event) => {
          app.page.plot.value = { metric: event.currentTarget.value, of: "" };
        }}>${metrics.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select>
      <span class="muted">${of && `of ${of}`}${found?.is_rate ? " per second" : ""}</span>
      <span role="status">${problem || (found ? found.series.length === 0 && told : "Reading…")}</span>
      <ul class="plot-key" tabindex="0" aria-label="Lines">${found?.series.map(
        ({ name, values }, i) =>
          html`<li key=${name} data-line=${i}><i style=${key(i)}></i>${name}: ${spanOf(values)}</li>`,
      )}${found?.rules.map(
        (rule) =>
          html`<li key=${rule.name} data-testid="plot-rule"><i class="threshold"></i>${rule.name}: ${rule.words}</li>`,
      )}${(found?.left_out ?? 0) > 0 && html`<li>and ${plural(found?.left_out ?? 0, "more line")}</li>`}</ul>
      <button type="button" class="btn ghost icon" aria-label="Close the plot" title="Close" onClick=${() => {
        app.page.plot.value = null;
        must("timeline").focus();
      }}><${Icon} name="x" /></button></div>
    ${
      found &&
      found.series.length > 0 &&
      html`<${Drawing} app=${app} found=${found} end=${app.timeline.end} words=${told} />`
    }</div>`;
}

/** @param {number} i of a line */
const key = (i) => `border-top: 2px ${lineOf(i).isDashed ? "dashed" : "solid"} var(${lineOf(i).colour})`;

/** @param {{app: App, found: History, end: number, words: string | null}} props  end: of the timeline */
function Drawing({ app, found, end, words }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const node = /** @type {HTMLElement} */ (box.current);
    const draw = () => {
      node.replaceChildren();
      return chartOf(app, found, node);
    };
    let chart = draw();
    const again = () => {
      chart.destroy();
      chart = draw();
    };
    const watched = new ResizeObserver(again);
    watched.observe(app.timeline.root);
    const theme = new MutationObserver(again);
    theme.observe(document.documentElement, { attributes: true });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", again);
    return () => {
      watched.disconnect();
      theme.disconnect();
      dark.removeEventListener("change", again);
      chart.destroy();
    };
  }, [found, end]);
  return html`<div class="plot-box" ref=${box} role="img" aria-label=${words} data-testid="plot-lines"></div>`;
}

/** @param {App} app @param {History} found @param {HTMLElement} node */
function chartOf(app, found, node) {
  const { timeline, travel } = app;
  const { left, right } = timeline.edges();
  const style = getComputedStyle(node);
  const colour = (/** @type {string} */ name) => resolved(node, style.getPropertyValue(name));
  const lines = found.series.map((_, i) => ({
    stroke: colour(lineOf(i).colour),
    width: 1.5,
    dash: lineOf(i).isDashed ? DASH : [],
    paths: found.is_rate ? undefined : uPlot.paths.stepped?.({ align: -1 }),
    points: { show: false },
  }));
  const rules = found.rules.map(() => ({
    stroke: colour("--danger"),
    width: 1,
    dash: DASH,
    points: { show: false },
  }));
  const axis = {
    font: AXIS_FONT,
    stroke: colour("--ink-3"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const options = {
    width: timeline.size.width,
    height: HEIGHT_PX,
    padding: /** @type {uPlot.Padding} */ ([6, timeline.size.width - right, 8, timeline.phone ? left : 0]),
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: () => /** @type {uPlot.Range.MinMax} */ ([0, timeline.end / 1e6]) },
      y: { range: () => /** @type {uPlot.Range.MinMax} */ ([0, highest(found)]) },
    },
    axes: [{ show: false }, { ...axis, size: timeline.phone ? 0 : left, space: 26, show: !timeline.phone }],
    series: [{}, ...lines, ...rules],
  };
  const chart = new uPlot(options, /** @type {uPlot.AlignedData} */ (rowsOf(found)), node);
  chart.over.addEventListener("click", () => {
    travel.goTo(Math.round(chart.posToVal(chart.cursor.left ?? 0, "x") * 1e6));
  });
  return chart;
}

/** A colour of the theme as a canvas knows it: no `light-dark()`. @param {HTMLElement} node @param {string} text */
function resolved(node, text) {
  node.style.color = text;
  const { color } = getComputedStyle(node);
  node.style.color = "";
  return color;
}

/** @typedef {{wanted: {metric: string, of: string} | null, found: History | null, problem: string}} Told */

/**
 * The history of a metric up to the newest moment; asked for again when the run has gone on and rests.
 * @param {App} app
 * @param {{metric: string, of: string} | null} wanted
 */
function useHistory(app, wanted) {
  const [told, setTold] = useState(/** @type {Told} */ ({ wanted: null, found: null, problem: "" }));
  const { model, boot } = app;
  const isPlaying = model.following.value ? model.playing.value : model.roomClock.playing;
  const isMoving = model.pulse.value >= 0 && isPlaying;
  const end = Math.round(model.trace.end);
  useEffect(() => {
    if (!wanted) return undefined;
    let isOver = false;
    const query = new URLSearchParams({ name: wanted.metric, of: wanted.of, at_us: String(end) });
    request(`/s/${boot.scenario}/metric?${query}`)
      .then((answer) => answer.json())
      .then(
        (found) => !isOver && setTold({ wanted, found, problem: "" }),
        (problem) => !isOver && setTold({ wanted, found: null, problem: problem.message }),
      );
    return () => {
      isOver = true;
    };
  }, [wanted, isMoving, isMoving ? 0 : end, model.trace.returns]);
  return told.wanted === wanted ? told : { found: null, problem: "" };
}
