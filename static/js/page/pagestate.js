/**
 * The choices of a person on this page, whatever run it shows: the selection, the level of detail, the speed, the tabs,
 * the parts that are open and marked. A run is the model's (``model.js``).
 *
 * @import {Level} from "../run/layout.js"
 * @import {Model} from "../run/model.js"
 */
import { signal } from "@preact/signals-core";
import { SPEED_NORMAL } from "../run/clock.js";
import { read } from "../kit/kit.js";

const KEYS_STORED = "highwater-single-keys";
const REAL_STORED = "highwater-real-steps";

/** @typedef {{kind: "broker" | "controller" | "replica" | "topic" | "flight", id: number, p?: number}} Selection */

export class PageState {
  constructor() {
    this.selection = signal(/** @type {Selection | null} */ (null));
    /** the broker under the pointer, or -1 */ this.pointed = -1;
    /** partitions that somebody wants listed, with what they have in common */
    this.listed = signal(/** @type {{title: string, file: string, partitions: number[]} | null} */ (null));
    this.level = signal(/** @type {Level} */ ("logs"));
    this.levelChoice = signal(/** @type {Level | null} */ (null));
    this.speed = signal(/** @type {"auto" | number} */ ("auto"));
    this.tab = signal("verdict");
    this.lowerTab = signal("events");
    /** a span of time that is marked on the timeline, us */
    this.span = signal(/** @type {{from: number, to: number} | null} */ (null));
    /** the metric that is drawn below the timeline, and of whom; "": of all */
    this.plot = signal(/** @type {{metric: string, of: string} | null} */ (null));
    /** details of verdict cards that are open */
    this.opened = signal(/** @type {Set<string>} */ (new Set()));
    /** a recording's script: the real cluster's steps are drawn */
    this.showsReal = signal(read("localStorage", REAL_STORED) !== "off");
    this.singleKeys = signal(read("localStorage", KEYS_STORED) !== "off");
  }

  /**
   * Speed in us per second at which a run is drawn: of its room's clock, or of the viewer who looks back.
   * @param {Model} run
   */
  speedOf(run) {
    if (!run.following.value) return run.loose.speed;
    const speed = this.speed.value;
    return speed === "auto" ? run.roomClock.now_speed || SPEED_NORMAL : speed;
  }

  /** The speed at which a viewer who looks back plays: waits are not skipped there. */
  get speedLoose() {
    const speed = this.speed.value;
    return speed === "auto" ? SPEED_NORMAL : speed;
  }

  /** Open or close the details of a verdict card. @param {string} key @param {boolean} on */
  open(key, on) {
    if (this.opened.value.has(key) === on) return;
    const opened = new Set(this.opened.value);
    if (on) opened.add(key);
    else opened.delete(key);
    this.opened.value = opened;
  }

  /** @param {boolean} on */
  setSingleKeys(on) {
    this.singleKeys.value = on;
    localStorage.setItem(KEYS_STORED, on ? "on" : "off");
  }

  toggleReal() {
    this.showsReal.value = !this.showsReal.value;
    localStorage.setItem(REAL_STORED, this.showsReal.value ? "on" : "off");
  }
}
