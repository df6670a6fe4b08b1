/**
 * The lane of the timeline that says when alerts were pending and firing.
 *
 * @import {Bar} from "../run/alerts.js"
 * @import {Timeline} from "./timeline.js"
 */
import { svg } from "../kit/dom.js";
import { logTime } from "../words/narrate.js";

/** a bar is never narrower */
const LEAST_PX = 3;

/** px from the lower end of the timeline: above the times without writes */
const ABOVE_PX = 36;

/** @param {Timeline} timeline */
export function alertLane(timeline) {
  const bars = timeline.app.alerts?.bars.value ?? [];
  if (!bars.length) return [];
  const y = timeline.size.height - ABOVE_PX;
  const label = svg("text", { class: "lane", x: timeline.edges().left - 20, y: y + 4, text: "alerts" });
  return [...(timeline.phone ? [] : [label]), ...bars.map((bar) => lane(bar, (t) => timeline.x(t), y))];
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
