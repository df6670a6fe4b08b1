/**
 * The page's heartbeat: each frame moves the picture and draws it; panels hear of changes a few times a second.
 *
 * @import {App} from "./app.js"
 */
import { drawClock } from "../dock/transport.js";

const PULSE_MS = 120;
/** a hidden page's clock does not jump, ms */
const FRAME_MS_MAX = 250;
/** for how long of the viewer's time, in seconds, the cross of a dropped message stays */
const LINGER_S = 0.4;

export class Frames {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.lastPulse = 0;
    this.lastFrame = 0;
    this.seen = {
      index: -1,
      version: -1,
      t: -1,
      cursor: /** @type {import("../fold/trace.js").Cursor | null} */ (null),
    };
  }

  /** @param {number} now ms */
  next(now) {
    requestAnimationFrame((then) => this.next(then));
    const passed = Math.min(FRAME_MS_MAX, now - (this.lastFrame || now));
    this.lastFrame = now;
    const { app } = this;
    const { model, page } = app;
    if (!model.cursor) return;
    app.travel.advance(performance.now());
    model.cursor.flights.lingerUs = page.speedOf(model) * LINGER_S;
    app.stage.draw(model.t, passed);
    if (model.following.value) app.live.noteDrawn();
    this.drawDock(now);
    app.reading.watch(now);
  }

  /** @param {number} now */
  drawDock(now) {
    const { app, seen } = this;
    const { model } = app;
    const { cursor } = model;
    const index = cursor?.index ?? 0;
    const version = model.trace.version;
    if (model.t !== seen.t || version !== seen.version) {
      app.timeline.draw(model.t);
      drawClock(app, model.t);
      app.caption.draw(model.t);
    }
    seen.t = model.t;
    const changed = index !== seen.index || version !== seen.version || cursor !== seen.cursor;
    if (!changed || now - this.lastPulse < PULSE_MS) return;
    Object.assign(seen, { cursor, index, version });
    this.lastPulse = now;
    model.takeSlow();
    model.pulse.value++;
  }

  /** The dock is drawn with the next frame, also while time stands. */
  drawSoon() {
    this.seen.t = -1;
  }

  /** Tell the changes with the next frame. */
  pulseSoon() {
    this.lastPulse = 0;
  }
}
