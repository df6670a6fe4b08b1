/**
 * The menu of a message.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Menu} from "./menu.js"
 */
import { causeOf } from "../run/causes.js";
import { MSG_NAMES } from "../facts/facts.js";
import { doing } from "./menu.js";

/** @param {Actor} app @param {number} seq @returns {Menu} */
export function flightMenu(app, seq) {
  const { model } = app;
  const flight = model.cursor?.flights.all.get(seq);
  const gone = !flight || flight.ended >= 0 ? "It is not under way any more" : "";
  const cause = flight
    ? causeOf(
        flight,
        [...(model.cursor?.stretch.before ?? []), ...(model.cursor?.stretch.rows ?? [])],
        model.trace.decisive,
      )
    : null;
  const title = flight
    ? `${MSG_NAMES[flight.msg]}${flight.p >= 0 ? ` of ${model.partitionName(flight.p)}` : ""}, ` +
      `${model.nodeName(flight.src)} → ${model.nodeName(flight.dst)}`
    : "A message";
  return {
    title,
    items: [
      doing(app, `deliver ${seq}`, {
        id: "deliver",
        icon: "play",
        why: gone || (flight && flight.held < 0 && flight.arrive < 0 ? "Its link is cut" : ""),
      }),
      doing(app, `hold ${seq}`, {
        id: "hold",
        icon: "pause",
        why: gone || (flight && flight.held >= 0 ? "It is held" : ""),
      }),
      doing(app, `drop ${seq}`, { id: "drop", icon: "x", why: gone }),
      null,
      {
        id: "inspect",
        ownPage: true,
        icon: "search",
        text: "Show its fields",
        run: () => {
          app.select({ kind: "flight", id: seq });
          app.showTab("inspect");
        },
      },
      {
        id: "cause",
        ownPage: true,
        icon: "prev",
        text: "Show its cause",
        why: cause ? "" : "Its sender's own clock sent it",
        run: () => cause && app.travel.goTo(cause.t, cause.seq),
      },
    ],
  };
}
