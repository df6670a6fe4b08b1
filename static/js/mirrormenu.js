/**
 * The menu of a process of MirrorMaker.
 *
 * @import {App} from "./app.js"
 * @import {Menu} from "./menus.js"
 */
import { doing, healAll } from "./menus.js";
import { clustersOfProcess, stateWord } from "./mirrors.js";

/** @param {App} app @param {string} name @returns {Menu} */
export function processMenu(app, name) {
  const { names, view } = app.model;
  const state = view ? stateWord(names, view, name) : "";
  const down = state === "down" ? "It is down" : "";
  return { title: `${name}, a process of MirrorMaker`, items: [
    doing(app, `kill ${name}`, { id: "kill", icon: "zap", text: "Kill", why: down }),
    doing(app, `start ${name}`, { id: "start", icon: "play", text: "Start", why: down ? "" : "It runs already" }),
    doing(app, `pause ${name}`, { id: "pause", icon: "pause", text: "Pause", why: state === "running" ? "" : down || "It is paused or starts" }),
    doing(app, `resume ${name}`, { id: "resume", icon: "next", text: "Resume", why: state === "paused" ? "" : "It is not paused" }), null,
    ...clustersOfProcess(names, name).map((cluster) => doing(app, `cut ${name}|${cluster}`, { id: `cut-${cluster}`, icon: "cut", text: `Cut from ${cluster}` })), healAll(app)] };
}
