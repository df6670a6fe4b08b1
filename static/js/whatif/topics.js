/** The figures of topics in groups of equal replication, where an experiment has several such groups. */
import { html } from "../kit/html.js";
import { Key } from "./shapes.js";
import { Cell } from "./sites.js";
import { count, fullName, millis, percent, seconds } from "./words.js";

/** @type {{name: string, key: string, words: (v: number) => string}[]} */
const LINES = [
  { name: "runs that lost an acknowledged record", key: "loses", words: percent },
  { name: "records lost, median of losing runs", key: "lost_median", words: count },
  { name: "no response, median", key: "down", words: seconds },
  { name: "produce latency p50, median of whole runs", key: "latency_p50", words: millis },
];

/** The groups of a result in their order; fewer than two are none. @param {any[]} variants @returns {string[]} */
export const topicGroups = (variants) =>
  variants.find((v) => v.topics.length)?.topics.map((/** @type {any} */ one) => one.of) ?? [];

/** @param {{status: any}} props */
export function Topics({ status }) {
  const variants = status.result.variants.filter((/** @type {any} */ v) => v.runs);
  const groups = topicGroups(variants);
  if (!groups.length) return null;
  return html`<section class="card w-sites" data-testid="whatif-topics" aria-labelledby="topics-title">
    <h2 id="topics-title">By topic</h2>
    <p class="soft">Topics of equal replication together, as the run has them. Times are those of the worst topic of a
      group; intervals are 95 %.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Figures by topic"><table class="table"><thead><tr><th
      scope="col">Topics</th>${variants.map(
        (/** @type {any} */ v) => html`<th class="num" scope="col"><${Key}
        letter=${v.letter} /> ${fullName(v.name, v.detail)}</th>`,
      )}</tr></thead>
      ${groups.map(
        (of) => html`<tbody><tr class="w-part"><th scope="rowgroup" colspan=${variants.length + 1}>${of}</th></tr>
        ${LINES.map(
          ({ name, key, words }) => html`<tr data-testid=${`topics-${of}-${key}`}><th scope="row">${name}</th>
          ${variants.map(
            (/** @type {any} */ v) => html`<td class="num"><${Cell} triple=${ofGroup(v, of)?.[key]}
            words=${words} /></td>`,
          )}</tr>`,
        )}</tbody>`,
      )}
    </table></div></section>`;
}

/** @param {any} v @param {string} of */
const ofGroup = (v, of) => v.topics.find((/** @type {any} */ one) => one.of === of);
