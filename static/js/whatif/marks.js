/** The loss of each losing run: one mark a run on a log scale, the worst named by its seed; each opens its replay. */
import { html } from "../kit/html.js";
import { Figure } from "./figure.js";
import { ChartKey, fill, path, stroke } from "./shapes.js";
import { labelled, logTicks } from "./axes.js";
import { count, percent } from "./words.js";

const ROW = 62;
const BIN = 6; // px: marks that fall together are stacked

/** @param {{status: any}} props */
export function Marks({ status }) {
  const variants = status.result.variants;
  const ticks = logTicks(1, Math.max(10, ...variants.map((/** @type {any} */ v) => v.worst?.lost ?? 0)));
  const losing = variants.some((/** @type {any} */ v) => v.losing);
  const height = 16 + ROW * variants.length + 24;
  return html`<${Figure} id="chart-lost" title="How much a losing run lost" role="group" height=${height}
    note=${
      losing
        ? `Each mark is one run that lost something, on a log scale. The marked run is the worst; open it ` +
          `as a replay.${thinned(variants)}${heavy(variants)}`
        : "No run lost an acknowledged record."
    }
    label="Records lost per losing run, by configuration"
    draw=${(/** @type {number} */ width) => html`<${Drawing} status=${status} width=${width} height=${height}
      ticks=${ticks} />`}
    table=${{
      head: ["Configuration", "losing runs", "least", "median", "most", "worst seed"],
      rows: variants.map((/** @type {any} */ v) => [v.letter, v.losing, ...span(v), v.worst?.seed ?? ""]),
    }} />`;
}

/** Says where not every losing run is drawn. @param {any[]} variants */
function thinned(variants) {
  const some = variants.filter((v) => v.marks.length < v.losing);
  return some
    .map((v) => ` ${count(v.marks.length)} of ${v.letter}'s ${count(v.losing)} losing runs are drawn.`)
    .join("");
}

/** Says where a few runs hold most of the losses. @param {any[]} variants */
function heavy(variants) {
  const some = variants.filter((v) => v.heaviest && v.losing >= 4 && v.heaviest.runs * 4 <= v.losing);
  return some
    .map(
      (v) =>
        ` ${v.letter}: ${count(v.heaviest.runs)} of ${count(v.losing)} losing runs hold ` +
        `${percent(v.heaviest.share)} of its lost records.`,
    )
    .join("");
}

/** @param {any} v */
function span(v) {
  if (!v.marks.length) return ["", "", ""];
  return [count(v.marks[0][1]), count(v.lost_median[0]), count(v.marks[v.marks.length - 1][1])];
}

/** @param {{status: any, width: number, height: number, ticks: number[]}} props */
function Drawing({ status, width, height, ticks }) {
  const top = /** @type {number} */ (ticks.at(-1));
  /** @param {number} lost */
  const x = (lost) => 40 + ((width - 66) * Math.log10(Math.max(1, lost))) / Math.log10(top);
  return html`${labelled(ticks, x, count).map(
    (v) => html`<path class="grid" d=${`M${x(v)} 8V${height - 24}`} /><text
    x=${x(v)} y=${height - 8} text-anchor="middle">${count(v)}</text>`,
  )}
    ${status.result.variants.map(
      (/** @type {any} */ v, /** @type {number} */ i) => html`<${Swarm} v=${v}
      y=${36 + i * ROW} x=${x} id=${status.id} width=${width} />`,
    )}`;
}

/** @param {{v: any, y: number, x: (lost: number) => number, id: string, width: number}} props */
function Swarm({ v, y, x, id, width }) {
  const key = html`<${ChartKey} letter=${v.letter} x=${12} y=${y} />`;
  if (!v.marks.length)
    return html`${key}<text class=${v.loses[0] === null ? "" : "okay"} x=${x(1) + 10}
      y=${y + 4}>${!v.runs ? "" : v.loses[0] === null ? "Nothing was acknowledged" : "No run lost anything"}</text>`;
  const worst = v.marks[v.marks.length - 1];
  const middle = x(v.lost_median[0]);
  const wx = Math.min(x(worst[1]), width - 16);
  return html`${key}
    ${stacked(v.marks.slice(0, -1), x, y).map(
      ([seed, lost, mx, my]) => html`<a href=${link(id, v.letter, seed)} aria-label=${`seed ${seed} lost ${lost}`}>
      <path d=${path(v.letter, mx, my, 2.3)} fill=${fill(v.letter)} stroke=${stroke(v.letter)}
        stroke-width=".7"><title>${`seed ${seed}: ${count(lost)} lost`}</title></path></a>`,
    )}
    <path class="median" d=${`M${middle} ${y - 25}V${y + 25}`} />
    <text class="halo" x=${middle > width - 90 ? middle - 5 : middle + 5} y=${y - 20}
      text-anchor=${middle > width - 90 ? "end" : "start"}>median ${count(v.lost_median[0])}</text>
    <a href=${link(id, v.letter, worst[0])} class="worst"><path d=${path(v.letter, wx, y, 6)} />
      <text x=${wx} y=${y + 22} text-anchor=${wx > width - 60 ? "end" : "middle"}>seed ${worst[0]}</text></a>`;
}

/** @param {string} id @param {string} letter @param {number} seed */
const link = (id, letter, seed) => `/what-if/${id}/replay?variant=${letter}&seed=${seed}`;

/**
 * Marks of one bin stand above each other, centred on the row.
 * @param {[number, number][]} marks
 * @param {(lost: number) => number} x
 * @param {number} y
 * @returns {[number, number, number, number][]} seed, lost, x, y
 */
function stacked(marks, x, y) {
  /** @type {Map<number, [number, number][]>} */
  const bins = new Map();
  for (const mark of marks) {
    const bin = Math.round(x(mark[1]) / BIN);
    bins.set(bin, [...(bins.get(bin) ?? []), mark]);
  }
  const most = Math.max(1, ...[...bins.values()].map((list) => list.length));
  const step = Math.min(4.4, 44 / most);
  return [...bins].flatMap(([bin, list]) =>
    list.map(
      ([seed, lost], i) =>
        /** @type {[number, number, number, number]} */ ([
          seed,
          lost,
          bin * BIN,
          y + (i - (list.length - 1) / 2) * step,
        ]),
    ),
  );
}
