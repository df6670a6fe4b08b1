/**
 * The longest stop that the application felt, as the server cut it into parts, made ready for a bar: lengths that add
 * up in the tenths of a second that are shown, and shades. Pure.
 */
import { plural } from "../kit/wording.js";

/**
 * @typedef {{name: string, title: string, detail: string, us: number, spans: [number, number][]}} Part
 * @typedef {{topic: string, partition: string, is_read: boolean, from_us: number, until_us: number, us: number,
 *   is_open: boolean, alike: string[], parts: Part[]}} Longest
 * @typedef {Part & {tenths: number, shade: string}} Shown
 */

const TENTH_US = 100_000;
/** the client's own part has a colour: it is the one that a setting of the client shortens */
const CLIENTS = ["client", "reader"];
const GREYS = ["p0", "p1", "p2"];
const ALIKE_MAX = 1;

/** @param {number} tenths */
export const tenthsText = (tenths) => `${(tenths / 10).toFixed(1)} s`;

/** A time as its tenths of a second. @param {number} us */
export const tenthsOf = (us) => Math.round(us / TENTH_US);

/**
 * The parts that are long enough to be told, their tenths adding up to the whole's.
 * @param {Longest} stop
 * @returns {Shown[]}
 */
export function shownParts(stop) {
  const told = stop.parts.filter((part) => part.us * 2 >= TENTH_US);
  const floors = told.map((part) => Math.floor(part.us / TENTH_US));
  let left = tenthsOf(stop.us) - floors.reduce((sum, tenths) => sum + tenths, 0);
  const byRest = told.map((part, i) => i).sort((a, b) => rest(told[b]) - rest(told[a]));
  for (const i of byRest) {
    if (left <= 0) break;
    floors[i] = (floors[i] ?? 0) + 1;
    left--;
  }
  let grey = 0;
  return told.map((part, i) => ({
    ...part,
    tenths: floors[i] ?? 0,
    shade: CLIENTS.includes(part.name) ? "p3" : (GREYS[grey++ % GREYS.length] ?? "p0"),
  }));
}

/** The rest of a part below its last whole tenth. @param {Part | undefined} part */
const rest = (part) => (part?.us ?? 0) % TENTH_US;

/** The owner of a stop: "orders-0", "orders-0, and payments-0 alike". @param {Longest} stop */
export function stopTitle({ partition, alike, is_read: isRead }) {
  const others = alike.length > ALIKE_MAX ? plural(alike.length, "other") : alike.join("");
  const what = isRead ? `Readers of ${partition}` : partition;
  return others ? `${what}, and ${others} alike` : what;
}

/** The span of a part that is shown on the timeline: its longest one. @param {Part} part @returns {[number, number]} */
export const longestSpan = (part) =>
  part.spans.reduce((best, span) => (span[1] - span[0] > best[1] - best[0] ? span : best), part.spans[0] ?? [0, 0]);
