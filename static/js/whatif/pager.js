/** When an alert told of a loss: the share of losing runs in which one fired within x of the first lost record. */
import { html } from "../kit/html.js";
import { labelled, ticksAround } from "./axes.js";
import { HEIGHT, LEFT, Shares, Steps } from "./curve.js";
import { Figure } from "./figure.js";
import { pagerRow, seenFromLoss } from "./words.js";

const NOTE =
  "Of the runs that lost an acknowledged record, the share in which an alert has fired by then. The first lost " +
  "record is at 0; left of it, the alert comes before the loss. The bands are 95 % at each point.";
const PARTS = 6;
const NONE = "No alert fired in a losing run.";

/** @param {{status: any}} props */
export function Pager({ status }) {
  const losing = status.result.variants.filter((/** @type {any} */ v) => v.pager);
  if (!losing.length) return null;
  const curves = losing
    .map((/** @type {any} */ v) => ({ letter: v.letter, curve: v.pager.curve }))
    .filter((/** @type {{curve: number[][]}} */ { curve }) => curve.length);
  return html`<${Figure} id="chart-pager" title="When an alert told of the loss" height=${curves.length ? HEIGHT : 40}
    note=${NOTE} label="Cumulative share of losing runs over minutes from the loss to the alert, by configuration"
    draw=${(/** @type {number} */ width) =>
      curves.length ? html`<${Drawing} curves=${curves} width=${width} />` : html`<text x="0" y="24">${NONE}</text>`}
    table=${{
      head: ["Configuration", "losing runs", "alert before the loss (95 % interval)", "warning, median", "no alert"],
      rows: losing.map(pagerRow),
    }} />`;
}

/** @param {{curves: {letter: string, curve: number[][]}[], width: number}} props */
function Drawing({ curves, width }) {
  const ticks = ticksAround(
    curves.flatMap(({ curve }) => curve.map(([late]) => /** @type {number} */ (late))),
    PARTS,
  );
  const least = /** @type {number} */ (ticks[0]),
    most = /** @type {number} */ (ticks.at(-1));
  /** @param {number} late minutes from the loss to the alert */
  const x = (late) => LEFT + ((width - 16 - LEFT) * (late - least)) / (most - least);
  /** @param {number} late */
  const label = (late) => `${String(late).replace("-", "\u2212")} min`;
  return html`<${Shares} width=${width} />
    <path class="axis" d=${`M${x(0)} 16V${HEIGHT - 30}`} />
    ${labelled(ticks, x, label).map(
      (late) => html`<path class="axis" d=${`M${x(late)} ${HEIGHT - 30}v4`} /><text x=${x(late)} y=${HEIGHT - 8}
      text-anchor=${late === most ? "end" : "middle"}>${label(late)}</text>`,
    )}
    <${Steps} curves=${curves} x=${x} end=${width - 16} words=${seenFromLoss} />`;
}
