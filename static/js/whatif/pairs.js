/** Differences to the baseline, paired by seed: the same luck on both sides. */
import { html } from "../kit/html.js";
import { Key } from "./shapes.js";
import { luckText } from "./luck.js";
import { hasMoves } from "./sitefigures.js";
import { count, fullName, millis, percent, seconds, signed } from "./words.js";

/** @typedef {import("./words.js").Triple} Triple */

/**
 * Figures that not every result has: latencies, and what MirrorMaker and failovers came to. Where units are given, the
 * median of the difference is told as well.
 * @type {[string, string, ((value: number) => string)?][]}
 */
const OF_SOME = [
  ["latency_p50", "latency p50: more / less", millis],
  ["rpo_records", "RPO: more / less"],
  ["not_mirrored", "not mirrored: more / less"],
  ["group_skips", "groups skip: more / less"],
  ["group_rereads", "groups read again: more / less"],
  ["rto", "RTO, time: more / less"],
];

const NONE = { difference: [null, null, null] };

/** @param {any[]} pairs */
const someColumns = (pairs) =>
  OF_SOME.filter(
    ([key]) =>
      pairs.some((pair) => pair[key]?.more || pair[key]?.fewer) &&
      !(key === "not_mirrored" && pairs.some((pair) => pair.rpo_records)),
  );

/** @param {{status: any}} props */
export function Pairs({ status }) {
  const { pairs, baseline, variants } = status.result;
  const shown = pairs.filter((/** @type {any} */ pair) => pair.seeds);
  if (!shown.length) return null;
  const name = (/** @type {string} */ letter) => {
    const found = variants.find((/** @type {any} */ v) => v.letter === letter);
    return found ? fullName(found.name, found.detail) : letter;
  };
  return html`<section class="card" data-testid="whatif-pairs" aria-labelledby="pairs-title">
    <h2 id="pairs-title">Differences to ${baseline}, ${name(baseline)}</h2>
    <p class="soft" data-testid="pairs-luck">${luckText(status.variants, baseline)} ${boldText(status.result)}</p>
    <${PairTable} result=${status.result} base=${baseline} shown=${shown} name=${name} />
    ${clearPairs(status.result).map(
      ({ base, shown: others }) => html`<h3>Clear differences to ${base}, ${name(base)}</h3>
        <${PairTable} result=${status.result} base=${base} shown=${others} name=${name} />`,
    )}
  </section>`;
}

/**
 * The comparisons without the baseline that show a difference, by the configuration that they are held against.
 * @param {any} result
 * @returns {{base: string, shown: any[]}[]}
 */
export function clearPairs({ comparisons, baseline }) {
  const clear = comparisons.filter(
    (/** @type {any} */ pair) =>
      ![pair.letter, pair.other].includes(baseline) && Object.values(pair).some((figure) => figure?.is_clear),
  );
  const bases = [...new Set(clear.map((/** @type {any} */ pair) => pair.other))];
  return bases.map((base) => ({ base, shown: clear.filter((/** @type {any} */ pair) => pair.other === base) }));
}

/** @param {{result: any, base: string, shown: any[], name: (letter: string) => string}} props */
function PairTable({ result, base, shown, name }) {
  const columns = someColumns(shown);
  const moves = hasMoves(result);
  return html`<div class="scroll"><table class="table w-pairs"><thead><tr>
      <th scope="col">Configuration</th><th class="num" scope="col">losing runs<br />only it / only ${base}</th><th
        class="num" scope="col">share of losing runs</th>
      <th class="num" scope="col">lost more / lost less<br
        />than ${base}</th>${
          !moves &&
          html`<th class="num" scope="col">waited longer / less<br
          />than ${base}</th><th class="num" scope="col">no response,<br />median difference</th>`
        }
      ${columns.map(
        ([, words, units]) => html`<th class="num" scope="col">${words}<br
        />than ${base}</th>${units && html`<th class="num" scope="col">median<br />difference</th>`}`,
      )}</tr></thead>
      <tbody>${shown.map(
        (/** @type {any} */ pair) => html`<tr
          data-testid=${base === result.baseline ? `pair-${pair.letter}` : `pair-${pair.letter}-${base}`}>
        <th scope="row"><${Key} letter=${pair.letter} /> ${name(pair.letter)}</th>
        <${Seeds} label=${`losing runs, only it / only ${base}`} of=${pair.loses} comparable=${pair.comparable}
          /><${Difference} label="share of losing runs" of=${pair.loses} words=${points} />
        <${Seeds} label=${`lost more / less than ${base}`} of=${pair.lost} comparable=${pair.comparable} />
        ${
          !moves &&
          html`<${Seeds} label=${`waited longer / less than ${base}`} of=${pair.down} comparable=${true}
          /><${Difference} label="no response, median difference" of=${pair.down} words=${seconds} />`
        }
        ${columns.map(
          ([key, words, units]) => html`<${Seeds} label=${`${words} than ${base}`}
          of=${pair[key]} comparable=${Boolean(pair[key])} />${
            units && html`<${Difference} label="median difference" of=${pair[key] ?? NONE} words=${units} />`
          }`,
        )}</tr>`,
      )}</tbody></table></div>`;
}

/** The meaning of bold, by the one rule that also decides title and badge. @param {any} result */
export function boldText(result) {
  if (!result.is_final)
    return "Nothing is bold before the last run: who looks early and often finds differences that are chance.";
  const many = result.comparisons.length;
  const holm = many > 1 ? `, after Holm's correction for ${many} comparisons` : "";
  return `Bold: one of the two numbers of seeds is too large for chance (exact sign test, p below 0.05${holm}).`;
}

/** A difference of shares, in percentage points. @param {number} share */
const points = (share) => percent(share).replace("%", "pp");

/** @param {number} p */
function chance(p) {
  return p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
}

/**
 * Seeds with more and with less, and how likely chance is.
 * @param {{label: string, of: any, comparable: boolean}} props
 */
function Seeds({ label, of, comparable }) {
  if (!comparable) return html`<td class="num" data-l=${label}>–</td>`;
  const text = `${count(of.more)} / ${count(of.fewer)}`;
  return html`<td class="num" data-l=${label}>${
    of.is_clear ? html`<b>${text}</b>` : text
  }<small>${of.more + of.fewer ? chance(of.p) : "no seed differs"}</small></td>`;
}

/** @param {{label: string, of: {difference: Triple}, words: (v: number) => string}} props */
function Difference({ label, of, words }) {
  const [centre, low, high] = of.difference;
  if (centre === null) return html`<td class="num" data-l=${label}>–</td>`;
  const ends = [low, high].map((bound) => signed(bound ?? 0, words)).join(" to ");
  return html`<td class="num" data-l=${label}>${signed(centre, words)}<small>${
    low === null ? "too few runs" : ends
  }</small></td>`;
}
