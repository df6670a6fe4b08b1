/**
 * The playground: puts the parts together and is what they call. Room and trace in, drawn moment out; the intents of
 * keys, menus and buttons.
 *
 * @import {Row} from "./types.js"
 * @import {Event} from "./narrate.js"
 * @import {Selection} from "./model.js"
 */
import { signal } from "@preact/signals-core";
import { SPEEDS } from "./clock.js";
import { Caption } from "./dock/caption.js";
import { STORED as REAL_STORED } from "./dock/real.js";
import { Timeline } from "./dock/timeline.js";
import { drawClock, startTransport } from "./dock/transport.js";
import { must } from "./dom.js";
import { KIND } from "./facts.js";
import { lanesOf, parentOf } from "./family.js";
import { read, toast } from "./kit.js";
import { Opening } from "./opening.js";
import { startKeys } from "./keys.js";
import { LiveRun } from "./live.js";
import { menuFor } from "./menus.js";
import { Model } from "./model.js";
import { Narrator, logTime } from "./narrate.js";
import { lastAt } from "./panel/events.js";
import { startPanel } from "./panel/panel.js";
import { hashTime, remember, restore } from "./place.js";
import { Reading } from "./reading.js";
import { startNotices } from "./notices.js";
import { Script } from "./script.js";
import { startShare } from "./share.js";
import { Stage } from "./stage/stage.js";
import { startPointer } from "./pointer.js";
import { act, carryOn, undo } from "./actions.js";

const PULSE_MS = 120;
/** simulated time for which a dropped message's cross stays, per us/s of speed: 400 ms of the viewer's */
const LINGER_S = 0.4;
const KEYS_STORED = "highwater-single-keys";
const EASES_STORED = "highwater-slow-at-events";

/**
 * @typedef {object} Boot  what the page's template says
 * @property {string} scenario @property {string} room @property {string} socket @property {boolean} owner
 * @property {boolean} frozen @property {number} moment_us @property {string} title @property {string} change
 * @property {number | null} cut_us @property {{id: string, title: string, deleted: boolean} | null} parent
 * @property {boolean} sandbox @property {string} link
 * @property {number | null} row_us  a run of an experiment: when its row was read
 * @property {import("./family.js").Branch[]} branches  that this browser made off this run
 */

export class App {
  /** @param {Boot} boot */
  constructor(boot) {
    this.boot = boot;
    this.title = boot.title;
    this.model = new Model();
    this.model.docId = boot.scenario;
    this.script = new Script(this.model);
    this.control = signal(false);
    this.tab = signal("verdict");
    this.lowerTab = signal("events");
    /** this engine computes another run than the one that was stored */
    this.notice = signal(/** @type {{computed_by: string, today: string} | null} */ (null));
    this.eases = signal(read(localStorage, EASES_STORED) === "on");
    /** a recording's script: the real cluster's steps are drawn */
    this.showsReal = signal(read(localStorage, REAL_STORED) !== "off");
    this.singleKeys = signal(read(localStorage, KEYS_STORED) !== "off");
    this.narrator = new Narrator(this.model.words);
    this.stage = new Stage(this.model, must("stage"), (action) => this.act(action));
    this.timeline = new Timeline(this, /** @type {any} */ (must("timeline")));
    this.caption = new Caption(this, must("caption"));
    this.live = new LiveRun(this);
    this.reading = new Reading(this);
    this.opening = new Opening(this);
    /** details of verdict cards that are open */
    this.opened = signal(/** @type {Set<string>} */ (new Set()));
    this.lastPulse = 0;
    this.lastFrame = 0;
    this.seenIndex = -1;
    this.seenVersion = -1;
    this.seenT = -1;
    /** @type {import("./trace.js").Cursor | null} */ this.seenCursor = null;
  }

  start() {
    startPanel(must("panel"), this);
    startTransport(must("transport"), this);
    startKeys(this);
    startPointer(this);
    startShare(this);
    startNotices(this);
    restore(this);
    this.live.connect();
    requestAnimationFrame((now) => this.frame(now));
  }

  /** The first view is here. */
  onReady() {
    if (this.isReady) return;
    this.isReady = true;
    if (this.wantedStart !== null) this.live.open(this.wantedStart).then(() => this.takeWantedSpeed());
    if (this.eases.value && this.control.value) this.live.command("ease", { value: true });
    document.body.dataset.ready = "yes";
    if (this.boot.sandbox && !this.model.trace.decisive.some((row) => row[2] === KIND.ACTION_DONE)) document.body.dataset.firstVisit = "yes";
  }

  /** A viewer who looks back keeps the speed chosen there, whatever the room's clock said meanwhile. */
  takeWantedSpeed() {
    const { model } = this;
    if (this.wantedSpeed === null || model.following.value) return;
    model.speed.value = this.wantedSpeed;
    model.loose.speed = model.speedLoose;
    remember(this);
  }

  /** speed of the last visit @type {"auto" | number | null} */ wantedSpeed = null;
  /** the last action done on this page @type {{at: number, action: string} | null} */ lastAction = null;
  isReady = false;
  /** moment of the link or of the last visit, us @type {number | null} */ wantedStart = null;

  // --- each frame ---

  /** @param {number} now */
  frame(now) {
    requestAnimationFrame((next) => this.frame(next));
    const passed = Math.min(250, now - (this.lastFrame || now));
    this.lastFrame = now;
    const { model } = this;
    if (!model.cursor) return;
    this.moveTo(this.momentAt(performance.now()));
    model.cursor.flights.lingerUs = model.speedNow * LINGER_S;
    this.stage.draw(model.t, passed);
    if (model.following.value) this.live.noteDrawn();
    this.drawDock(now);
    this.reading.watch(now);
  }

  /** @param {number} wall */
  momentAt(wall) {
    const { model } = this;
    if (model.following.value) return model.follow.at(wall);
    if (this.live.fetching) {
      model.loose.wall = 0; // time waits for the facts of its moment
      return model.loose.t;
    }
    const t = model.loose.at(wall, model.trace.end, this.eases.value ? this.eventsAround(model.loose.t) : null);
    if (model.playing.value && t >= model.trace.end) this.goLive();
    return t;
  }

  /** @param {number} t */
  moveTo(t) {
    const { model } = this;
    if (model.following.value && model.trace.live && model.cursor?.stretch !== model.trace.live) model.showAt(t);
    else if (!model.showAt(t)) this.live.fetchMoment(t);
  }

  /** @param {number} now */
  drawDock(now) {
    const { model } = this;
    const index = model.cursor?.index ?? 0;
    const version = model.trace.version;
    if (model.t !== this.seenT || version !== this.seenVersion) {
      this.timeline.draw(model.t);
      drawClock(this, model.t);
      this.caption.draw(model.t);
    }
    this.seenT = model.t;
    const changed = index !== this.seenIndex || version !== this.seenVersion || model.cursor !== this.seenCursor;
    if (!changed || now - this.lastPulse < PULSE_MS) return;
    this.seenCursor = model.cursor;
    this.seenIndex = index;
    this.seenVersion = version;
    this.lastPulse = now;
    model.takeSlow();
    model.pulse.value++;
  }

  // --- what is known ---

  /** @returns {Event[]} all decisive facts as sentences */
  events() {
    if (this.narrator.read !== this.model.trace.decisive.length || this.narratorVersion !== this.model.trace.version) {
      this.narrator.take(this.model.trace.decisive);
      this.narratorVersion = this.model.trace.version;
    }
    return this.narrator.events;
  }

  narratorVersion = -1;

  /** @param {number} seq @returns {Event | null} */
  eventOf(seq) {
    if (!seq) return null;
    return this.events().find((event) => event.seq === seq) ?? null;
  }

  /** The nearest events with a caption: at or before a moment, and after it. @param {number} t */
  eventsAround(t) {
    const told = this.events().filter((event) => event.caption);
    const at = lastAt(told, t);
    return { last: told[at]?.t ?? -Infinity, next: told[at + 1]?.t ?? Infinity };
  }

  /** @param {number} t */
  eventBefore(t) {
    const events = this.events();
    return events[lastAt(events, t)] ?? null;
  }

  /** Whether nothing had been done to the cluster at a moment. @param {number} t */
  isCalm(t) {
    const first = this.events().find((event) => event.marker);
    return !first || first.t > t;
  }

  lastEventTime() {
    const events = this.events();
    return events[events.length - 1]?.t ?? 0;
  }

  toggleReal() {
    this.showsReal.value = !this.showsReal.value;
    localStorage.setItem(REAL_STORED, this.showsReal.value ? "on" : "off");
    this.timeline.draw(this.model.t);
  }

  get parent() {
    return parentOf(this.boot);
  }

  /** The runs beside this one on the timeline. */
  get lanes() {
    return lanesOf(this.boot);
  }

  get aboutUrl() {
    return `/s/${this.boot.scenario}/about`;
  }

  /** Link to this run at the drawn moment. */
  link() {
    return `${location.origin}${this.boot.link}#t=${hashTime(this.model.moment)}`;
  }

  // --- time ---

  /** Leave the room's clock and look at a moment. @param {number} t us */
  seek(t) {
    const { model } = this;
    const end = model.trace.end;
    const to = Math.round(Math.max(0, Math.min(t, end)));
    if (model.following.value) {
      model.following.value = false;
      model.loose.speed = model.speedLoose;
    }
    model.loose.playing = false;
    model.playing.value = false;
    model.loose.t = to;
    this.live.awaited = -1;
    model.waiting.value = t > end + 500_000 ? `Waiting for ${(t / 1e6).toFixed(1)} s onward` : "";
    this.lastPulse = 0;
    remember(this);
  }

  /** @param {number} t @param {number} [seq] of the event to look at */
  goTo(t, seq) {
    this.model.previous = null;
    this.seek(t);
    const event = seq ? this.eventOf(seq) : null;
    if (event && event.p >= 0 && event.node >= 0) this.model.selection.value = { kind: "replica", id: event.node, p: event.p };
  }

  /** Back to the room's clock. */
  goLive() {
    const { model } = this;
    if (model.following.value) return;
    model.following.value = true;
    model.playing.value = model.roomClock.playing;
    model.waiting.value = "";
    this.live.awaited = -1;
    model.follow.showAtOnce(model.trace.end);
    remember(this);
  }

  togglePlay() {
    const { model } = this;
    if (model.following.value) return this.live.command(model.playing.value ? "pause" : "play");
    if (model.loose.t >= model.trace.end - 1) {
      const speed = model.speed.value; // chosen while looking back: time goes on with it
      this.goLive();
      if (model.playing.value) return;
      if (speed !== model.roomClock.speed) this.live.command("speed", { value: speed });
      this.live.command("play");
      return;
    }
    model.loose.playing = !model.loose.playing;
    model.loose.wall = 0;
    model.playing.value = model.loose.playing;
  }

  /** To the next or previous event. @param {1 | -1} way @param {boolean} [anyFact] */
  step(way, anyFact = false) {
    const { model } = this;
    this.opening.leave();
    const events = this.events();
    const at = lastAt(events, model.t);
    const shown = model.view ? structuredClone(model.view) : null;
    const target = way > 0 ? events[at + 1] : events.filter((event) => event.t < model.t - 1).at(-1);
    if (way > 0 && (!target || target.t > model.trace.end || model.following.value)) {
      this.goLive();
      this.live.command("step", anyFact ? { to: "fact" } : {});
    } else this.seek(target?.t ?? (way < 0 ? 0 : model.trace.end));
    model.previous = shown;
  }

  /** @param {"auto" | number} speed */
  setSpeed(speed) {
    const { model } = this;
    model.speed.value = speed;
    model.loose.speed = model.speedLoose;
    this.live.setSpeed(speed);
    remember(this);
  }

  /** Automatic speed, or the one that is drawn now held. */
  toggleAuto() {
    const { model } = this;
    this.setSpeed(model.speed.value === "auto" ? /** @type {number} */ (SPEEDS[Model.stopOf(model.speedNow)]) : "auto");
  }

  // --- intents ---

  /** @param {string} action */
  act(action) {
    return act(this, action);
  }

  undo() {
    return undo(this);
  }

  carryOn() {
    return carryOn(this);
  }

  /** Open or close the details of a verdict card. @param {string} key @param {boolean} on */
  open(key, on) {
    if (this.opened.value.has(key) === on) return;
    const opened = new Set(this.opened.value);
    if (on) opened.add(key);
    else opened.delete(key);
    this.opened.value = opened;
  }

  /** @param {string} tab */
  showTab(tab) {
    const lower = tab === "events" || tab === "changes";
    if (lower && innerWidth > 720) this.lowerTab.value = tab;
    else this.tab.value = tab;
    remember(this);
  }

  /** @param {Selection | null} selection */
  select(selection) {
    this.model.selection.value = selection;
    remember(this);
  }

  /** @param {Selection} selection @param {Element} anchor */
  openMenuFor(selection, anchor) {
    menuFor(this, selection, anchor.getBoundingClientRect());
  }

  /** Slow down at events, or not: this page when it looks back, and the room's clock where this viewer moves it. @param {boolean} on */
  setEases(on) {
    this.eases.value = on;
    localStorage.setItem(EASES_STORED, on ? "on" : "off");
    if (this.control.value) this.live.command("ease", { value: on });
  }

  /** @param {boolean} on */
  setSingleKeys(on) {
    this.singleKeys.value = on;
    localStorage.setItem(KEYS_STORED, on ? "on" : "off");
  }

  /** @param {string} text @param {boolean} [undoable] */
  say(text, undoable = false) {
    toast(text, undoable ? { label: "Undo", run: () => this.undo() } : undefined);
  }

  /** The fact that a person asks about as it stands in sentences. @param {number} t */
  timeText(t) {
    return `${logTime(t)} s`;
  }
}
