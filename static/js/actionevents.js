/**
 * What is said of what somebody did, beyond the words of the action itself: its node, its caption, whose setting it
 * changed. Pure.
 *
 * @import {Event, Words} from "./narrate.js"
 */
import { SETTINGS_STEP } from "./sites.js";
import { capital } from "./wording.js";

/** What an action says beyond its text. @param {string} action @param {Words} words @returns {Partial<Event>} */
export function ofAction(action, words) {
  const rack = /^kill-rack (\S+)/.exec(action)?.[1];
  if (rack) {
    return {
      grave: true,
      marker: "fault",
      part: "rack",
      caption: {
        lead: `${rack} is down.`,
        rest: "All of its brokers and controllers die at once; nobody has noticed yet.",
      },
      changes: [{ name: rack, from: "up", to: "down" }],
    };
  }
  const [, dark, kept] = /^power-loss (\S+)(?: (\S+))?/.exec(action) ?? [];
  if (dark && kept === "0") {
    return {
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
    };
  }
  if (dark) {
    return {
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
    };
  }
  if (/^(hold|deliver|drop) /.test(action)) return { marker: "", minor: true }; // which message, a fact of its own says
  const match = /^(?:kill|stop|start|pause|resume|slow) (\S+)/.exec(action);
  return { node: match ? words.nodeOf(match[1] ?? "") : -1 };
}

/**
 * Whose setting it is: a broker's, or a whole cluster's.
 * @param {number} code of the fact, below 0
 * @param {Words} words
 */
export function settingOf(code, words) {
  if (code < -1 && code > -SETTINGS_STEP) return capital(words.node(-2 - code));
  return `Cluster ${words.site(Math.floor(-(code + 1) / SETTINGS_STEP))}`.trim();
}
