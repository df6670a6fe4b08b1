/**
 * The menu of a process of MirrorMaker.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Menu} from "./menu.js"
 */
import { failoverMenu } from "./failovers.js";
import { healAll } from "./links.js";
import { doing, openMenu } from "./menu.js";
import { clustersOfProcess, flowsOf, isProcessCut, stateWord } from "../run/mirrors.js";

/** @param {Actor} app @param {string} name @param {{left: number, bottom: number}} at where it opens @returns {Menu} */
export function processMenu(app, name, at) {
  const { names, view } = app.model;
  const state = view ? stateWord(names, view, name) : "";
  const down = state === "down" ? "It is down" : "";
  return {
    title: `${name}, a process of MirrorMaker`,
    items: [
      doing(app, `kill ${name}`, { id: "kill", icon: "zap", why: down }),
      doing(app, `start ${name}`, { id: "start", icon: "play", why: down ? "" : "It runs already" }),
      doing(app, `stop ${name}`, {
        id: "stop",
        icon: "stop",
        why: down || (state === "stopping" ? "It is stopping" : ""),
      }),
      doing(app, `pause ${name}`, {
        id: "pause",
        icon: "pause",
        why: state === "running" ? "" : down || "It is paused or starts",
      }),
      doing(app, `resume ${name}`, {
        id: "resume",
        icon: "next",
        why: state === "paused" ? "" : "It is not paused",
      }),
      null,
      ...clustersOfProcess(names, name).map((cluster) =>
        view && isProcessCut(names, view, name, cluster)
          ? doing(app, `heal ${name}|${cluster}`, {
              id: `heal-${cluster}`,
              icon: "link",
              text: `Heal its links to ${cluster}`,
            })
          : doing(app, `cut ${name}|${cluster}`, { id: `cut-${cluster}`, icon: "cut", text: `Cut from ${cluster}` }),
      ),
      healAll(app),
      null,
      ...flowsOf(names, name).map(({ source, target }) => ({
        id: `fail-over-${source}-${target}`,
        icon: "right",
        text: `Fail over from ${source} to ${target}…`,
        run: () => openMenu(app, () => failoverMenu(app, source, target), at, "failover"),
      })),
    ],
  };
}
