/**
 * The playground: puts the parts together and is what they call. Room and trace in, drawn moment out; the intents of
 * keys, menus and buttons.
 *
 * @import {Selection} from "../page/pagestate.js"
 */
import { effect, signal } from "@preact/signals-core";
import { Caption } from "../dock/caption.js";
import { startForking } from "../dock/forking.js";
import { Timeline } from "../dock/timeline.js";
import { startTransport } from "../dock/transport.js";
import { must } from "../kit/dom.js";
import { KIND } from "../facts/facts.js";
import { kindOf } from "../facts/row.js";
import { lanesOf, parentOf } from "../page/family.js";
import { request, toast } from "../kit/kit.js";
import { Frames } from "./frames.js";
import { Opening } from "../page/opening.js";
import { startKeys } from "./keys.js";
import { hasOneRow } from "../run/layout.js";
import { LiveRun } from "../page/live.js";
import { menuFor } from "../menus/selected.js";
import { Model } from "../run/model.js";
import { logTime } from "../words/narrate.js";
import { startPanel } from "../panel/panel.js";
import { hashTime } from "../page/moment.js";
import { PageState } from "../page/pagestate.js";
import { remember, restore } from "../page/place.js";
import { Reading } from "../run/reading.js";
import { startNotices } from "../page/notices.js";
import { startPeople } from "../page/people.js";
import { Script } from "../run/script.js";
import { startShare } from "../page/share.js";
import { Stage } from "../stage/stage.js";
import { Story } from "../run/story.js";
import { startPointer } from "./pointer.js";
import { Travel } from "../page/travel.js";
import { act, carryOn, undo } from "../page/actions.js";

/** So long the sandbox's first caption is news, us. */
const LESSON_US = 60_000_000;

/**
 * @typedef {object} Boot  what the page's template says
 * @property {string} scenario @property {string} room @property {string} socket @property {boolean} owner
 * @property {boolean} frozen @property {number} moment_us @property {string} title @property {string} change
 * @property {number | null} cut_us @property {{id: string, title: string, deleted: boolean} | null} parent
 * @property {{fresh: boolean, brief: string, problems: string[], other: string} | null} later  what a branch does with
 *   the later actions of its parent
 * @property {boolean} sandbox @property {string} link
 * @property {boolean} row  a run of an experiment: its row was read at the end of its document
 * @property {import("../page/family.js").Branch[]} branches  that this browser made off this run
 * @property {import("../run/clientsettings.js").ClientKeys} client_keys
 */

export class App {
  /** @param {Boot} boot */
  constructor(boot) {
    this.boot = boot;
    this.title = boot.title;
    this.page = new PageState();
    this.model = new Model();
    this.model.docId = boot.scenario;
    this.script = new Script(this.model);
    this.control = signal(false);
    /** this engine computes another run than the one that was stored */
    this.notice = signal(/** @type {{computed_by: string, today: string} | null} */ (null));
    this.story = new Story(this.model);
    this.travel = new Travel(this);
    this.frames = new Frames(this);
    this.stage = new Stage(this.model, this.page, must("stage"), (action) => this.act(action));
    this.timeline = new Timeline(this, /** @type {any} */ (must("timeline")));
    this.caption = new Caption(this, must("caption"));
    this.live = new LiveRun(this);
    this.reading = new Reading(this, request);
    this.opening = new Opening(this);
    /** who is in the room */ this.people = signal({ here: 1, owner: false });
    /** what becomes of later actions where an action makes a new run */ this.later = signal(
      /** @type {import("../run/later.js").Choice} */ ("keep"),
    );
  }

  start() {
    startPanel(must("panel"), this);
    startTransport(must("transport"), this);
    startForking(must("caption"), this);
    startKeys(this);
    startPointer(this);
    startShare(this);
    startPeople(must("people"), this);
    startNotices(this);
    restore(this);
    effect(() => {
      if (this.page.listed.value) this.showTab("inspect");
    });
    addEventListener("pagehide", () => this.live.room.leave());
    addEventListener("pageshow", (event) => {
      // Back may bring the page as it was left
      this.isLeft = false;
      if (event.persisted) this.live.connect();
    });
    this.live.connect();
    requestAnimationFrame((now) => this.frames.next(now));
  }

  /** A sandbox that comes back long after it was begun: its first lesson is over. @param {number} t us */
  onFirstView(t) {
    if (!this.boot.sandbox || t < LESSON_US) return;
    this.script.fromUs = t;
    toast(`Your sandbox as you left it, at ${this.timeText(t)}.`, {
      label: "New sandbox",
      run: () => {
        location.href = "/play?new=1";
      },
    });
  }

  /** The first view is here. */
  onReady() {
    if (this.isReady) return;
    this.isReady = true;
    this.travel.begin();
    document.body.dataset.ready = "yes";
    if (this.boot.sandbox && !this.model.trace.decisive.some((row) => kindOf(row) === KIND.ACTION_DONE))
      document.body.dataset.firstVisit = "yes";
  }

  /** the action that the room has not answered yet @type {Promise<void>} */ acting = Promise.resolve();
  /** another page has been asked for */ isLeft = false;
  isReady = false;

  toggleReal() {
    this.page.toggleReal();
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

  // --- intents ---

  /** Mark a span of time on the timeline; none: the mark goes. @param {{from: number, to: number} | null} span us */
  markSpan(span) {
    this.page.span.value = span;
    this.frames.drawSoon();
  }

  /** @param {string} action */
  act(action) {
    return act(this, action);
  }

  /** @param {number} [until] the action at this moment, us; else the newest one */
  undo(until) {
    return undo(this, until);
  }

  carryOn() {
    return carryOn(this);
  }

  /** @param {string} tab */
  showTab(tab) {
    const lower = tab === "events" || tab === "changes";
    if (lower && !hasOneRow(innerWidth, innerHeight)) this.page.lowerTab.value = tab;
    else this.page.tab.value = tab;
    remember(this);
  }

  /** @param {Selection | null} selection */
  select(selection) {
    this.page.selection.value = selection;
    remember(this);
  }

  /** @param {Selection} selection @param {Element} anchor */
  openMenuFor(selection, anchor) {
    menuFor(this, selection, anchor.getBoundingClientRect());
  }

  /** @param {string} text @param {number} [doneUs] of the action that it tells of, which can be undone */
  say(text, doneUs) {
    toast(text, doneUs === undefined ? undefined : { label: "Undo", run: () => this.undo(doneUs) });
  }

  /** A moment as sentences have it. @param {number} t us */
  timeText(t) {
    return `${logTime(t)} s`;
  }
}
