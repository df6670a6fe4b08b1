/**
 * The page's heartbeat: each frame moves the pictures and draws them; panels hear of changes a few times a second.
 *
 * @import {Player} from "../page/player.js"
 */

const PULSE_MS = 120;
/** a hidden page's clock does not jump, ms */
const FRAME_MS_MAX = 250;
/** a frame that takes longer, painting included, ms: the next one rests, so that an answer does not wait behind both */
const LONG_MS = 10;
/** pictures stand still for so long, ms, while an answer is awaited: drawing keeps it back */
const HOLD_MS = 100;
/** for how long of the viewer's time, in seconds, the cross of a dropped message stays */
const LINGER_S = 0.4;

/**
 * @typedef {object} Page  what a heartbeat keeps going
 * @property {Player[]} players
 * @property {{advance: (wall: number) => void}} travel moves the pictures of all players
 * @property {(t: number) => void} drawDock
 * @property {(wall: number) => void} watch called last in each frame
 */

export class Frames {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.lastPulse = 0;
    this.lastFrame = 0;
    this.drawn = "";
    /**
     * the time of the last frame that was drawn, from its begin to after its painting, ms. Endless until the message
     * that tells it has come: messages wait while frames follow each other, so the answers of the server wait too.
     */
    this.took = 0;
    this.afterPaint = new MessageChannel();
    this.afterPaint.port1.onmessage = () => {
      this.took = performance.now() - this.began;
    };
    /** what each player's panels know of it @type {Map<Player, {index: number, version: number, cursor: unknown}>} */
    this.told = new Map();
  }

  begin() {
    requestAnimationFrame((now) => this.next(now));
  }

  /** @param {number} now ms */
  next(now) {
    this.begin();
    if (this.rests()) return;
    this.began = performance.now();
    this.took = Infinity;
    this.afterPaint.port2.postMessage(0);
    const passed = Math.min(FRAME_MS_MAX, now - (this.lastFrame || now));
    this.lastFrame = now;
    const { page } = this;
    if (page.players.some(({ model }) => !model.cursor)) return;
    page.travel.advance(performance.now());
    for (const player of page.players) this.draw(player, passed);
    this.drawDock(now);
    page.watch(now);
  }

  began = 0;

  /** True while an answer is awaited, and for the frame after a long one, unless `pulseSoon` asked for it. */
  rests() {
    const isLong = this.took > LONG_MS;
    this.took = 0;
    return this.isHeld() || (isLong && this.lastPulse > 0);
  }

  isHeld() {
    return performance.now() < this.heldUntil && this.isAwaited();
  }

  heldUntil = 0;
  isAwaited = () => false;

  /** Nothing is drawn while an answer is awaited, for HOLD_MS at most. @param {() => boolean} isAwaited */
  holdWhile(isAwaited) {
    this.heldUntil = performance.now() + HOLD_MS;
    this.isAwaited = isAwaited;
  }

  /** @param {Player} player @param {number} passed ms */
  draw(player, passed) {
    const { model, page, stage, live } = player;
    if (!model.cursor) return;
    model.cursor.flights.lingerUs = page.speedOf(model) * LINGER_S;
    stage.draw(model.t, passed);
    if (model.following.value) live.noteDrawn();
  }

  /** @param {number} now */
  drawDock(now) {
    const { players } = this.page;
    const t = /** @type {Player} */ (players[0]).model.t;
    const state = `${t} ${players.map(({ model }) => model.trace.version).join(" ")}`;
    if (state !== this.drawn) this.page.drawDock(t);
    this.drawn = state;
    if (now - this.lastPulse < PULSE_MS) return;
    for (const player of players) this.tell(player, now);
  }

  /** Panels of a player hear that its picture has changed. @param {Player} player @param {number} now */
  tell(player, now) {
    const { model } = player;
    const { cursor, trace } = model;
    const seen = this.told.get(player);
    const index = cursor?.index ?? 0;
    if (seen?.index === index && seen.version === trace.version && seen.cursor === cursor) return;
    this.told.set(player, { index, version: trace.version, cursor });
    this.lastPulse = now;
    model.takeSlow();
    model.pulse.value++;
  }

  /** The dock is drawn with the next frame, also while time stands. */
  drawSoon() {
    this.drawn = "";
  }

  /** Tell the changes with the next frame. */
  pulseSoon() {
    this.lastPulse = 0;
  }
}
