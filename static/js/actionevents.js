/**
 * What is said of what somebody did, beyond the words of the action itself: its node, its caption, whose setting it
 * changed. Pure.
 *
 * @import {ActionDone} from "./facts/decisive.js"
 * @import {Event, Words} from "./narrate.js"
 */
import { SETTINGS_STEP } from "./sites.js";
import { capital } from "./wording.js";

const OF_ONE_NODE = ["kill", "stop", "start", "pause", "resume", "slow"];
const OF_ONE_MESSAGE = ["hold", "deliver", "drop"];

/** What an action says beyond its text. @param {ActionDone} action @param {Words} words @returns {Partial<Event>} */
export function ofAction({ verb, args }, words) {
  const [subject = ""] = args;
  if (verb === "kill-rack") return rackIsDown(subject);
  if (verb === "power-loss") return args[1] === "0" ? goesDark(subject, words) : losesPower(subject, words);
  if (OF_ONE_MESSAGE.includes(verb)) return { marker: "", minor: true }; // which message, a fact of its own says
  return { node: OF_ONE_NODE.includes(verb) ? words.nodeOf(subject) : -1 };
}

/** @param {string} rack @returns {Partial<Event>} */
const rackIsDown = (rack) => ({
  grave: true,
  marker: "fault",
  part: "rack",
  caption: {
    lead: `${rack} is down.`,
    rest: "All of its brokers and controllers die at once; nobody has noticed yet.",
  },
  changes: [{ name: rack, from: "up", to: "down" }],
});

/** @param {string} dark nodes and racks, or "all" brokers @param {Words} words @returns {Partial<Event>} */
const goesDark = (dark, words) => ({
  grave: true,
  marker: "fault",
  part: "rack",
  rule: "FLT-5",
  caption: {
    lead:
      `${dark === "all" ? "All brokers" : words.nodeOf(dark) < 0 ? dark : capital(words.host(dark))} ` +
      `${dark === "all" || dark.includes(",") ? "go" : "goes"} dark.`,
    rest: "No connection is closed: what is under way waits for request.timeout.ms; disks keep what was written.",
  },
  node: words.nodeOf(dark),
  changes: [{ name: dark, from: "up", to: "dark" }],
});

/** @param {string} dark nodes and racks, or "all" brokers @param {Words} words @returns {Partial<Event>} */
const losesPower = (dark, words) => ({
  grave: true,
  marker: "fault",
  part: "rack",
  rule: "LOG-8",
  caption: {
    lead: `The power of ${dark === "all" ? "all brokers" : words.host(dark)} fails.`,
    rest: "Records not yet on its disks are gone. Nobody is told: a host without power resets no connection.",
  },
  node: words.nodeOf(dark),
  changes: [{ name: dark, from: "up", to: "without power" }],
});

/**
 * Whose setting it is: a broker's, or a whole cluster's.
 * @param {number} code of the fact, below 0
 * @param {Words} words
 */
export function settingOf(code, words) {
  if (code < -1 && code > -SETTINGS_STEP) return capital(words.node(-2 - code));
  return `Cluster ${words.site(Math.floor(-(code + 1) / SETTINGS_STEP))}`.trim();
}
