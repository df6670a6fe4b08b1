/**
 * The verdict's rows, one a topic: what each lost, how long its clients waited, which are shown. Pure.
 *
 * @import {Figures} from "./verdictwords.js"
 */
import { plural } from "../kit/wording.js";
import { count, secondsText, THETA_US } from "./verdictwords.js";

/** topics with rows of their own; beyond them the rest is one line */
export const ROWS_MAX = 5;

/**
 * @typedef {"bad" | "stop" | ""} Weight
 * @typedef {{text: string, weight: Weight, title: string}} Cell
 */

/** Records of a topic that are gone: of this run, and from before it. @param {Figures} f */
export const goneOf = (f) => f.lost - f.recovered - f.lostAgain + f.lostBefore;

/** For how long the application got no response or no record, or its groups could do nothing, us. @param {Figures} f */
export const silentUs = (f) => Math.max(writersUs(f), readersUs(f), f.groupsDownUs);

/**
 * Without a response: all stretches longer than theta together, as the sentence says; where there is none, the longest
 * single call.
 * @param {Figures} f
 */
const writersUs = (f) => Math.max(f.clientUs, f.clientWaitsUs) || counted(f.longestWaitUs);

/** @param {Figures} f */
const readersUs = (f) => Math.max(f.readClientUs, f.readWaitsUs) || counted(f.longestReadUs);

/** Up to theta it is latency. @param {number} us */
const counted = (us) => (us > THETA_US ? us : 0);

/**
 * The harm of a topic, in the engine's order: of stops that are over, those of topics come before the coordinators'.
 * @param {Figures} f
 */
const harmOf = (f) => [
  goneOf(f),
  f.groupsLost,
  f.groupsDown,
  f.duplicated,
  f.vanished,
  f.hidden,
  Number(silentUs(f) > 0),
  Number(!f.coordinators),
  silentUs(f),
];

/** The worst first. @param {Figures} a @param {Figures} b */
export function byHarm(a, b) {
  const [one, other] = [harmOf(a), harmOf(b)];
  const i = one.findIndex((harm, at) => harm !== other[at]);
  return i < 0 ? 0 : other[i] - one[i];
}

/** True if a topic has something to be told. @param {Figures} f */
export const isHarmed = (f) =>
  goneOf(f) + f.lost + f.duplicated + f.vanished + f.hidden + f.groupsLost + silentUs(f) > 0;

/** @param {Figures} f @returns {Cell} */
export function lostCell(f) {
  const gone = goneOf(f);
  if (gone)
    return {
      text: count(gone),
      weight: "bad",
      title: f.lostBefore
        ? `${plural(gone - f.lostBefore, "record")} of this run and ${count(f.lostBefore)} from before it`
        : "",
    };
  if (f.vanished) return { text: count(f.vanished), weight: "bad", title: "sent with acks=0, and in no log" };
  return {
    text: "0",
    weight: "",
    title: f.lost ? `${plural(f.lost, "record")} lost, which the application sent again` : "",
  };
}

/** @param {Figures} f @param {boolean} isUsed somebody writes or reads the topic @returns {Cell} */
export function silentCell(f, isUsed) {
  const us = silentUs(f);
  if (us) return { text: secondsText(us), weight: "stop", title: titleOf(f) };
  const latency = Math.max(f.longestWaitUs, f.longestReadUs);
  return isUsed
    ? {
        text: latency ? secondsText(latency) : "< 1 s",
        weight: "",
        title: "No call and no reader waited longer than 1 s.",
      }
    : { text: "–", weight: "", title: "No application writes or reads this topic." };
}

/** @param {Figures} f */
function titleOf(f) {
  if (f.groupsDownUs) return "Groups of a coordinator could neither join nor commit.";
  return writersUs(f) >= readersUs(f)
    ? "Producers got no response, worst partition."
    : "Readers got no record, worst partition.";
}

/** The note below a topic's name. @param {string} settings @param {Figures} f */
export function rowNote(settings, f) {
  if (f.groupsDown && f.groupsDown === f.coordinators) return `${settings} · no group can join or commit`;
  if (f.groupsDown)
    return (
      `${settings} · no group of ${count(f.groupsDown)} of ${plural(f.coordinators, "coordinator")} can join ` +
      `or commit`
    );
  if (f.groupsLost) return `${settings} · committed offsets of ${plural(f.groupsLost, "group")} are gone`;
  if (f.groupsDownUs) return `${settings} · groups could not join or commit`;
  return [
    settings,
    ...(f.duplicated ? [`${count(f.duplicated)} more than once`] : []),
    ...(f.hidden + f.unreadable ? [`${count(Math.max(f.hidden, f.unreadable))} cannot be read`] : []),
  ].join(" · ");
}

/**
 * The line for the topics that have no row: "35 others: nothing lost, nobody waited longer than 10.9 s".
 * @param {Figures[]} rest
 */
export function restText(rest) {
  if (!rest.length) return "";
  const gone = rest.reduce((sum, f) => sum + goneOf(f), 0);
  const us = Math.max(...rest.map(silentUs));
  const lost = gone ? `${plural(gone, "record")} lost` : "nothing lost";
  return `${plural(rest.length, "other")}: ${lost}, ` + `nobody waited longer than ${secondsText(us || THETA_US)}`;
}

/** Of the time that `silentUs` says, how long the servers were out. @param {Figures} f */
function servedNotUs(f) {
  if (f.groupsDownUs === silentUs(f)) return f.groupsDownUs;
  return writersUs(f) >= readersUs(f) ? f.writeSameUs : f.readSameUs;
}

/** Who waited for the time that `silentUs` says: groups, producers or readers. @param {Figures} f */
function waitText(f) {
  if (f.groupsDownUs === silentUs(f)) return "Groups could not join or commit";
  return writersUs(f) >= readersUs(f) ? "No response" : "A reader got nothing";
}

/**
 * The line below the sentence: how long the servers were out in the application's stop, and what was there before.
 * @param {Figures[]} all
 * @param {string} sentence above it: the application's time may stand there already
 * @returns {{lead: string, strong: string, rest: string}}
 */
export function subLine(all, sentence) {
  const client = Math.max(0, ...all.map(silentUs));
  const servers = Math.max(0, ...all.map((f) => Math.max(f.writeDownUs, f.readDownUs)));
  const before = all.reduce((sum, f) => sum + f.lostBefore, 0);
  const preloaded = all.reduce((sum, f) => sum + f.before, 0);
  const kept =
    preloaded && !before
      ? `${preloaded === 1 ? "The record" : `The ${count(preloaded)} records`} from before this run ` +
        `${preloaded === 1 ? "is" : "are"} still there.`
      : "";
  if (/by the servers/i.test(sentence) || sentence.includes(" stayed ")) return { lead: "", strong: "", rest: kept };
  if (!client && servers)
    return {
      lead: "No call waited longer than 1 s; by the servers’ record it was out for ",
      strong: secondsText(servers),
      rest: `. ${kept}`.trimEnd(),
    };
  if (!client) return { lead: "", strong: "", rest: kept };
  const longest = all.find((f) => silentUs(f) === client);
  const lead = sentence.includes(secondsText(client))
    ? "For the application; "
    : `${longest ? waitText(longest) : ""} for ${secondsText(client)}; `;
  const notByAll = Math.max(0, ...all.map((f) => f.writeDownAllUs)); // of topics that are written with acks=1 now
  const stayed = notByAll
    ? `readable, and writable with acks=1, but took no acks=all writes for ${secondsText(notByAll)}`
    : "writable and readable";
  if (!servers)
    return {
      lead: `${lead}${all.length > 1 ? "the topics themselves" : "the topic itself"} stayed ${stayed}. `,
      strong: "",
      rest: kept,
    };
  return {
    lead,
    strong: secondsText(longest ? servedNotUs(longest) : 0),
    rest: ` of it by the servers. ${kept}`.trimEnd(),
  };
}

/** @typedef {"ok" | "warn" | "danger" | "none"} Severity */

/**
 * No praise before what was done has had its effect: an action that was accepted a moment ago stops nothing yet.
 * @param {Severity} severity
 * @param {boolean} isSettled
 * @returns {Severity}
 */
export const toldSeverity = (severity, isSettled) => (severity === "ok" && !isSettled ? "none" : severity);

/** The severity of a run, by its topics. @param {Figures[]} all @returns {Severity} */
export function severityOf(all) {
  /** @type {string[]} */ const stated = all.map((f) => f.severity);
  const worst = /** @type {Severity[]} */ (["danger", "warn"]).find(
    (one) => stated.includes(one) || all.some((f) => own(f) === one),
  );
  if (worst) return worst;
  return all.every((f) => !f.acked && !f.handedOver) ? "none" : "ok";
}

/** @param {Figures} f @returns {Severity} */
function own(f) {
  if (goneOf(f) || f.duplicated || f.vanished || f.groupsDown || f.groupsLost) return "danger";
  return isHarmed(f) || f.stopped || f.writeDownUs || f.readDownUs ? "warn" : "ok";
}
