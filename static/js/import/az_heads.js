/** What a cell of the AZ table says first, and in which colour: both follow what is lost, at risk or stopped. Pure. */
import { plural } from "../wording.js";

const FAILOVER = "failover"; // the cause of an outage that has no other: said as what it comes to
const TINTS = /** @type {Record<string, [string, string]>} */ ({ ok: ["ok", "check"], risk: ["warn", "warning"], bad: ["danger", "x"] });

/** @typedef {import("./az_table.js").Cell} Cell */

/**
 * The head of a cell: its cause; where that is a failover alone, what it comes to. A stop that ends by itself is no
 * warning.
 * @param {Cell} cell @returns {{tone: string, icon: string, words: string}}
 */
export function headOf(cell) {
  const [tone, icon] = TINTS[cell.tint] ?? ["warn", "warning"];
  if (cell.cause !== FAILOVER) return { tone, icon, words: cell.cause };
  if (cell.lost) return { tone, icon, words: `${plural(cell.lost, "record")} lost` };
  if (cell.by === "luck") return { tone, icon, words: "newest records at risk" };
  const [what, us] = cell.write_us ? ["writes", cell.write_us] : ["reads", cell.read_us];
  return us ? { tone: "calm", icon: "clock", words: `${what} stop for ${(us / 1e6).toFixed(1)} s` } : { tone, icon, words: cell.cause };
}

/** The tint of a cell: red wherever records are gone, hidden or out until it is back; else of two cells the worse one's. @param {Cell} cell @param {Cell | undefined} other */
export const tintOf = (cell, other) => (cell.tint === "bad" || isWorse(cell, other) ? cell.tint : "");

/**
 * How bad a cell is, as numbers to compare: lost, twice, hidden, until it is back, by luck, seconds.
 * @param {Cell} cell
 */
const weight = (cell) => [cell.lost, cell.duplicated, cell.hidden, cell.write_until_back + cell.read_until_back, cell.by === "luck" ? 1 : 0, cell.write_us, cell.read_us];

/** Whether a cell is at least as bad as its neighbour. @param {Cell} cell @param {Cell | undefined} other */
function isWorse(cell, other) {
  if (!other) return true;
  const [mine, theirs] = [weight(cell), weight(other)];
  const at = mine.findIndex((value, index) => value !== theirs[index]);
  return at < 0 || /** @type {number} */ (mine[at]) > /** @type {number} */ (theirs[at]);
}

/** An AZ that is dark from the start, but for controllers. @param {{label: string, dead: number[], controllers: number}} row */
export function darkText({ label, dead, controllers }) {
  const [down, without] = dead.length === 1 ? [`broker ${dead[0]}, its only broker, is`, "that broker"] : [`its brokers ${dead.join(", ")} are`, "those brokers"];
  const more = controllers ? `takes ${plural(controllers, "controller")} along; most controllers go on, and no partition changes` : "changes nothing";
  return `Dark already: ${down} down. Losing ${label} ${more}. The other rows count without ${without}.`;
}
