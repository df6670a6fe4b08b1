/**
 * One run that a page plays: its room, what is known of it, the moment that is drawn, its stage. The playground is a
 * page of one player, a comparison is a page of several that share a clock.
 */
import { signal } from "@preact/signals-core";
import { request } from "../kit/kit.js";
import { Opening } from "./opening.js";
import { LiveRun } from "./live.js";
import { AlertFeed } from "../run/alerts.js";
import { Model } from "../run/model.js";
import { PageState } from "./pagestate.js";
import { Script } from "../run/script.js";
import { Stage } from "../stage/stage.js";
import { Story } from "../run/story.js";
import { logTime } from "../words/narrate.js";
import { Travel } from "./travel.js";

/**
 * @typedef {object} RunBoot  what a page's template says of a run
 * @property {string} scenario @property {string} room @property {string} socket @property {boolean} owner
 * @property {boolean} frozen @property {number} moment_us @property {string} title @property {string} change
 * @property {number | null} cut_us @property {{id: string, title: string, deleted: boolean} | null} parent
 * @property {string} link
 * @property {string} guest  the signed word of a viewer without a cookie, as in an embedded run; else ""
 *
 * @typedef {object} Acts  what a person may do with a run by keys, pointer and menus
 * @property {(action: string) => unknown} act
 * @property {(selection: import("./pagestate.js").Selection | null) => void} select
 * @property {(tab: string) => void} showTab
 * @property {(text: string) => void} say
 * @property {string} where  the runs that an action goes to, where a page has several; else ""
 * @typedef {Player & Acts} Actor
 *
 * @typedef {object} Beat  the page's heartbeat
 * @property {() => void} begin
 * @property {() => void} pulseSoon tell the changes with the next frame
 * @property {() => void} drawSoon draw the dock with the next frame
 */

export class Player {
  /**
   * @param {RunBoot} boot
   * @param {PageState} page
   * @param {HTMLElement} stage
   * @param {(action: string) => void} act
   * @param {boolean} [isSide] it stands beside others
   */
  constructor(boot, page, stage, act, isSide = false) {
    this.boot = boot;
    this.page = page;
    this.model = new Model();
    this.model.docId = boot.scenario;
    this.script = new Script(this.model);
    this.control = signal(false);
    /** this engine computes another run than the one that was stored */
    this.notice = signal(/** @type {{computed_by: string, today: string} | null} */ (null));
    /** who is in the room */ this.people = signal({ here: 1, owner: false });
    this.story = new Story(this.model);
    this.alerts = new AlertFeed(this, request);
    this.travel = new Travel(this);
    /** the engine's verdict of the drawn moment, where a page asks for it */
    this.told = signal(/** @type {import("../panel/account.js").Account | null} */ (null));
    this.stage = new Stage(this.model, page, stage, act, isSide);
    this.live = new LiveRun(this);
    this.opening = new Opening(this);
    /** what becomes of later actions where an action makes a new run */ this.later = signal(
      /** @type {import("../run/later.js").Choice} */ ("keep"),
    );
  }

  /** @type {Beat} */ frames = { begin: () => {}, pulseSoon: () => {}, drawSoon: () => {} };

  /** another page has been asked for */ isLeft = false;

  /** The first view is here, at a moment in us. @param {number} _t */
  onFirstView(_t) {}

  /** A view is here. */
  onReady() {}

  /** A moment as sentences have it. @param {number} t us */
  timeText(t) {
    return `${logTime(t)} s`;
  }
}
