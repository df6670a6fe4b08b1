/** Runs of several clusters: what MirrorMaker copied, where groups continue, RPO and RTO. */
import { html } from "../kit/html.js";
import { Key } from "./shapes.js";
import { groupsOf, hasMoves, hasSites, notOver } from "./sitefigures.js";
import { fullName, interval, records, seconds } from "./words.js";

/** @typedef {import("./words.js").Triple} Triple */

/** @param {{status: any}} props */
export function Sites({ status }) {
  const variants = status.result.variants.filter((/** @type {any} */ v) => v.runs);
  const at = hasMoves(status.result) ? "when clients moved" : "at the end of the simulated time";
  const copies =
    hasSites(status.result) &&
    `What is not mirrored and where groups continue is as it was ${at}, before the runs are closed. ` +
      `${notOver(variants)}`;
  return html`<section class="card w-sites" data-testid="whatif-sites" aria-labelledby="sites-title">
    <h2 id="sites-title">MirrorMaker, groups and clusters</h2>
    <p class="soft">Medians over the runs, with their 95 % intervals. ${copies}</p>
    <div class="scroll"><table class="table"><thead><tr><th
      scope="col">Figure</th>${variants.map(
        (/** @type {any} */ v) => html`<th class="num" scope="col"><${Key}
        letter=${v.letter} /> ${fullName(v.name, v.detail)}</th>`,
      )}</tr></thead>
      ${groupsOf(variants).map(
        ({
          head,
          lines,
        }) => html`<tbody><tr class="w-part"><th scope="rowgroup" colspan=${variants.length + 1}>${head}</th></tr>
        ${lines.map(
          ({ name, time, values }) => html`<tr data-testid=${`site-${head}-${name}`}><th
          scope="row">${name}</th>${values.map(
            (triple) => html`<td class="num"><${Cell} triple=${triple}
            words=${time ? seconds : records} /></td>`,
          )}</tr>`,
        )}</tbody>`,
      )}
    </table></div></section>`;
}

/**
 * A median or a share with its interval.
 * @param {{triple: Triple | undefined, words: (v: number) => string}} props
 */
export function Cell({ triple, words }) {
  if (!triple || triple[0] === null) return "–";
  const range = interval(triple, words);
  return html`${words(triple[0])}${range !== words(triple[0]) && html`<small>${range}</small>`}`;
}
