/** Events that say the same of many partitions, as one line of the log. Pure. */

/** @import {Event} from "./narrate.js" */

/**
 * Events at one place in time that say the same of many partitions, as one line.
 * @param {Event[]} events
 * @param {number} most  how many of a kind stand alone
 * @returns {{event: Event, more: Event[]}[]}
 */
export function grouped(events, most = 4) {
  /** @type {{event: Event, more: Event[]}[]} */ const lines = [];
  let run = 0;
  for (const event of events) {
    const last = lines[lines.length - 1];
    const alike = last && last.event.icon === event.icon && last.event.rule === event.rule && event.p >= 0 && event.t - last.event.t < 20_000;
    run = alike ? run + 1 : 0;
    if (alike && run >= most) last.more.push(event);
    else lines.push({ event, more: [] });
  }
  return lines;
}
