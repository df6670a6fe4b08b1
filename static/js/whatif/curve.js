/** The time without a response to the application: the share of runs in which it lasted no longer than x. */
import { html } from "../kit/html.js";
import { Figure } from "./figure.js";
import { ChartKey, dash, fill, stroke } from "./shapes.js";
import { labelled, logTicks } from "./axes.js";
import { percent, seconds } from "./words.js";

const NOTE =
  "Share of runs in which it waited no longer than that, in its worst topic; log scale. " +
  "The bands are 95 % at each point.";
export const HEIGHT = 280;
export const LEFT = 48;
const ZERO_PX = 34; // runs that were never down stand this far before the log scale, which has no 0

/** @param {{status: any}} props */
export function Curve({ status }) {
  const variants = status.result.variants.filter((/** @type {any} */ v) => v.curve.length);
  return html`<${Figure} id="chart-down" title="How long the application got no response" height=${HEIGHT}
    note=${NOTE}
    label="Cumulative share of runs over seconds without a response, by configuration"
    draw=${(/** @type {number} */ width) => html`<${Drawing} variants=${variants} width=${width} />`}
    table=${{
      head: ["Configuration", "median", "95th percentile", "longest"],
      rows: variants.map((/** @type {any} */ v) => [
        v.letter,
        seconds(v.down[0]),
        v.down_p95[1] === null ? "too few runs" : seconds(v.down_p95[0]),
        seconds(v.curve[v.curve.length - 1][0]),
      ]),
    }} />`;
}

/** @param {{variants: any[], width: number}} props */
function Drawing({ variants, width }) {
  const all = variants.flatMap((v) => v.curve.map((/** @type {number[]} */ step) => step[0]));
  const down = all.filter((s) => s > 0);
  const log = down.length ? logTicks(Math.min(...down), Math.max(...down)) : [1, 10];
  const least = /** @type {number} */ (log[0]),
    most = /** @type {number} */ (log.at(-1));
  const from = all.includes(0) ? LEFT + ZERO_PX : LEFT;
  /** @param {number} s */
  const x = (s) => (s <= 0 ? LEFT : from + ((width - 16 - from) * Math.log(s / least)) / Math.log(most / least));
  const ticks = labelled(all.includes(0) ? [0, ...log] : log, x, (s) => `${s} s`);
  return html`<${Shares} width=${width} />
    ${ticks.map(
      (s) => html`<path class="axis" d=${`M${x(s)} ${HEIGHT - 30}v4`} /><text x=${x(s)} y=${HEIGHT - 8}
      text-anchor=${s === most ? "end" : "middle"}>${s} s</text>`,
    )}
    <${Steps} curves=${variants} x=${x} end=${width - 16}
      words=${(/** @type {number} */ s) => `after ${seconds(s)}`} />`;
}

/** The height of a share. @param {number} share */
const y = (share) => HEIGHT - 30 - (HEIGHT - 46) * share;

/** The lines of the shares from 0 to 1. @param {{width: number}} props */
export const Shares = ({ width }) =>
  html`${[0, 0.25, 0.5, 0.75, 1].map(
    (p) => html`<path class="grid" d=${`M${LEFT} ${y(p)}H${width - 16}`} /><text
    x="40" y=${y(p) + 4} text-anchor="end">${p * 100} %</text>`,
  )}`;

/**
 * Step curves with their bands and letters; `words`: where a value is, as "after 4.3 s".
 * @param {{curves: {letter: string, curve: number[][]}[], x: (value: number) => number, end: number,
 *   words: (value: number) => string}} props
 */
export const Steps = ({ curves, x, end, words }) =>
  html`${curves.map((v) => html`<${Line} v=${v} x=${x} end=${end} words=${words} />`)}
    ${curves.map((v, i) => html`<${ChartKey} letter=${v.letter} ...${spot(v, i, curves.length, x)} />`)}`;

/** @param {{v: any, x: (value: number) => number, end: number, words: (value: number) => string}} props */
function Line({ v, x, end, words }) {
  const line = stairs(v.curve, 1, x, end),
    up = stairs(v.curve, 3, x, end),
    low = stairs(v.curve, 2, x, end);
  const text = (/** @type {number[][]} */ points) =>
    points.map((p) => `${p[0].toFixed(1)} ${p[1].toFixed(1)}`).join("L");
  return html`${
    v.curve[0][2] !== null &&
    html`<path d=${`M${text(up)}L${text([...low].reverse())}Z`}
    fill=${fill(v.letter)} opacity=".2" />`
  }
    <path d=${`M${text(line)}`} fill="none" stroke=${stroke(v.letter)} stroke-width="2.2"
      stroke-dasharray=${dash(v.letter)}><title>${
        `${v.letter}: ${percent(v.curve[0][1])} ` + words(v.curve[0][0])
      }</title></path>`;
}

/**
 * The corners of a step curve.
 * @param {number[][]} curve rows of [seconds, share, low, high]
 * @param {number} column
 * @param {(s: number) => number} x
 * @param {number} end
 */
function stairs(curve, column, x, end) {
  const points = [[LEFT, y(0)]];
  let last = 0;
  for (const step of curve) {
    points.push([x(step[0]), y(last)], [x(step[0]), y(step[column])]);
    last = step[column];
  }
  points.push([end, y(last)]);
  return points;
}

/**
 * The place of a curve's letter: each at its own height, so that they do not hide each other.
 * @param {any} v
 * @param {number} i
 * @param {number} of
 * @param {(s: number) => number} x
 */
function spot(v, i, of, x) {
  const share = (i + 0.7) / (of + 0.4);
  const step = v.curve.find((/** @type {number[]} */ s) => s[1] >= share) ?? v.curve[v.curve.length - 1];
  return { x: x(step[0]), y: y(share) };
}
