/**
 * The menu "Fail over": the steps of a runbook in their order, each of them one action. Lose the source or keep it,
 * stop MirrorMaker, create the topics, move producers, move groups.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Item, Menu} from "./menu.js"
 */
import { applicationsOf, missingTopics } from "../run/applications.js";
import { doing } from "./menu.js";
import { killSite } from "./outages.js";
import { processesBetween, stateWord } from "../run/mirrors.js";
import { plural } from "../kit/wording.js";

/** clients that have an item of their own */
const SINGLE_MAX = 6;

/** @param {Actor} app @param {string} from @param {string} to @returns {Menu} */
export function failoverMenu(app, from, to) {
  const { model } = app;
  const { producers, groups } = applicationsOf(model, from);
  const missing = missingTopics(model, from, to);
  const processes = processesBetween(model.names, from, to);
  const down = (/** @type {string} */ name) =>
    model.view && stateWord(model.names, model.view, name) === "down" ? "It is down" : "";
  return {
    title: `Fail over from ${from} to ${to}`,
    items: [
      killSite(app, from, { id: "fail-lose", text: `1. Lose ${from} (or leave it up: a planned move)` }),
      ...processes.map((name) =>
        doing(app, `kill ${name}`, {
          id: `fail-stop-${name}`,
          icon: "power",
          text: `2. Stop ${name}`,
          why: down(name),
        }),
      ),
      ...missing.map(({ name, action }) =>
        doing(app, action, {
          id: `fail-create-${name}`,
          icon: "plus",
          text: `3. Create ${name}, which producers need there`,
        }),
      ),
      null,
      ...moves(app, producers, to, "producer", missing.length ? "Create the topics first" : ""),
      null,
      ...moves(app, groups, to, "group", ""),
    ],
  };
}

/**
 * Each application by itself, and all together.
 * @param {Actor} app
 * @param {string[]} names
 * @param {string} to
 * @param {"producer" | "group"} kind
 * @param {string} why
 * @returns {Item[]}
 */
function moves(app, names, to, kind, why) {
  const icon = "right";
  if (!names.length)
    return [
      { id: `move-${kind}s`, icon, text: `Move ${kind}s to ${to}`, why: `No ${kind} is open here`, run: () => {} },
    ];
  const single = names
    .slice(0, SINGLE_MAX)
    .map((name) =>
      doing(app, `move ${name} ${to}`, { id: `move-${name}`, icon, text: `Move ${kind} ${name} to ${to}`, why }),
    );
  if (names.length < 2) return single;
  return [
    ...single,
    {
      id: `move-${kind}s`,
      icon,
      text: `Move all ${plural(names.length, kind)} to ${to}`,
      why,
      run: () => moveAll(app, names, to),
    },
  ];
}

/** One action after the other. @param {Actor} app @param {string[]} names @param {string} to */
async function moveAll(app, names, to) {
  for (const name of names) await app.act(`move ${name} ${to}`);
}
