/** Figures in words, for every part of the what-if pages. Pure: runs under node. */

/** @typedef {[number | null, number | null, number | null]} Triple an estimate and the ends of its 95 % interval */

const ACTIVE = ["queued", "running", "cancelling"];

/** True if an experiment may still get more runs. @param {{state: string}} status */
export const isActive = (status) => ACTIVE.includes(status.state);

/**
 * The label of an experiment's time: one that waits does not run; one without a row took no time on Spark.
 * @param {{state: string, runs_done: number}} status
 */
export function timeLabel(status) {
  if (status.state === "queued") return status.runs_done ? "Since its start" : "Waiting for";
  if (isActive(status)) return "Running for";
  return status.runs_done ? "Took on Spark" : "Ended after";
}

/**
 * The title of an experiment that ended before its first row; "" for any other.
 * @param {{state: string, runs_done: number, error: string}} status
 */
export function emptyTitle({ state, runs_done: done, error }) {
  if (done) return "";
  if (state === "cancelled") return "No run was kept.";
  return state === "failed" ? (/^.*?[.](?= |$)/s.exec(error)?.[0] ?? "No run has finished.") : "";
}

/** @param {number} value */
export const count = (value) => Math.round(value).toLocaleString("en");

/** A share as "6.4 %"; never "0.0 %" for what happened, never "100.0 %" for what failed once. @param {number} share */
export function percent(share) {
  if (share === 0 || share === 1) return `${share * 100} %`;
  if (share < 0.001) return "< 0.1 %";
  if (share > 0.999) return "> 99.9 %";
  return `${(share * 100).toFixed(1)} %`;
}

/** Seconds as "9.1 s" or "2 min 12 s". @param {number} seconds */
export function seconds(seconds) {
  if (Math.abs(seconds) < 120) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600),
    minutes = Math.floor((whole % 3600) / 60),
    rest = whole % 60;
  if (hours) return `${hours} h ${minutes} min`;
  return rest ? `${minutes} min ${rest} s` : `${minutes} min`;
}

/**
 * The basis of the table of an experiment that ended early, in words.
 * @param {number} rows runs that are kept
 * @param {number} seeds that were asked for, of each configuration
 * @param {number} variants configurations; each kept seed has a run under all of them
 */
export function keptWords(rows, seeds, variants) {
  const under =
    variants === 1 ? "" : variants === 2 ? " under both configurations" : ` under all ${variants} configurations`;
  const whole = Math.round(rows / variants);
  if (!whole) return `Nothing is kept: no seed was computed${under} yet.`;
  return (
    `In the table: ${count(whole)} of ${count(seeds)} seeds${under && `, each${under}`}, that is ` +
    `${count(rows)} of ${count(seeds * variants)} runs.`
  );
}

/**
 * The words of an experiment on its runs that were closed before the horizon.
 * @param {{rested: number, rows: number, variants: {whole_runs: number}[]}} result
 */
export function restedWords({ rested, rows, variants }) {
  const whole = Math.max(...variants.map((v) => v.whole_runs));
  return (
    `${count(rested)} of ${count(rows)} runs were closed before the horizon, at rest: only the same calls could ` +
    "still come. Their counts and times are exact. Latencies are those of the first " +
    `${whole === 1 ? "seed" : `${count(whole)} seeds`} of each configuration, which ran to the horizon.`
  );
}

/**
 * The time that something will take and its range, no finer than an estimate is: "about 40 s (20 to 60 s)".
 * @param {number} middle
 * @param {number} least
 * @param {number} most
 */
export function span(middle, least, most) {
  const low = rough(least),
    high = rough(most);
  if (low === high) return `about ${high}`;
  const unit = high.slice(high.indexOf(" "));
  const same = low.slice(low.indexOf(" ")) === unit && !unit.includes("h");
  return `about ${rough(middle)} (${same ? low.slice(0, -unit.length) : low} to ${high})`;
}

/** @param {number} value seconds */
function rough(value) {
  if (value <= 90) return `${Math.max(5, Math.ceil(value / 5) * 5)} s`;
  const minutes = Math.ceil(value / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Milliseconds as "4.1 ms" or "1.23 s". @param {number} ms */
export function millis(ms) {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${ms.toFixed(0)} ms`;
  return `${(ms / 1000).toFixed(2)} s`;
}

/** Records: whole from 10 on. @param {number} value */
export function records(value) {
  if (value === 0) return "0";
  return Math.abs(value) < 10 ? value.toFixed(1) : count(value);
}

/**
 * An interval "83.6–89.5 %".
 * @param {Triple} triple
 * @param {(value: number) => string} words
 */
export function interval(triple, words) {
  const [, low, high] = triple;
  if (low === null || high === null) return "too few runs";
  const first = words(low),
    last = words(high);
  const unit = / [a-z%]+$/.exec(last)?.[0] ?? "";
  const start = unit && first.endsWith(unit) ? first.slice(0, -unit.length) : first;
  return start === last.slice(0, last.length - unit.length) ? last : `${start}–${last}`;
}

/** @param {number} value minutes */
export const minutes = (value) => seconds(value * 60);

/** When an alert came, seen from the loss. @param {number} late minutes, below 0 before it */
export function seenFromLoss(late) {
  if (late === 0) return "at the loss";
  return `${minutes(Math.abs(late))} ${late < 0 ? "before" : "after"} the loss`;
}

/**
 * The alerts of losing runs: their number, the share with an alert before the loss, its median warning, those without.
 * @param {any} variant a configuration with losing runs
 */
export function pagerRow({ letter, pager }) {
  const warned = `${percent(pager.warned[0])} (${interval(pager.warned, percent)})`;
  const warning = pager.in_time ? minutes(pager.warning[0]) : "none";
  return [letter, count(pager.losing), warned, warning, count(pager.silent)];
}

/** A difference with its sign. @param {number} value @param {(value: number) => string} words */
export function signed(value, words) {
  const text = words(Math.abs(value));
  if (/^[0. ]*( [a-z%]+)?$/.test(text)) return text;
  const sign = value < 0 ? "−" : "+";
  return /^[<>]/.test(text) ? text.replace(/^([<>] )/, `$1${sign}`) : `${sign}${text}`;
}

/**
 * "812 of 2,000 runs, about 70 s left".
 * @param {number} done
 * @param {number} all
 * @param {number} lately runs done in the last `elapsed` seconds
 * @param {number} elapsed
 */
export function progress(done, all, lately, elapsed) {
  const head = `${count(done)} of ${count(all)} runs`;
  if (lately < 1 || elapsed < 2) return head;
  return `${head}, about ${seconds(Math.max(1, Math.round((elapsed / lately) * (all - done))))} left`.replace(
    ".0 s",
    " s",
  );
}

/** Words as a list: "A, B and C". @param {string[]} words */
export const listed = (words) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** @param {string} name @param {string} detail */
export const fullName = (name, detail) => (detail ? `${name}, ${detail}` : name);

/**
 * An experiment that goes on after its worker's end, or after others had its place, counts for some seconds what was
 * finished before; then Spark starts.
 */
const COUNTS_SECONDS = 5;

/** @typedef {{turn: number, claims: number, runs_done: number, seconds: number}} Look */

/**
 * The first look at what is done since the newest start of an experiment.
 * @param {{turn: number, runs_done: number, seconds: number, since: number, again: boolean} | null} first  as known
 *   so far
 * @param {Look} status  turn: changes with each start
 */
export function firstLook(first, { turn, claims, runs_done: done, seconds: at }) {
  if (first?.turn !== turn)
    return { turn, runs_done: done, seconds: at, since: at, again: claims > 1 || first !== null };
  const isBeginning = at - first.since < COUNTS_SECONDS || done === first.runs_done;
  return first.again && isBeginning ? { ...first, runs_done: done, seconds: at } : first;
}

/**
 * The work or the wait of a running experiment, by its stage. Once rows come back, their number says it.
 * @type {Record<string, string>}
 */
const STAGES = {
  worker: "Waiting for a worker process of Highwater.",
  results: "Opening its results.",
  spark: "Starting Spark.",
  cluster: "Starting Spark and connecting to the cluster.",
  executors: "Waiting for executors of the cluster.",
  engine: "The executors fetch the engine and compute the first runs.",
  space: "Waiting for space on the disk.",
  storage: "Waiting until its data can be stored.",
  figures: "Computing the figures of all runs.",
};

/**
 * The reason why a queued experiment waits. One that has rows already gave its place to another one for some time.
 * @param {{stage: string, running: number, ahead: number, runs: number, runs_done: number}} status
 */
function waiting({ stage, running, ahead, runs, runs_done: done }) {
  const head = done ? `${count(done)} of ${count(runs)} runs. ` : "";
  if (stage === "worker") return head + STAGES.worker;
  return `${head}Waiting for its turn: ${before(running, ahead)}.`;
}

/** @param {number} running @param {number} ahead that wait and are taken first */
function before(running, ahead) {
  const run = running ? many(running, "run") : "";
  if (!ahead) return run ? `${run}, and it is next` : "it is next";
  return `${run ? `${run} and ${ahead} ${ahead === 1 ? "waits" : "wait"}` : many(ahead, "wait")} before it`;
}

/** @param {number} number @param {string} verb of several */
const many = (number, verb) => (number === 1 ? `1 experiment ${verb}s` : `${number} experiments ${verb}`);

/**
 * The progress of an experiment that is not over; no time is foretold while nobody works on it.
 * @param {{state: string, stage: string, running: number, ahead: number, runs: number, runs_done: number,
 *   seconds: number, claims: number}} status  claims: workers that took it
 * @param {{runs_done: number, seconds: number}} first  at the first look at the work of this worker
 */
export function running(status, first) {
  if (status.state === "cancelling") return "Cancelling. Every seed that is computed under all configurations is kept.";
  if (status.state === "queued") return waiting(status);
  const stage = STAGES[status.stage] ?? "";
  if (!status.runs_done) return stage || "Computing the first runs.";
  const isTakenOver = status.claims > 1 && status.runs_done === first.runs_done;
  const lately = stage || isTakenOver ? 0 : status.runs_done - first.runs_done;
  const done = progress(status.runs_done, status.runs, lately, status.seconds - first.seconds);
  const isGone = status.stage === "worker";
  const ended = isTakenOver && !isGone ? "Its worker process ended; another one goes on from there." : "";
  const words = [ended, stage].filter(Boolean);
  return words.length ? `${done}. ${words.join(" ")}` : done;
}
