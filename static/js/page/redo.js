/**
 * Redo: an undo leaves a run as it is, and a redo goes back to it. It does so while nothing was done, by anybody, in
 * the run that the undo led to. What can be redone is kept in this tab.
 *
 * @typedef {object} Left  what an undo left
 * @property {string} at the address of the run that it led to, or of the comparison
 * @property {string} back the address that was left, with its moment
 * @property {number} done the number of actions in the timelines of what it led to
 * @property {string} words what is done again, in words
 */
import { keep, read, request, toast } from "../kit/kit.js";
import { leaveFor } from "./leaving.js";

const STORED = "highwater-redo";
const LEFT_MAX = 100;

/** @returns {Left[]} newest first */
const kept = () => JSON.parse(read("sessionStorage", STORED) ?? "[]");

/** Keep the way back of an undo. @param {Omit<Left, "done">} left */
export async function keepRedo(left) {
  const all = [{ ...left, done: await actionsIn(left.at) }, ...kept().filter(({ at }) => at !== left.at)];
  keep("sessionStorage", STORED, JSON.stringify(all.slice(0, LEFT_MAX)));
}

/**
 * Back to what the undo left that led to this page.
 * @param {import("./player.js").Player} app
 * @param {string} at the address of the run, or of the comparison
 */
export async function redo(app, at) {
  if (app.isLeft) return;
  const left = kept().find((one) => one.at === at);
  if (!left) return toast("Nothing to redo: no undo led to this page.");
  app.isLeft = true; // a second press means the page that comes
  try {
    if ((await actionsIn(at)) === left.done) return leaveFor(app, left.back, `Done again: ${left.words}`);
    toast("Nothing to redo: something was done here after the undo.");
  } catch (problem) {
    toast(`Not done: ${/** @type {Error} */ (problem).message}`);
  }
  app.isLeft = false;
}

/** The number of actions in the timelines of a run, or of those of a comparison. @param {string} at its address */
async function actionsIn(at) {
  const runs = String(at.split("/").at(-1)).split("..");
  const all = await Promise.all(runs.map(async (run) => (await request(`/s/${run}.json`)).json()));
  return all.reduce((sum, { timeline = [] }) => sum + timeline.length, 0);
}
