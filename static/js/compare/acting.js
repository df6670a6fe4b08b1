/**
 * An action of a comparison goes to one run or to all, in all of them or in none. At the newest moment of one's own
 * runs it is an action of theirs; in the past, or where a run is somebody else's, it makes a branch of each.
 *
 * @import {ComparePage} from "./page.js"
 */
import { signal } from "@preact/signals";
import { keep, read, request, toast } from "../kit/kit.js";
import { listed } from "../kit/wording.js";
import { leaveFor } from "../page/leaving.js";
import { hashTime } from "../page/moment.js";
import { keepRedo, redo } from "../page/redo.js";
import { clauses, sentence } from "../words/actionwords.js";
import { logTime } from "../words/narrate.js";
import { goesTo, leftOut, LETTERS, whereText } from "./apart.js";

const STORED = "highwater-act-on-all";
const OFFERED = "highwater-apply-too";

/**
 * @typedef {object} Offer  an action that some sides have, which the others may have too
 * @property {string} link of the comparison
 * @property {number[]} sides that lack it
 * @property {string} action
 * @property {number} at us
 */

export class Acting {
  /** @param {ComparePage} page */
  constructor(page) {
    this.page = page;
    /** what is done on one side is done on the others too */ this.isToAll = signal(
      read("sessionStorage", STORED) !== "off",
    );
    /** the newest action, where not all sides have it */ this.offer = signal(this.kept());
    /** the action that the runs have not answered yet @type {Promise<void>} */ this.underWay = Promise.resolve();
  }

  /** The offer that the page before left here. @returns {Offer | null} */
  kept() {
    const offer = JSON.parse(read("sessionStorage", OFFERED) ?? "null");
    return offer?.link === this.page.boot.link ? offer : null;
  }

  /** @param {boolean} isToAll */
  choose(isToAll) {
    if (isToAll !== this.isToAll.value) this.toggle();
  }

  toggle() {
    this.isToAll.value = !this.isToAll.value;
    keep("sessionStorage", STORED, this.isToAll.value ? "on" : "off");
    toast(
      this.isToAll.value
        ? "An action on one side goes to all sides."
        : "An action goes to the side on which it is chosen, and to no other.",
    );
  }

  /** @param {number} side @returns {string} */
  where(side) {
    return whereText(goesTo(side, "", this.isToAll.value, this.page.players.length), side);
  }

  /** @param {number} side on which it was chosen @param {string} action */
  async act(side, action) {
    const sides = goesTo(side, action, this.isToAll.value, this.page.players.length);
    const next = () => this.done(sides, action);
    this.underWay = this.underWay.then(next, next);
    await this.underWay;
  }

  /** @param {number[]} sides @param {string} action */
  async done(sides, action) {
    const { page } = this;
    if (page.leader.isLeft) return; // an action before this one leads to new runs
    const players = page.players.filter((_, i) => sides.includes(i));
    if (players.some(({ model }) => model.connection.value.state !== "open"))
      return toast("Not done, for a connection is lost. The page connects again by itself; then repeat the action.");
    const isLive = page.travel.isNewest && players.every(({ model }) => model.owner.value);
    this.show(players, action, true);
    try {
      await (isLive ? this.actLive(sides, action) : this.fork(sides, action));
    } catch (problem) {
      page.leader.model.waiting.value = "";
      toast(`Not done. ${/** @type {Error} */ (problem).message}`);
    } finally {
      this.show(players, action, false);
    }
  }

  /** @param {number[]} sides @param {string} action */
  async actLive(sides, action) {
    const { page } = this;
    const json = { do: action, sides, shown_us: Math.round(page.travel.t) };
    let at = Infinity; // until the answer tells
    page.frames.holdWhile(() => page.travel.end < at);
    const told = await (await request(`${page.boot.link}/act`, { method: "POST", json })).json();
    at = told.at_us;
    for (const side of sides) page.players[side]?.model.noteChange(at);
    page.travel.arrive(at);
    const what = `${logTime(at)} s, ${listed(sides.map((i) => String(LETTERS[i])))}: ${this.sentence(sides, action)}`;
    this.keepOffer({ link: page.boot.link, sides: this.leftOut(sides, action), action, at });
    const undo = { label: "Undo", run: () => this.undo(at) };
    const too = { label: this.offerText, run: () => this.applyToOthers() };
    toast(`${what} ${told.said}`.trim(), ...(this.offer.value ? [too, undo] : [undo]));
  }

  /** @param {number[]} sides @param {string} action */
  leftOut(sides, action) {
    return leftOut(sides, action, this.page.players.length);
  }

  /** Keep in mind which sides lack an action; the page that is led to knows it too. @param {Offer} offer */
  keepOffer(offer) {
    const kept = offer.sides.length ? offer : null;
    keep("sessionStorage", OFFERED, JSON.stringify(kept));
    if (offer.link === this.page.boot.link) this.offer.value = kept;
  }

  /** "Apply to B too"; "" where nothing is offered. */
  get offerText() {
    const { value } = this.offer;
    return value ? `Apply to ${listed(value.sides.map((i) => String(LETTERS[i])))} too` : "";
  }

  /** What one side has had is done in the others at the same moment, which may be past. */
  async applyToOthers() {
    const { page } = this;
    const { value } = this.offer;
    if (!value || page.leader.isLeft) return;
    this.offer.value = null;
    try {
      await this.fork(value.sides, value.action, { at: value.at - 1, lacking: [] });
    } catch (problem) {
      this.offer.value = value;
      page.leader.model.waiting.value = "";
      toast(`Not done. ${/** @type {Error} */ (problem).message}`);
    }
  }

  /**
   * @param {number[]} sides
   * @param {string} action
   * @param {{at: number, lacking: number[]}} [when]  at: us; lacking: the sides that lack the action afterwards
   */
  async fork(sides, action, when = { at: Math.round(this.page.travel.t), lacking: this.leftOut(sides, action) }) {
    const { page } = this;
    const { at } = when;
    page.leader.model.waiting.value = "Making the new runs";
    const json = { do: action, sides, shown_us: at, later: "keep", speed: page.page.speed.value };
    const { url } = await (await request(`${page.boot.link}/fork`, { method: "POST", json })).json();
    const names = listed(sides.map((i) => String(LETTERS[i])));
    this.keepOffer({ link: url, sides: when.lacking, action, at: at + 1 });
    const told = `${sides.length > 1 ? "New branches" : "A new branch"} of ${names} from ${logTime(at)} s`;
    leaveFor(page.leader, `${url}#t=${hashTime(at + 1)}`, `${told}: ${this.sentence(sides, action)}`);
  }

  /**
   * Back to before the newest action of all runs, or before the one at `until`, in every run that it went to.
   * @param {number} [until] us
   */
  async undo(until) {
    await this.underWay;
    const { page } = this;
    const { isLeft } = page.leader;
    if (isLeft || !page.isReady) return;
    page.leader.isLeft = true; // a second press means the page that comes
    try {
      const end = Math.max(...page.players.map(({ model }) => model.trace.end));
      const json = { at_us: Math.round(until ?? end), speed: page.page.speed.value };
      const undone = await (await request(`${page.boot.link}/undo`, { method: "POST", json })).json();
      page.leader.isLeft = Boolean(undone.url);
      if (!undone.url) return toast("Nothing to undo: no action of these runs has happened yet.");
      const names = listed(undone.sides.map((/** @type {number} */ i) => String(LETTERS[i])));
      const words = clauses(undone.actions.join(", "), page.players[undone.sides[0]]?.model.words ?? {});
      await keepRedo({ at: undone.url, back: page.link(), words: `${words}, in ${names}.` });
      leaveFor(page.leader, `${undone.url}#t=${hashTime(undone.at_us)}`, `Undone in ${names}: ${words}.`);
    } catch (problem) {
      page.leader.isLeft = false;
      toast(`Not done. ${/** @type {Error} */ (problem).message}`);
    }
  }

  /** Back to the runs that an undo left. */
  redo() {
    return redo(this.page.leader, this.page.boot.link);
  }

  /** @param {number[]} sides @param {string} action */
  sentence(sides, action) {
    const { model } = /** @type {import("./side_player.js").SidePlayer} */ (this.page.players[sides[0] ?? 0]);
    return sentence(action, model.words);
  }

  /**
   * Buttons show at once what was pressed.
   * @param {import("./side_player.js").SidePlayer[]} players
   * @param {string} action
   * @param {boolean} isAsked
   */
  show(players, action, isAsked) {
    for (const { model } of players) {
      const { asked } = model;
      model.asked = isAsked ? [...asked, action] : asked.filter((_, i) => i !== asked.indexOf(action));
      model.pulse.value++;
    }
  }
}
