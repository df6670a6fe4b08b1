/**
 * The words on an action beyond its own text: its node, its caption, the owner of the setting that it
 * changed. Pure.
 *
 * @import {ActionDone} from "../facts/decisive.js"
 * @import {Event, Words} from "./narrate.js"
 */
import { SETTINGS_STEP } from "../fold/sites.js";
import { capital } from "../kit/wording.js";
import { subjectOf } from "./actionwords.js";

/** An action's event, without its text. @param {ActionDone} action @param {Words} words @returns {Partial<Event>} */
export function ofAction({ verb, args }, words) {
  const [subject = ""] = args;
  if (verb === "kill-rack") return rackIsDown(subject);
  if (verb === "power-loss") return args[1] === "0" ? goesDark(subject, words) : losesPower(subject, words);
  if (subjectOf(verb) === "message") return { marker: "", minor: true }; // which message, a fact of its own says
  return { node: subjectOf(verb) === "node" || verb === "slow" ? words.nodeOf(subject) : -1 };
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
 * The owner of a setting: a broker, or a whole cluster.
 * @param {number} code of the fact, below 0
 * @param {Words} words
 */
export function settingOf(code, words) {
  if (code < -1 && code > -SETTINGS_STEP) return capital(words.node(-2 - code));
  return `Cluster ${words.site(Math.floor(-(code + 1) / SETTINGS_STEP))}`.trim();
}
