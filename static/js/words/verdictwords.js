/**
 * The verdict as the engine stated it: its sentence, the gravest true fact (simengine/verdict/words.py says it); then
 * figures; then the event that decided. Nothing is computed here but sums over topics. Pure.
 *
 * @import {Verdict, View} from "../facts/types.js"
 */
import { plural } from "../kit/wording.js";

/** A run counts as settled when nothing decisive happened for this long. */
export const QUIET_US = 30_000_000;

/**
 * @typedef {object} Figures  of one topic
 * @property {number} acked
 * @property {number | null} ackedAtUs  the moment that `acked` is of: null for the one that is shown, -1 while none was
 *   told
 * @property {number} lost @property {number} duplicated @property {number} hidden
 * @property {number} refused @property {number} unknown @property {number} writeDownUs @property {number} readDownUs
 * @property {number} deciding  number of the deciding fact, or 0
 * @property {number} writeDownAllUs @property {number} writeDown1Us  by mode of acks; writeDownUs is the topic's own
 * @property {number} lostTrafficUs  time in which the topic makes as many calls as were lost
 * @property {number} heldBack  calls made while their producer had no response
 * @property {number} stopped  partitions that cannot be written now by the servers, as the topic is written
 * @property {number} waiting  partitions in which calls wait now because of the servers
 * @property {number} downP @property {number} readP  the partitions that the times are of, or -1
 * @property {number} handedOver  calls made with acks=0
 * @property {number} vanished  of them those that the leader has not
 * @property {number} unread  where some were: records without an ack that nobody can read yet, as their high watermark
 *   stands still
 * @property {number} recovered  of the lost: records that are there again, since the application sent them again
 * @property {number} lostAgain  lost calls beyond the first of their record
 * @property {number} decidingLost  of the lost: records that go back to the deciding fact
 * @property {number} clientUs  the application's time without a response, and a reader's without records, worst
 *   partition
 * @property {number} readClientUs
 * @property {number} writeSameUs  of the time of clientUs and of readClientUs, how long the servers were out
 * @property {number} readSameUs
 * @property {number} vainUs  the longest time in which every response to a producer was of a lost record
 * @property {number} clientWaitsUs  how long a `send()` waits now, and a reader; 0 up to theta
 * @property {number} readWaitsUs
 * @property {number} longestWaitUs  the longest that a single call waited, and a record for its reader
 * @property {number} longestReadUs
 * @property {number} groupsLost  groups whose committed offsets are gone
 * @property {number} unreadable  acknowledged records that nobody can read now: those hidden, or all where nobody
 *   serves readers
 * @property {number} before  records that stood in its logs at the start
 * @property {number} lostBefore  records that stood in a log at the start and are gone
 * @property {number} groupsDownUs  of an internal topic: the longest time in which no group of a coordinator could join
 *   or commit
 * @property {number} groupsDown  coordinators that are away now, of so many
 * @property {number} coordinators
 * @property {"" | "ok" | "warn" | "danger"} severity  "" where the engine does not say it
 * @property {string} sentence  "" before the engine said anything
 *
 * @typedef {"bad" | "wait" | "ok" | "none"} Tone
 * @typedef {{tone: Tone, icon: string, sentence: string}} Say
 */

/**
 * @param {Verdict | undefined} raw of the view
 * @param {number | null} [ackedAtUs]
 * @returns {Figures}
 */
export function figuresOf(raw, ackedAtUs = null) {
  const get = (/** @type {Exclude<keyof Verdict, "sentence">} */ name) => raw?.[name] ?? 0;
  const isAll = (raw?.acks ?? ACKS_ALL) === ACKS_ALL;
  return {
    acked: get("acked"),
    ackedAtUs,
    lost: get("lost"),
    duplicated: get("duplicated"),
    hidden: get("hidden"),
    unreadable: get("unreadable"),
    refused: get("refused"),
    unknown: get("unknown"),
    writeDownUs: get(isAll ? "write_down_all_us" : "write_down_1_us"),
    readDownUs: get("read_down_us"),
    deciding: get("deciding"),
    writeDownAllUs: get("write_down_all_us"),
    writeDown1Us: get("write_down_1_us"),
    lostTrafficUs: get("lost_traffic_us"),
    heldBack: get("held_back"),
    stopped: get(isAll ? "stopped_all" : "stopped_1"),
    waiting: get("waiting"),
    downP: raw?.[isAll ? "down_all_p" : "down_1_p"] ?? -1,
    readP: raw?.read_p ?? -1,
    handedOver: get("handed_over"),
    vanished: get("vanished"),
    unread: 0,
    recovered: get("recovered"),
    lostAgain: get("lost_again"),
    decidingLost: get("deciding_lost"),
    clientUs: get("write_down_client_us"),
    readClientUs: get("read_down_client_us"),
    writeSameUs: get("write_same_us"),
    readSameUs: get("read_same_us"),
    vainUs: get("vain_us"),
    clientWaitsUs: get("client_waits_us"),
    readWaitsUs: get("read_waits_us"),
    before: get("before"),
    lostBefore: get("lost_before"),
    longestWaitUs: get("longest_wait_us"),
    longestReadUs: get("longest_read_us"),
    groupsDownUs: get("groups_down_us"),
    groupsDown: get("groups_down"),
    coordinators: get("coordinators"),
    groupsLost: get("groups_lost"),
    severity: SEVERITIES[String(raw?.severity ?? "")] ?? "",
    sentence: raw?.sentence ?? "",
  };
}

/** The severities as `VerdictChanged` numbers them. @type {Record<string, "ok" | "warn" | "danger">} */
export const SEVERITIES = { 0: "ok", 1: "warn", 2: "danger", ok: "ok", warn: "warn", bad: "danger" };

/** The acks of a topic, by the strictest of its producers, as `VerdictChanged` says it. */
export const ACKS_ALL = -1;

/** The figures that the whole verdict of a moment counts anew, under the names in which they are stated. */
const COUNTED = [
  "acked",
  "lost",
  "duplicated",
  "hidden",
  "unreadable",
  "refused",
  "unknown",
  "write_down_all_us",
  "write_down_1_us",
  "read_down_us",
  "lost_traffic_us",
  "held_back",
  "handed_over",
  "vanished",
  "recovered",
  "lost_again",
  "deciding_lost",
  "sentence",
  "write_down_client_us",
  "read_down_client_us",
  "write_same_us",
  "read_same_us",
  "vain_us",
  "waiting",
  "client_waits_us",
  "read_waits_us",
  "before",
  "lost_before",
  "groups_down_us",
  "groups_down",
  "coordinators",
  "groups_lost",
  "longest_wait_us",
  "longest_read_us",
  "severity",
];

/**
 * The figures of the moment shown, where the whole verdict of it is there; else as they were stated last.
 * @param {Verdict | undefined} raw of the view
 * @param {Record<string, any> | undefined} told the topic in the whole verdict
 * @param {number} statedUs
 * @returns {Figures}
 */
export const figuresAt = (raw, told, statedUs) =>
  told
    ? figuresOf({
        ...raw,
        ...Object.fromEntries(COUNTED.filter((name) => name in told).map((name) => [name, told[name]])),
        acks: MODES[told["acks"]] ?? ACKS_ALL,
      })
    : figuresOf(raw, statedUs);

/** @type {Record<string, number>} the other modes by their names in the whole verdict */
const MODES = { 0: 0, 1: 1 };

/** @param {number} n */
export const count = (n) => n.toLocaleString("en");

/** The engine states its figures once a second and where something happens. */
const TICK_US = 1_000_000;

/**
 * The moment up to which the figures that a topic states were right: of the last tick, or of its own later fact; -1
 * before both.
 * @param {number} t
 * @param {number} factUs
 */
export const statedAt = (t, factUs) => Math.max(t < TICK_US ? -1 : t - (t % TICK_US), factUs);

/** The number of the lost records that the application brought back, in words. @param {Figures} f */
export const backText = (f) => `${count(f.recovered)} came back`;

/** Of which moment a figure is, where it is not the one that is shown. @param {Figures} f */
export const since = (f) => (f.ackedAtUs === null ? "" : ` at ${secondsText(f.ackedAtUs)}`);

/** The gravest figure in the users' units, with what it is a share of. @param {Figures} f @returns {string} */
export function unitsText(f) {
  const acked = `${count(f.acked)} acknowledged${since(f)}`;
  if (f.lost)
    return `${count(f.lost)} of ${acked}${
      f.lostTrafficUs
        ? `, ${f.lostTrafficUs < 50_000 ? "less than 0.1 s" : `about ${secondsText(f.lostTrafficUs)}`} of this ` +
          `topic’s traffic`
        : ""
    }.`;
  const answered = f.handedOver && !f.acked ? "" : acked;
  const parts = [
    answered,
    ...(f.handedOver
      ? [`${plural(f.handedOver, "record")} handed over with acks=0, ${count(f.vanished)} vanished`]
      : []),
    ...(f.unread ? [unreadText(f)] : []),
    ...(downUs(f) && f.heldBack
      ? [`${secondsText(downUs(f))} without a response, ${plural(f.heldBack, "record")} held back`]
      : []),
  ].filter(Boolean);
  if (parts.length > 1 || f.handedOver) return `${parts.join("; ")}.`;
  return f.ackedAtUs === -1 ? "" : `${plural(f.acked, "record")} acknowledged${since(f)}.`;
}

/** The time (us) for which the application had no response. @param {Figures} f */
const downUs = (f) => Math.max(f.clientUs, f.clientWaitsUs);

/** The records without an ack that no consumer gets yet, in words. @param {Figures} f */
const unreadText = (f) =>
  `${plural(f.unread, "record")} without an ack cannot be read yet: the high watermark stands still`;

/** @param {number} theta us */
export const thetaText = (theta) =>
  `Times without a response, and the servers’ beside them, count where they are longer than θ = ${theta / 1e6} s.`;
/** interruptions that are not longer are latency (simengine/verdict/account.py) */
export const THETA_US = 1_000_000;

/** The check of the action that decided a loss. @param {{without: string}} decision */
export const lossCheck = ({ without }) => `${without} the same run loses none of this topic’s records (checked).`;
export const UNCHECKED =
  "Not checked yet which action decided it: pause, and the run is repeated without one after the other.";
/** `decide` takes a run of one cluster only. */
export const UNCHECKED_OF_SEVERAL = "Not checked: a run of several clusters is not repeated without one action yet.";

/** @param {import("../run/reading.js").Chain} chain */
export const chainHead = (chain) =>
  `${chain.partition}: ${plural(chain.count, "record")}, acknowledged with ` +
  `acks=${chain.acks}${alikeText(chain.alike ?? [])}`;

/** partitions named beside a story that is theirs too */
const ALIKE_MAX = 8;

/** Other losses of the same story. @param {{partition: string, count: number}[]} alike */
function alikeText(alike) {
  if (!alike.length) return "";
  const more = alike.length - ALIKE_MAX;
  return `; so also ${alike
    .slice(0, ALIKE_MAX)
    .map((other) => `${other.partition} (${count(other.count)})`)
    .join(", ")}${more > 0 ? ` and ${count(more)} more` : ""}`;
}

/** The part that a reading does not tell, and where it is told. @param {number} n @param {string} what */
export const untoldText = (n, what) =>
  `and ${plural(n, `more ${what}`)}: python -m simengine why FILE --all tells ${n === 1 ? "it" : "them"}, with the ` +
  `document of this run`;

/** The fates of records (FATE-4), by their names in the engine's verdict. */
export const FATES = /** @type {[string, string][]} */ ([
  ["calls", "sent"],
  ["acked", "acknowledged"],
  ["kept", "kept"],
  ["lost", "acknowledged, then lost"],
  ["lost_all", "of them acks=all"],
  ["lost_1", "of them acks=1"],
  ["recovered", "of them records back, as the application sent them again"],
  ["doomed", "acknowledged when already lost"],
  ["moved", "kept at another offset"],
  ["duplicated", "stand more than once"],
  ["undetermined", "undecided until a leader is elected"],
  ["stranded", "of them only on brokers that are dead or cut off"],
  ["hidden", "hidden"],
  ["frozen_hidden", "of them while below min ISR"],
  ["handed_over", "sent with acks=0"],
  ["arrived", "of them arrived"],
  ["vanished", "of them vanished"],
  ["refused", "refused"],
  ["unknown", "unknown"],
  ["unknown_written", "unknown, but written"],
  ["open", "not answered yet"],
  ["delivered", "delivered"],
  ["seen", "read"],
  ["lagging", "not read yet"],
  ["skipped", "skipped by readers"],
  ["phantoms", "read, then lost"],
  ["overwritten", "read, now another record"],
  ["reread", "read again"],
]);

/** @param {number} us @returns {string} 9.0 s */
export const secondsText = (us) => `${(us / 1e6).toFixed(1)} s`;

/**
 * The look of what the engine says: sign and tone by the gravest figure.
 * @param {Figures} figures
 * @param {boolean} isCalm nothing has happened to the cluster yet
 * @returns {Say}
 */
export function sayTopic(figures, isCalm) {
  const { lost, duplicated, hidden, waiting, handedOver, vanished, recovered, lostAgain, sentence } = figures;
  if (lost && lost === recovered + lostAgain) return { tone: "wait", icon: "again", sentence }; // all of it came back
  if (lost) return { tone: "bad", icon: "x", sentence };
  if (duplicated) return { tone: "bad", icon: "copy", sentence };
  if (vanished) return { tone: "bad", icon: "x", sentence };
  if (isCalm || !sentence) return CALM;
  if (hidden) return { tone: "wait", icon: "hidden", sentence };
  if (waiting) return { tone: "wait", icon: "clock", sentence };
  // handed over: nobody promised anything, no praise
  return handedOver ? { tone: "none", icon: "ring", sentence } : { tone: "ok", icon: "check", sentence };
}

/** No verdict before there is something to judge. @type {Say} */
export const CALM = { tone: "none", icon: "ring", sentence: "Nothing has gone wrong yet." };

/**
 * The part of a loss that the deciding fact bears; "" where it bears all of it. The action behind it may bear more.
 * @param {Figures} f
 */
export const goesBack = (f) =>
  f.decidingLost > 0 && f.decidingLost < f.lost
    ? `At least ${count(f.decidingLost)} of the ${count(f.lost)} records were lost by it.`
    : "";

/**
 * The outcome of the same run without the action that a stop goes back to.
 * @param {import("../run/reading.js").Stop} stop
 */
export function stopCheck({ what, amount, amount_without: left, without }) {
  const fewer = left ? `${plural(left, "record")} instead of ${count(amount)}` : "none";
  if (what === "vanished")
    return `${without} ${left ? fewer : "no record"} sent with acks=0 ${left > 1 ? "vanish" : "vanishes"} (checked).`;
  if (what === "hidden") return `${without} the same run hides ${fewer} (checked).`;
  const stop = what === "servers" ? "servers are out" : `${what} stop`;
  const never = what === "servers" ? "servers are never out" : `${what} never stop`;
  const longer = `for ${secondsText(left)} in all instead of ${secondsText(amount)}`;
  return `${without} the same run’s ${left ? `${stop} ${longer}` : never} (checked).`;
}

/**
 * A further cause of a stop, behind its check; "" without one.
 * @param {import("../run/reading.js").Stop} stop
 */
export const keptUp = ({ kept_up: later }) => (later ? ` The stop was kept up by what happened at ${later}.` : "");

/** The gravity of a topic's harm, for the order of cards. @param {Figures} f */
export const gravity = (f) =>
  f.lost * 1e9 + f.duplicated * 1e6 + f.vanished * 1e5 + f.unreadable * 1e3 + f.writeDownUs / 1e6 + f.readDownUs / 1e6;
