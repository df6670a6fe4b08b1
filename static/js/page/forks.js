/**
 * The actions that make a new run: those in the past of one's own run, and in somebody else's. Pure.
 *
 * @import {Player} from "./player.js"
 */

/** a moment so close to the newest one is not in the past, us */
const NEWEST_US = 1000;

/** True if an action at the drawn moment makes a new run. @param {Player} app */
export function forks(app) {
  const { model } = app;
  return !model.owner.value || !(model.following.value || model.moment >= model.trace.end - NEWEST_US);
}
