/**
 * The moment of the picture and the way it moves: with the room's clock, or loose from it in what has happened.
 *
 * @import {Player} from "./player.js"
 */
import { signal } from "@preact/signals-core";
import { timeOf } from "../facts/row.js";
import { isToPlay, leftSpeed } from "./leaving.js";
import { SPEEDS, stopOf } from "../run/clock.js";
import { read } from "../kit/kit.js";
import { remember } from "./place.js";

const EASES_STORED = "highwater-slow-at-events";
/** a wish this far beyond the newest moment is waited for, us */
const AWAITED_US = 500_000;

/**
 * @typedef {object} Moves  the ways in which keys and buttons move time
 * @property {() => unknown} togglePlay
 * @property {(way: 1 | -1) => unknown} step to the next or previous event
 * @property {() => unknown} stepFact
 * @property {(t: number) => unknown} seek
 * @property {() => unknown} goLive to the newest moment
 * @property {(speed: "auto" | number) => void} setSpeed
 * @property {() => void} [toggleAuto]
 */

export class Travel {
  /** @param {Player} app */
  constructor(app) {
    this.app = app;
    this.eases = signal(read("localStorage", EASES_STORED) === "on");
    /** moment of the link or of the last visit, us @type {number | null} */ this.wantedStart = null;
    /** speed of the last visit @type {"auto" | number | null} */ this.wantedSpeed = null;
  }

  /** The first view is here: go where the link or the last visit was. */
  begin() {
    const { app } = this;
    if (this.wantedStart !== null) app.live.open(this.wantedStart).then(() => this.takeWantedSpeed());
    else if (isToPlay(app)) app.live.command("play");
    if (this.eases.value && app.control.value) app.live.command("ease", { value: true });
    const speed = leftSpeed();
    if (speed !== null && speed !== app.model.roomClock.speed && app.control.value) this.setSpeed(speed);
  }

  /** A viewer who looks back keeps the speed chosen there, whatever the room's clock said meanwhile. */
  takeWantedSpeed() {
    const { model, page } = this.app;
    if (this.wantedSpeed === null || model.following.value) return;
    page.speed.value = this.wantedSpeed;
    model.loose.speed = page.speedLoose;
    remember(this.app);
  }

  /** Put the picture where it belongs at a moment of the wall. @param {number} wall ms */
  advance(wall) {
    const { model, live } = this.app;
    const t = this.momentAt(wall);
    if (model.following.value && model.trace.live && model.cursor?.stretch !== model.trace.live) model.showAt(t);
    else if (!model.showAt(t)) live.fetchMoment(t);
  }

  /** @param {number} wall */
  momentAt(wall) {
    const { model, live, story } = this.app;
    if (model.following.value) return model.follow.at(wall);
    if (live.fetching) {
      model.loose.wall = 0; // time waits for the facts of its moment
      return model.loose.t;
    }
    const t = model.loose.at(wall, model.trace.end, this.eases.value ? story.around(model.loose.t) : null);
    if (model.playing.value && t >= model.trace.end) this.goLive();
    return t;
  }

  /** Leave the room's clock and look at a moment. @param {number} t us */
  seek(t) {
    const { model, page, live, frames } = this.app;
    const end = model.trace.end;
    const to = Math.round(Math.max(0, Math.min(t, end)));
    if (model.following.value) {
      model.following.value = false;
      model.loose.speed = page.speedLoose;
    }
    model.loose.playing = false;
    model.playing.value = false;
    model.loose.t = to;
    live.awaited = -1;
    live.moves++;
    model.waiting.value = t > end + AWAITED_US ? `Waiting for ${(t / 1e6).toFixed(1)} s onward` : "";
    frames.pulseSoon();
    remember(this.app);
  }

  /** @param {number} t @param {number} [seq] of the event to look at */
  goTo(t, seq) {
    const { model, page, story } = this.app;
    model.previous = null;
    this.seek(t);
    const event = seq ? story.eventOf(seq) : null;
    if (event && event.p >= 0 && event.node >= 0)
      page.selection.value = { kind: "replica", id: event.node, p: event.p };
  }

  /** Back to the room's clock. */
  goLive() {
    const { model, live } = this.app;
    if (model.following.value) return;
    model.following.value = true;
    model.playing.value = model.roomClock.playing;
    model.waiting.value = "";
    live.awaited = -1;
    live.moves++;
    model.follow.showAtOnce(model.trace.end);
    remember(this.app);
  }

  togglePlay() {
    const { control, model, page, live } = this.app;
    if (live.togglePlayThere()) return;
    if (model.following.value) return live.steer(model.playing.value ? "pause" : "play");
    if (model.loose.t >= model.trace.end - 1) {
      const speed = page.speed.value; // chosen while looking back: time goes on with it
      this.goLive();
      if (model.playing.value) return;
      if (speed !== model.roomClock.speed && control.value) live.command("speed", { value: speed });
      live.steer("play");
      return;
    }
    model.loose.playing = !model.loose.playing;
    model.loose.wall = 0;
    model.playing.value = model.loose.playing;
  }

  /** To the next or previous event. @param {1 | -1} way */
  step(way) {
    const { model, story, opening } = this.app;
    opening.leave();
    const shown = model.view ? structuredClone(model.view) : null;
    const target = story.nextStop(model.moment, way);
    if (way > 0 && (!target || target.t > model.trace.end || model.following.value)) this.stepRoom({});
    else this.seek(target?.t ?? 0);
    model.previous = shown;
  }

  /** To the next fact of any kind, a single message included. */
  stepFact() {
    const { model, opening } = this.app;
    opening.leave();
    const shown = model.view ? structuredClone(model.view) : null;
    const { t } = model.loose;
    if (model.following.value || t >= model.trace.end - 1) this.stepRoom({ to: "fact" });
    else {
      const stretch = model.cursor?.stretch;
      const row = stretch?.rows.find((one) => timeOf(one) > t);
      this.seek(row ? timeOf(row) : Math.max(t, stretch?.end ?? t) + 1); // beyond what is here the page asks for more
    }
    model.previous = shown;
  }

  /** Let the room's clock step. @param {{to?: "fact"}} how */
  stepRoom(how) {
    this.goLive();
    this.app.live.steer("step", how);
  }

  /** @param {"auto" | number} speed */
  setSpeed(speed) {
    const { model, page, live } = this.app;
    this.wantedSpeed = null; // a link's moment may come later than this choice
    page.speed.value = speed;
    model.loose.speed = page.speedLoose;
    live.setSpeed(speed);
    remember(this.app);
  }

  /** Automatic speed, or the one that is drawn now held. */
  toggleAuto() {
    const { model, page } = this.app;
    this.setSpeed(page.speed.value === "auto" ? /** @type {number} */ (SPEEDS[stopOf(page.speedOf(model))]) : "auto");
  }

  /**
   * Slow down at events, or not: this page when it looks back, and the room's clock where this viewer moves it.
   * @param {boolean} on
   */
  setEases(on) {
    this.eases.value = on;
    localStorage.setItem(EASES_STORED, on ? "on" : "off");
    if (this.app.control.value) this.app.live.command("ease", { value: on });
  }
}
