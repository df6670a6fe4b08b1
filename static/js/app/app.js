/**
 * The playground: puts the parts together and is what they call. Room and trace in, drawn moment out; the intents of
 * keys, menus and buttons.
 *
 * @import {Selection} from "../page/pagestate.js"
 */
import { effect } from "@preact/signals-core";
import { Caption } from "../dock/caption.js";
import { startForking } from "../dock/forking.js";
import { Timeline } from "../dock/timeline.js";
import { drawClock, startTransport } from "../dock/transport.js";
import { must } from "../kit/dom.js";
import { KIND } from "../facts/facts.js";
import { kindOf } from "../facts/row.js";
import { lanesOf, parentOf } from "../page/family.js";
import { request, toast } from "../kit/kit.js";
import { Frames } from "./frames.js";
import { startKeys } from "./keys.js";
import { hasOneRow } from "../run/layout.js";
import { menuFor } from "../menus/selected.js";
import { startPanel } from "../panel/panel.js";
import { hashOf } from "../page/moment.js";
import { PageState } from "../page/pagestate.js";
import { remember, restore } from "../page/place.js";
import { Player } from "../page/player.js";
import { Reading } from "../run/reading.js";
import { startNotices } from "../page/notices.js";
import { startAlerting } from "../page/alerting.js";
import { startPeople } from "../page/people.js";
import { startComparing } from "../page/comparing.js";
import { startShare } from "../page/share.js";
import { startPointer } from "./pointer.js";
import { act, carryOn, undo } from "../page/actions.js";
import { redo } from "../page/redo.js";

/** So long the sandbox's first caption is news, us. */
const LESSON_US = 60_000_000;

/**
 * @typedef {object} PageBoot  what the playground's template says beside the run
 * @property {{fresh: boolean, brief: string, problems: string[], other: string} | null} later  what a branch does with
 *   the later actions of its parent
 * @property {boolean} sandbox
 * @property {boolean} row  a run of an experiment: its row was read at the end of its document
 * @property {import("../page/family.js").Branch[]} branches  that this browser made off this run
 * @property {import("../run/clientsettings.js").ClientKeys} client_keys
 * @property {string[]} versions  Kafka versions that a cluster may run
 * @property {string[]} topic_keys  settings of topics that the engine obeys
 * @property {Record<string, boolean>} elr  versions that have ELR, and whether it is on by default
 * @typedef {import("../page/player.js").RunBoot & PageBoot} Boot
 */

export class App extends Player {
  /** @param {Boot} boot */
  constructor(boot) {
    super(boot, new PageState(), must("stage"), (action) => this.act(action));
    this.boot = boot;
    this.title = boot.title;
    /** the runs of the page */ this.players = [this];
    this.showsAlerts = true;
    /** @type {import("../page/player.js").Beat} */ this.frames = new Frames(this);
    this.timeline = new Timeline(this, /** @type {any} */ (must("timeline")));
    this.caption = new Caption(this, must("caption"));
    this.reading = new Reading(this, request);
  }

  start() {
    startPanel(must("panel"), this);
    startTransport(must("transport"), this);
    startForking(must("caption"), this);
    startKeys(this);
    startPointer(this);
    startShare(this);
    startComparing(this);
    startAlerting(this);
    startPeople(must("people"), this);
    startNotices(this);
    restore(this);
    effect(() => {
      if (this.page.listed.value) this.showTab("inspect");
    });
    effect(() => {
      if (!this.page.plot.value) return;
      this.frames.drawSoon();
      import("../dock/plot.js").then(
        ({ showPlot }) => showPlot(this),
        () => toast("The plot could not be loaded. Load the page again."),
      );
    });
    addEventListener("pagehide", () => this.live.room.leave());
    addEventListener("pageshow", (event) => {
      // Back may bring the page as it was left
      this.isLeft = false;
      if (event.persisted) this.live.connect();
    });
    this.live.connect();
    this.frames.begin();
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
  isReady = false;

  /** @param {number} t us */
  drawDock(t) {
    this.timeline.draw(t);
    if (this.page.plot.value) must("plot").style.setProperty("--at", `${Math.round(this.timeline.x(t))}px`);
    drawClock(this, t);
    this.caption.draw(t);
  }

  /** After each frame. @param {number} wall ms */
  watch(wall) {
    this.reading.watch(wall);
    this.alerts.watch(wall);
  }

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
    return `${location.origin}${this.boot.link}${hashOf(this.model.moment, this.page.levelChoice.value)}`;
  }

  // --- intents ---

  /** an action goes to the one run of this page */ where = "";

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

  redo() {
    return redo(this, this.boot.link);
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
    toast(text, ...(doneUs === undefined ? [] : [{ label: "Undo", run: () => this.undo(doneUs) }]));
  }
}
