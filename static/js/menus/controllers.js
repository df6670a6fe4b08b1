/**
 * The menu of a controller.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Menu} from "./menu.js"
 */
import { capital } from "../kit/wording.js";
import { doing } from "./menu.js";

const DISK_LOST =
  "Not simulated. In a dynamic quorum it does not vote before it is removed and added again, which a majority of the " +
  "other voters must commit. A static voter with an empty log may vote, and committed metadata may be lost";

/** @param {Actor} app @param {number} id @returns {Menu} */
export function controllerMenu(app, id) {
  const process = app.model.view?.controllers[id]?.process ?? "running";
  const title = capital(app.model.nodeName(id));
  if (process === "down")
    return {
      title,
      items: [
        doing(app, `start ${app.model.ref(id)}`, { id: "start", icon: "play" }),
        { id: "start-empty", icon: "play", text: "Start with a new, empty disk", why: DISK_LOST, run: () => {} },
      ],
    };
  const isActive = app.model.partOf(id)?.active === id;
  return {
    title,
    items: [
      doing(app, `kill ${app.model.ref(id)}`, { id: "kill", icon: "power" }),
      doing(app, `stop ${app.model.ref(id)}`, {
        id: "stop",
        icon: "stop",
        why: process === "paused" ? "A paused process cannot shut down" : "",
      }),
      process === "paused"
        ? doing(app, `resume ${app.model.ref(id)}`, { id: "resume", icon: "play" })
        : doing(app, `pause ${app.model.ref(id)}`, { id: "pause", icon: "pause" }),
      null,
      {
        id: "move",
        icon: "crown",
        text: "Move to it",
        why: isActive
          ? "It is the active controller"
          : "Kafka has no command for it: stop the active one, and the quorum elects",
        run: () => {},
      },
    ],
  };
}
