/**
 * Messages at the level of chips: too many to be drawn one by one, so each lane says how many were sent in it during
 * the last 250 ms of the viewer's time. A lane is a partition's row; what belongs to no single partition (fetches of
 * several, control) is counted beside the controllers. Pure: callers pass the wall time.
 *
 * @import {Row} from "../facts/types.js"
 */
import { KIND } from "../facts/facts.js";
import { kindOf } from "../facts/row.js";
import { readFlight } from "../facts/traffic.js";

export const COUNT_MS = 250;
/** the lane of what belongs to no single partition */
export const COMMON = -1;

export class LaneCounts {
  constructor() {
    /** @type {Map<number, number>} */ this.counts = new Map();
    this.since = 0;
  }

  /** @param {Row} row a fact as the picture passes it */
  note(row) {
    if (kindOf(row) !== KIND.FLIGHT) return;
    const { p } = readFlight(row);
    const lane = p >= 0 ? p : COMMON;
    this.counts.set(lane, (this.counts.get(lane) ?? 0) + 1);
  }

  /**
   * The counts of the last quarter of a second, once each; null in between. Empty while time stands.
   * @param {number} wall ms
   * @returns {Map<number, number> | null}
   */
  due(wall) {
    if (wall - this.since < COUNT_MS) return null;
    this.since = wall;
    const counts = this.counts;
    this.counts = new Map();
    return counts;
  }
}
