/**
 * The menu of a process of MirrorMaker.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Menu} from "./menu.js"
 */
import { failoverMenu } from "./failovers.js";
import { healAll } from "./links.js";
import { doing, openMenu } from "./menu.js";
import { plural } from "../kit/wording.js";
import { clustersOfProcess, flowsOf, isProcessCut, stateWord, storedOffsets } from "../run/mirrors.js";

/** @param {Actor} app @param {string} name @param {{left: number, bottom: number}} at where it opens @returns {Menu} */
export function processMenu(app, name, at) {
  const { names, view } = app.model;
  const state = view ? stateWord(names, view, name) : "";
  const down = state === "down" ? "It is down" : "";
  return {
    title: `${name}, a process of MirrorMaker`,
    items: [
      doing(app, `kill ${name}`, { id: "kill", icon: "zap", why: down }),
      doing(app, `start ${name}`, {
        id: "start",
        icon: "play",
        why: down ? "" : "It runs already",
        price: down ? priceOfStart(app, name) : "",
      }),
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
      ...offsetsOf(app, name).map(({ name: topic, topic: place, again }) =>
        doing(app, `delete ${topic}`, {
          id: `delete-offsets-${topic}`,
          icon: "trash",
          text: `Delete its stored offsets: ${topic}`,
          why: place < 0 ? "They are deleted" : "",
          price: place < 0 ? "" : `${down ? "Its" : "It goes on from memory; its"} next process ${copiesAgain(again)}.`,
        }),
      ),
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

/** The topics of stored offsets of a process (MM-11). @param {Actor} app @param {string} process */
const offsetsOf = ({ model }, process) => (model.view ? storedOffsets(model.names, model.view, process) : []);

/** What a start copies again, for want of stored offsets. @param {Actor} app @param {string} process */
function priceOfStart(app, process) {
  const again = offsetsOf(app, process).reduce((sum, one) => sum + (one.topic < 0 ? one.again : 0), 0);
  return again ? `It has no stored offsets: it ${copiesAgain(again)}.` : "";
}

/** @param {number} records */
const copiesAgain = (records) =>
  `copies ${plural(records, "record")} again, from the earliest on, which then stand twice on the target`;
