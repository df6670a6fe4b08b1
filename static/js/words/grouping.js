/** Events that say the same as one line of the log: of many partitions, or an action and its fact. Pure. */

/** @import {Event} from "./narrate.js" */

/**
 * @typedef {{event: Event, more: Event[], echoes: Event[]}} Line  `echoes`: facts that say what the action `event` says
 */

/**
 * Events at one place in time that say the same of many partitions, as one line; an action and the fact that says the
 * same likewise.
 * @param {Event[]} events
 * @param {number} most  how many of a kind stand alone
 * @returns {Line[]}
 */
export function grouped(events, most = 4) {
  /** @type {Line[]} */ const lines = [];
  let run = 0;
  for (const event of events) {
    const action = event.echo ? lines.findLast((line) => line.event.seq === event.echo) : undefined;
    if (action) {
      action.echoes.push(event);
      continue;
    }
    const last = lines[lines.length - 1];
    const alike =
      last &&
      last.event.icon === event.icon &&
      last.event.rule === event.rule &&
      event.p >= 0 &&
      event.t - last.event.t < 20_000;
    run = alike ? run + 1 : 0;
    if (alike && run >= most) last.more.push(event);
    else lines.push({ event, more: [], echoes: [] });
  }
  return lines;
}
