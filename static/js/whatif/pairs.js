/** Differences to the baseline, paired by seed: the same luck on both sides. */
import { html } from "../html.js";
import { Key } from "./shapes.js";
import { luckText } from "./luck.js";
import { count, fullName, percent, records, seconds, signed } from "./words.js";

/** @typedef {import("./words.js").Triple} Triple */

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
    <h3 id="pairs-title">Differences to ${baseline}, ${name(baseline)}</h3>
    <p class="soft" data-testid="pairs-luck">${luckText(status.variants, baseline)} Bold where the 95 % interval leaves zero out and at least six seeds differ (for losing runs: and p is below 0.05).</p>
    <div class="scroll"><table class="table w-pairs"><thead><tr>
      <th scope="col">Configuration</th><th class="num" scope="col">losing runs</th><th class="num" scope="col">only it lost / only ${baseline} lost</th>
      <th class="num" scope="col">records lost, mean</th><th class="num" scope="col">writes down, mean</th></tr></thead>
      <tbody>${shown.map((/** @type {any} */ pair) => html`<tr data-testid=${`pair-${pair.letter}`}>
        <th scope="row"><${Key} letter=${pair.letter} /> ${name(pair.letter)}</th>
        <${Cell} label="losing runs" triple=${pair.loses} words=${points} clear=${pair.clear.includes("loses")} />
        <td class="num" data-l=${`only it / only ${baseline} lost`}>${pair.loses[0] === null ? "–" : html`${count(pair.only)} / ${count(pair.only_baseline)}<small>${chance(pair.mcnemar)}</small>`}</td>
        <${Cell} label="records lost" triple=${pair.lost} words=${records} clear=${pair.clear.includes("lost")} /><${Cell} label="writes down" triple=${pair.down} words=${seconds} clear=${pair.clear.includes("down")} /></tr>`)}</tbody></table></div>
  </section>`;
}

/** A difference of shares, in percentage points. @param {number} share */
const points = (share) => percent(share).replace("%", "pp");

/** @param {number | null} p */
function chance(p) {
  if (p === null) return "no disagreement";
  return p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
}

/** @param {{label: string, triple: Triple, words: (v: number) => string, clear: boolean}} props */
function Cell({ label, triple, words, clear }) {
  const [centre, low, high] = triple;
  if (centre === null) return html`<td class="num" data-l=${label}>–</td>`;
  const text = signed(centre, words);
  const printed = [low, high].map((bound) => signed(bound ?? 0, words));
  const apart = clear && !printed.includes(signed(0, words)); // a bound that is printed as zero does not leave zero out
  return html`<td class="num" data-l=${label}>${apart ? html`<b>${text}</b>` : text}<small>${low === null ? "too few runs" : printed.join(" to ")}</small></td>`;
}
