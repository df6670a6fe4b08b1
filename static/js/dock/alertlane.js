/**
 * The lanes of the timeline that say when alerts were pending and firing.
 *
 * @import {Bar} from "../run/alerts.js"
 * @import {Timeline} from "./timeline.js"
 */
import { svg } from "../kit/dom.js";
import { logTime } from "../words/narrate.js";

/** a bar is never narrower */
const LEAST_PX = 3;

/** the height of a run's lane of alerts: it has its place before the first alert, so that nothing moves for it */
export const ALERTS_PX = 14;
/** from the lane of one of several runs to its alerts */
const BELOW_PX = 16;
/** from the lower end of the timeline of a single run: above the times without writes */
const ABOVE_PX = 36;

/** A lane for each run of the timeline. @param {Timeline} timeline */
export function alertLanes(timeline) {
  return timeline.app.players.flatMap(({ alerts }, i) => {
    const bars = alerts.bars.value;
    if (!bars.length) return [];
    const y = timeline.tracks.length > 1 ? timeline.laneOf(i) + BELOW_PX : timeline.size.height - ABOVE_PX;
    const label = svg("text", { class: "lane", x: timeline.edges().left - 20, y: y + 4, text: "alerts" });
    return [...(timeline.phone ? [] : [label]), ...bars.map((bar) => lane(bar, (t) => timeline.x(t), y))];
  });
}

/** @param {Bar} bar @param {(t: number) => number} xOf @param {number} y */
function lane({ from, to, isFiring, name }, xOf, y) {
  const path = `M${xOf(from).toFixed(1)} ${y}H${Math.max(xOf(to), xOf(from) + LEAST_PX).toFixed(1)}`;
  const state = isFiring ? "fires" : "is pending";
  return svg(
    "g",
    {
      class: `alert ${isFiring ? "firing" : "pending"}`,
      "data-testid": isFiring ? "alert-firing" : "alert-pending",
      "data-t": from,
    },
    svg("path", { class: "reach", d: path }),
    svg("path", { d: path }),
    svg("title", { text: `${name} ${state} from ${logTime(from)} s to ${logTime(to)} s` }),
  );
}
