/**
 * The figures under a run of a comparison, counted as in the table of all figures (simengine/compare/figures.py):
 * records are added up over topics, of a time the longest counts, and coordinators count in neither. Pure.
 */
import { figureText } from "./apart.js";

/**
 * @typedef {Record<string, any>} Counted  the figures of a topic, under the names that the engine gives them
 * @typedef {{label: string, text: string, isLoss: boolean}} Shown
 */

/** @type {{label: string, of: (topic: Counted) => number, isTime?: boolean, isLoss?: boolean}[]} */
const FIGURES = [
  { label: "Acknowledged", of: ({ acked }) => acked },
  { label: "Lost", of: ({ lost }) => lost, isLoss: true },
  { label: "Doubled", of: (topic) => topic["duplicated"] + topic["by_application"] },
  { label: "Not readable now", of: ({ unreadable }) => unreadable },
  { label: "Writes stood still", of: writeDownUs, isTime: true },
  { label: "Reads stood still", of: readDownUs, isTime: true },
];

/** @param {Counted[]} topics @returns {Shown[]} */
export function barFigures(topics) {
  const counted = topics.filter((topic) => !topic["coordinators"]);
  return FIGURES.map(({ label, of, isTime, isLoss }) => {
    const values = counted.map((topic) => of(topic) || 0);
    if (isTime) return { label, text: figureText(Math.max(0, ...values) / 1e6, "s"), isLoss: false };
    const sum = values.reduce((all, value) => all + value, 0);
    return { label, text: figureText(sum, "records"), isLoss: Boolean(isLoss) && sum > 0 };
  });
}

/** The application's time; the servers' if nobody wrote. @param {Counted} topic */
function writeDownUs(topic) {
  return topic[isUsed(topic) ? "write_down_client_us" : "write_down_all_us"];
}

/** A reader's time; if nobody wrote, also the servers'. @param {Counted} topic */
function readDownUs(topic) {
  return topic["read_down_client_us"] || (isUsed(topic) ? 0 : topic["read_down_us"]);
}

/** True if some application has written to a topic. @param {Counted} topic */
const isUsed = (topic) =>
  ["acked", "refused", "unknown", "handed_over", "longest_wait_us"].some((key) => topic[key] > 0);
