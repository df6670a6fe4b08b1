/** Every figure of the comparison with its 95 % interval: one panel a figure, one line a configuration. */
import { html } from "../kit/html.js";
import { Figure } from "./figure.js";
import { evenly, linearTicks } from "./axes.js";
import { figureOf, panelsOf } from "./panels.js";
import { ChartKey, fill, path } from "./shapes.js";
import { interval } from "./words.js";

const NOTE =
  "Shares are of runs with this fault, window and load: no rate a year. Latencies are of acknowledged records, " +
  "in the worst topic, in the seeds that ran to the horizon. Which differences are clear stands under Differences.";

const ROW = 30;
const HEAD = 34;
const FOOT = 24;
const PARTS = 4;

/** @param {{status: any}} props */
export function Intervals({ status }) {
  const panels = panelsOf(status.result);
  const variants = status.result.variants.filter((/** @type {any} */ v) => v.runs);
  const each = HEAD + ROW * variants.length + FOOT;
  const columns = (/** @type {number} */ width) => (width > 900 ? 5 : width > 560 ? 3 : 1);
  const height = (/** @type {number} */ width) =>
    each * Math.ceil(panels.length / columns(width || Math.min(1200, window.innerWidth - 64)));
  const draw = (/** @type {number} */ width) => {
    const across = columns(width);
    return panels.map(
      (
        panel,
        i,
      ) => html`<g transform=${`translate(${(i % across) * (width / across)} ${Math.floor(i / across) * each})`}>
      <${Panel} panel=${panel} variants=${variants} width=${width / across - (across > 1 ? 18 : 0)} /></g>`,
    );
  };
  return html`<${Figure} id="chart-intervals" title="Estimates and their 95 % intervals" height=${height}
    note=${NOTE}
    label="Estimates with 95 % intervals by configuration"
    draw=${draw}
    table=${{
      head: ["Configuration", ...panels.map((p) => `${p.title.toLowerCase()} (95 % interval)`)],
      rows: variants.map((/** @type {any} */ v) => [v.letter, ...panels.map((p) => cell(figureOf(v, p.key), p.words))]),
    }} />`;
}

/** @param {import("./words.js").Triple} triple @param {(v: number) => string} words */
const cell = (triple, words) => (triple[0] === null ? "none" : `${words(triple[0])} (${interval(triple, words)})`);

/** @param {{panel: import("./panels.js").FigurePanel, variants: any[], width: number}} props */
function Panel({ panel, variants, width }) {
  const ends = variants.flatMap((v) => figureOf(v, panel.key).filter((/** @type {number | null} */ n) => n !== null));
  const ticks = linearTicks(Math.max(...ends, 0), PARTS);
  const top = /** @type {number} */ (ticks.at(-1));
  /** @param {number} v */
  const x = (v) => 34 + (v / top) * (width - 52);
  const bottom = HEAD + ROW * variants.length;
  return html`<text class="strong" x="0" y="12">${panel.title}</text><text x="0" y="26">${panel.sub}</text>
    ${ticks.map((v) => html`<path class="grid" d=${`M${x(v)} ${HEAD}V${bottom}`} />`)}
    ${evenly(ticks, x, panel.tick).map(
      (v) => html`<text x=${x(v)} y=${bottom + 14}
      text-anchor=${v === top ? "end" : v ? "middle" : "start"}>${panel.tick(v)}</text>`,
    )}
    ${variants.map(
      (v, i) => html`<${Whisker} triple=${figureOf(v, panel.key)} letter=${v.letter} words=${panel.words}
      y=${HEAD + ROW * i + ROW / 2} x=${x} />`,
    )}`;
}

/**
 * @param {{triple: import("./words.js").Triple, letter: string, words: (v: number) => string, y: number,
 *   x: (v: number) => number}} props
 */
function Whisker({ triple, letter, words, y, x }) {
  const [centre, low, high] = triple;
  const key = html`<${ChartKey} letter=${letter} x=${10} y=${y} />`;
  if (centre === null) return html`${key}<text x=${x(0) + 6} y=${y + 4}>none</text>`;
  return html`<g>${key}<title>${`${letter}: ${cell(triple, words)}`}</title>
    ${
      low !== null &&
      high !== null &&
      html`<path class="whisker"
      d=${`M${x(low)} ${y}H${x(high)}M${x(low)} ${y - 5}v10M${x(high)} ${y - 5}v10`} />`
    }
    <path d=${path(letter, x(centre), y, 4.5)} fill=${fill(letter)} class="dot" /></g>`;
}
