/**
 * The events of the run so far: the decisive facts that the page knows, told once.
 *
 * @import {Event} from "../words/narrate.js"
 * @import {Model} from "./model.js"
 */
import { KIND } from "../facts/facts.js";
import { readActionDone } from "../facts/decisive.js";
import { kindOf, seqOf, timeOf } from "../facts/row.js";
import { Narrator } from "../words/narrate.js";
import { QUIET_US } from "../words/verdictwords.js";

export class Story {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.narrator = new Narrator(model.words);
    this.version = -1;
  }

  /** @returns {Event[]} all decisive facts as sentences */
  events() {
    const { trace } = this.model;
    if (this.narrator.read !== trace.decisive.length || this.version !== trace.version) {
      this.narrator.take(trace.decisive);
      this.version = trace.version;
    }
    return this.narrator.events;
  }

  /** @param {number} seq @returns {Event | null} */
  eventOf(seq) {
    if (!seq) return null;
    return this.events().find((event) => event.seq === seq) ?? null;
  }

  /**
   * The event that a figure goes back to: its fact; for one direction of a link, the action that cut or slowed it with
   * others.
   * @param {number} seq
   * @returns {Event | null}
   */
  decidingOf(seq) {
    const event = this.eventOf(seq);
    return (event?.ends.length ? this.eventOf(event.cause) : null) ?? event;
  }

  /**
   * The action that an event goes back to, else the event that began it all.
   * @param {Event} event
   * @returns {Event}
   */
  rootOf(event) {
    let root = event;
    for (let cause = this.eventOf(root.cause); cause; cause = this.eventOf(root.cause)) root = cause;
    return root;
  }

  /**
   * Likewise of a death, with what others did that other processes died of at the same instant.
   * @param {Event} event
   * @returns {Event[]}
   */
  rootsOf(event) {
    const root = this.rootOf(event);
    if (event.part !== "death") return [root];
    const others = this.events()
      .filter((one) => one.t === event.t && one.part === "death")
      .map((one) => this.rootOf(one));
    return [root, ...others]
      .filter((one, i, all) => one.t === root.t && all.findIndex((other) => other.seq === one.seq) === i)
      .sort((a, b) => a.seq - b.seq);
  }

  /**
   * The action of somebody at a moment, by its words in the timeline.
   * @param {number} t
   * @param {string} action
   * @returns {number} the number of its fact, 0 for none
   */
  actionAt(t, action) {
    const row = this.model.trace.decisive.find(
      (one) => timeOf(one) === t && kindOf(one) === KIND.ACTION_DONE && readActionDone(one).text === action,
    );
    return row ? seqOf(row) : 0;
  }

  /** The nearest events with a caption: at or before a moment, and after it. @param {number} t */
  around(t) {
    const told = this.events().filter((event) => event.caption);
    const at = lastAt(told, t);
    return { last: told[at]?.t ?? -Infinity, next: told[at + 1]?.t ?? Infinity };
  }

  /** @param {number} t */
  before(t) {
    const events = this.events();
    return events[lastAt(events, t)] ?? null;
  }

  /**
   * The next or previous stop from a moment: an event that is not the mere consequence of another.
   * @param {number} t
   * @param {1 | -1} way
   */
  nextStop(t, way) {
    const stops = this.events().filter((event) => !event.minor);
    return way > 0 ? stops.find((event) => event.t > t) : stops.findLast((event) => event.t < t - 1);
  }

  /** True if nothing had been done to the cluster at a moment. @param {number} t */
  isCalm(t) {
    const first = this.events().find((event) => event.marker);
    return !first || first.t > t;
  }

  /** True if nothing has happened for so long that the consequences of an action are over. @param {number} t us */
  isSettled(t) {
    const last = this.before(t);
    return !last || t - last.t >= QUIET_US;
  }
}

/** Index of the last event at or before t. @param {Event[]} events @param {number} t */
export function lastAt(events, t) {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (/** @type {Event} */ (events[middle]).t <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
