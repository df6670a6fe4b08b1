/** The comparison: one row a configuration, in the order of the builder. */
import { html, Icon } from "../kit/html.js";
import { listed, natural } from "../kit/wording.js";
import { Also, AsInRun } from "./alike.js";
import { useWidth } from "./figure.js";
import { fill, Key, path } from "./shapes.js";
import { hasMoves, hasSites, waiting } from "./sitefigures.js";
import { evenly } from "./axes.js";
import { count, interval, isActive, percent, seconds } from "./words.js";

/** runs that a comparison shows */
const SIDES_MAX = 4;
const DOWN_HINT =
  "The longest time in which the application got no response; in brackets, how long the servers took no writes";

const TICKS = [0, 0.25, 0.5, 0.75, 1];
/** @param {number} share */
const tick = (share) => `${share * 100} %`;

/** @param {{status: any}} props */
export function Comparison({ status }) {
  const result = status.result;
  const rows = result ? result.variants : status.variants;
  // the last bar has the scale
  const scaled = rows.findLastIndex((/** @type {any} */ row) => row.runs && row.loses[0] !== null);
  const unanswered = rows.some((/** @type {any} */ row) => row.handed_over);
  const sites = hasSites(result),
    moves = hasMoves(result);
  return html`<section class=${`card flush w-rows ${unanswered ? "w-unanswered" : ""}`}
    aria-label="Configurations compared" data-testid="whatif-table">
    <div class="w-row w-head"><div></div><div>Configuration</div><div>Runs that lost an acknowledged record</div>
      <div class="r">lost, median<br />of losing runs</div><div
        class="r opt">${sites ? html`not mirrored,<br />median` : html`runs that lost<br />10, 100 or more`}</div>
      ${unanswered && html`<div class="r">vanished of those<br />sent with acks=0</div>`}<div
        class="r">${moves ? "RTO" : "no response"},<br />median</div><div></div></div>
    ${rows.map(
      (/** @type {any} */ row, /** @type {number} */ i) => html`<${Row} key=${row.letter} row=${row}
      status=${status} last=${i === scaled} unanswered=${unanswered} />`,
    )}
    <${WorstRuns} status=${status} />
  </section>`;
}

/** The worst run of each configuration on one clock. @param {{status: any}} props */
function WorstRuns({ status }) {
  const rows = (status.result?.variants ?? []).filter((/** @type {any} */ row) => row.runs).slice(0, SIDES_MAX);
  if (rows.length < 2) return null;
  const runs = rows.map((/** @type {any} */ row) => [row.letter, row.worst.seed]);
  const letters = rows.map((/** @type {any} */ row) => row.letter);
  return html`<p class="w-beside"><a class="btn sm" href=${besideLink(status.id, runs)} data-testid="compare-worst"
    ><${Icon} name="split" />The worst runs of ${listed(letters)} on one clock</a></p>`;
}

/** @param {{row: any, status: any, last: boolean, unanswered: boolean}} props */
function Row({ row, status, last, unanswered }) {
  const best = status.result?.best === row.letter && status.state === "done";
  const empty = !row.runs;
  const named = status.variants.find((/** @type {any} */ v) => v.letter === row.letter);
  return html`<div class=${`w-row ${best ? "best" : ""}`} data-testid=${`config-${row.letter}`}
    data-losing=${row.losing ?? ""} data-runs=${row.runs ?? 0}>
    <div><${Key} letter=${row.letter} /></div>
    <div class="nm"><b>${row.name}${
      status.baseline === row.letter &&
      html` <span
      class="tag">baseline</span>`
    }<${AsInRun}
      variant=${named} /></b><span>${row.detail}</span><${Also} variant=${named} /></div>
    <div class="cic">${
      empty
        ? html`<span
      class="muted">${isActive(status) ? "waiting" : "no run"}</span>`
        : row.loses[0] === null
          ? html`<span
        class="muted">counts acknowledged records; none was
          acknowledged</span>`
          : html`<${Bar} row=${row} scale=${last} />`
    }</div>
    ${
      empty
        ? html`<div></div><div
      class="opt"></div>${unanswered && html`<div></div>`}<div></div><div></div>`
        : html`<${Figures} row=${row}
        status=${status} unanswered=${unanswered} />`
    }
  </div>`;
}

/** @param {{row: any, status: any, unanswered: boolean}} props */
function Figures({ row, status, unanswered }) {
  const worst = row.worst;
  const href = `/what-if/${status.id}/replay?variant=${row.letter}&seed=${worst.seed}`;
  return html`<div class="r a" data-l="lost, median">${
    row.losing ? count(row.lost_median[0]) : row.loses[0] === null ? "–" : "none"
  }
      <small>of ${count(row.losing || row.runs)} runs</small></div>
    ${
      row.sites
        ? html`<${Waiting} row=${row}
      />`
        : html`<div class="r opt" data-l="lost 10, 100 or more"
        data-testid=${`least-${row.letter}`}>${
          row.losing
            ? row.loses_least.map((/** @type {any} */ step) => count(step.runs)).join(", ")
            : row.loses[0] === null
              ? "–"
              : "none"
        }${row.losing > 0 && html`<small>worst ${count(worst.lost)}</small>`}</div>`
    }
    ${
      unanswered &&
      html`<div class="r v" data-l="vanished of those sent with acks=0"
      data-testid=${`vanished-${row.letter}`}>${row.handed_over ? count(row.vanished_in_all) : "–"}${
        row.handed_over > 0 && html`<small>of ${count(row.handed_over)}</small>`
      }</div>`
    }
    ${
      row.sites?.failovers
        ? html`<${Rto} row=${row}
      />`
        : html`<div class="r b" data-l="no response"
        title=${DOWN_HINT}>
        ${seconds(row.down[0])}<small>(${seconds(row.down_servers[0])} by
          servers)</small></div>`
    }
    <div class="go"><a class="btn sm" href=${href} data-testid=${`replay-${row.letter}`} data-seed=${worst.seed}
      title=${`Seed ${worst.seed}: ${worstWords(row)}`}><${Icon} name="play" />
      ${row.losing || worst.vanished || worst.not_mirrored ? "Worst run" : "Slowest run"}</a>
      <${Beside} row=${row} status=${status} /></div>`;
}

/**
 * Its worst seed under another configuration: the baseline, else the first one.
 * @param {{row: any, status: any}} props
 */
function Beside({ row, status }) {
  const rows = status.result.variants.filter((/** @type {any} */ one) => one.runs && one.letter !== row.letter);
  const other = rows.find((/** @type {any} */ one) => one.letter === status.baseline) ?? rows[0];
  if (!other) return null;
  const { seed } = row.worst;
  const runs = [row, other].sort((a, b) => natural(a.letter, b.letter)).map(({ letter }) => [letter, seed]);
  return html`<a class="btn sm ghost" href=${besideLink(status.id, /** @type {[string, number][]} */ (runs))}
    data-testid=${`beside-${row.letter}`} title=${`Seed ${seed} under ${row.letter} and ${other.letter}, on one clock`}
      ><${Icon} name="split" />Beside ${other.letter}</a>`;
}

/** Records that were not mirrored. @param {{row: any}} props */
function Waiting({ row }) {
  const time = row.sites.rpo ?? row.sites.not_mirrored_s,
    told = waiting(row);
  return html`<div class="r opt" data-l="not mirrored"
    title="Records of the source without a copy: when clients moved, else at the end"
      data-testid=${`waiting-${row.letter}`}>${
        told ? count(told[0] ?? 0) : "–"
      }${time && html`<small>(${seconds(time[0])})</small>`}</div>`;
}

/** The time for which applications stood still while they moved. @param {{row: any}} props */
function Rto({ row }) {
  const { rto, failovers, over } = row.sites;
  return html`<div class="r b" data-l="RTO"
    title="From the last record in the lost cluster until groups have read the new one to its end"
      data-testid=${`rto-${row.letter}`}>${rto ? seconds(rto[0]) : "not over"}${
        over < failovers &&
        html`<small>over
        in ${count(over)} of ${count(failovers)}</small>`
      }</div>`;
}

/** @param {string} id of the experiment @param {[string, number][]} runs configuration and seed */
const besideLink = (id, runs) =>
  `/what-if/${id}/both?runs=${runs.map(([letter, seed]) => `${letter}:${seed}`).join("..")}`;

/** The reason why the worst run is the worst. @param {any} row */
function worstWords({ losing, worst }) {
  if (losing) return `lost most, ${count(worst.lost)}`;
  if (!worst.vanished && worst.not_mirrored) return `${count(worst.not_mirrored)} records were not mirrored, the most`;
  return worst.vanished
    ? `${count(worst.vanished)} records sent with acks=0 vanished, the most`
    : `the application waited longest, ${seconds(worst.down)}`;
}

/** Share of losing runs with its interval. @param {{row: any, scale: boolean}} props */
function Bar({ row, scale }) {
  const [box, width] = useWidth();
  const [share, low, high] = row.loses;
  /** @param {number} v */
  const x = (v) => 112 + v * Math.max(40, width - 130);
  return html`<div ref=${box} class="w-bar"><svg width=${width} height="44" role="img"
    aria-label=${`${percent(share)}, 95 % interval ${interval(row.loses, percent)}`}>
    ${TICKS.map((v) => html`<path class="grid" d=${`M${x(v)} 0V30`} />`)}
    ${evenly(TICKS, x, tick).map(
      (v) => html`<text class=${`tick ${scale ? "" : "phone"}`} x=${x(v)} y="42"
      text-anchor=${v === 1 ? "end" : v ? "middle" : "start"}>${tick(v)}</text>`,
    )}
    <path d=${`M${x(0)} 16H${x(share)}`} stroke=${fill(row.letter)} stroke-width="9" opacity=".5" />
    ${low !== null && html`<path class="whisker" d=${`M${x(low)} 16H${x(high)}M${x(low)} 11v10M${x(high)} 11v10`} />`}
    <path d=${path(row.letter, x(share), 16, 5.5)} fill=${fill(row.letter)} class="dot" />
    <text class="figure" x="0" y="20">${percent(share)}</text><text class="sub" x="0"
      y="36">${interval(row.loses, percent)}</text>
  </svg></div>`;
}
