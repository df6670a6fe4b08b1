/**
 * The reading of a loss: what decided it, checked, and why each record was lost. The server repeats the run for it, so
 * it is asked for when time stands still on a loss or a stop, or when somebody opens its story; never while time runs
 * by.
 *
 * @import {App} from "../app/app.js"
 */
import { signal } from "@preact/signals-core";
import { KIND } from "../facts/facts.js";
import { kindOf, timeOf } from "../facts/row.js";

/** time must have stood still for so long before a reading is asked for by itself */
const STILL_MS = 500;

/**
 * @typedef {{index: number, at_us: number, text: string, lost_with: number, lost_without: number, tried: number,
 *   without: string}} Decision  without: how the check left the action out
 * @typedef {{seq: number, t: number, role: string, text: string, rules: string[], decides: boolean}} ChainLink
 * @typedef {{topic: string, partition: string, count: number, epoch: number, acks: string, links: ChainLink[], alike:
 *   {partition: string, count: number}[]}} Chain
 * @typedef {Record<string, any>} Plain
 * @typedef {{at_us: number, text: string, words: string[]}} Incident  a fault, with its RPO and RTO in words
 * @typedef {{at_us: number, verdict: {topics: Plain[], theta_us: number}, decided: Record<string, Decision | null>,
 *   undecided: Record<string, {words: string}>, stops: Record<string, Stop>, chains: Chain[], untold: number,
 *   incidents: Incident[], untold_incidents: number, longest: import("../words/stopbar.js").Longest | null, luck?:
 *   Luck[]}} Answer
 * @typedef {{what: string, amount: number, amount_without: number, at_us: number, text: string, is_named: boolean,
 *   words: string, kept_up: string, without: string}} Stop  what a stop goes back to, checked; not is_named: the action
 *   of text, and not what the verdict names; kept_up: moment and text of a further cause, or ""
 * @typedef {{at_us: number, do: string, instead_of_us: number, lost: Record<string, number>, words: string}} Luck  an
 *   action that would have lost records at another moment
 * @typedef {{answer: Answer, actions: number}} Known  an answer, and how many actions it takes into account
 * @typedef {{known: Known | null, busy: boolean, problem: string}} State
 */

export class Reading {
  /** @param {App} app @param {(url: string) => Promise<Response>} request */
  constructor(app, request) {
    this.app = app;
    this.request = request;
    this.state = signal(/** @type {State} */ ({ known: null, busy: false, problem: "" }));
    this.asked = ""; // the moment that was asked for last
    this.still = { key: "", since: 0 };
  }

  /** Called each frame: ask once time stands still on a loss or a stop. @param {number} now wall ms */
  watch(now) {
    const { model } = this.app;
    if (this.isMoving()) {
      this.still.since = 0;
      return;
    }
    const key = `${model.t}|${model.trace.version}`;
    if (this.still.since === 0 || this.still.key !== key) this.still = { key, since: now };
    else if (
      now - this.still.since > STILL_MS &&
      this.still.key !== this.asked &&
      !this.state.value.busy &&
      this.hasCause()
    ) {
      this.asked = key;
      this.ask();
    }
  }

  isMoving() {
    const { model } = this.app;
    return model.following.value ? model.playing.value : model.loose.playing || Boolean(this.app.live.fetching);
  }

  /**
   * True if the run may have a cause to tell: after any action, or with records lost or vanished. Of several clusters
   * nobody can ask yet.
   */
  hasCause() {
    if (this.app.model.sites.length) return false;
    return (
      this.actionsUpTo(this.app.model.t) > 0 ||
      Object.values(this.app.model.view?.verdict ?? {}).some(
        (figures) => (figures.lost ?? 0) > 0 || (figures.vanished ?? 0) > 0 || (figures.deciding ?? 0) > 0,
      )
    );
  }

  /** Ask for the moment drawn now, unless its answer is here or under way. */
  async ask() {
    const { model, boot } = this.app;
    const at = Math.round(model.t);
    const actions = this.actionsUpTo(at);
    const { known, busy } = this.state.value;
    if (busy || (known?.answer.at_us === at && known.actions === actions)) return;
    this.state.value = { known, busy: true, problem: "" };
    try {
      const reply = await this.request(`/s/${encodeURIComponent(boot.scenario)}/why?at_us=${at}`);
      this.state.value = { known: { answer: await reply.json(), actions }, busy: false, problem: "" };
    } catch (problem) {
      this.state.value = { known, busy: false, problem: problem instanceof Error ? problem.message : String(problem) };
    }
  }

  /** The number of actions that the run has seen by a moment: its timeline's version there. @param {number} t */
  actionsUpTo(t) {
    let count = 0;
    for (const row of this.app.model.trace.decisive) {
      if (timeOf(row) > t) break;
      if (kindOf(row) === KIND.ACTION_DONE) count++;
    }
    return count;
  }

  /** The answer, where the run has seen no other action by then. @returns {Answer | null} */
  get answer() {
    const { known } = this.state.value;
    return known &&
      known.actions === this.actionsUpTo(known.answer.at_us) &&
      known.actions === this.actionsUpTo(this.app.model.t)
      ? known.answer
      : null;
  }

  /**
   * The check of what a topic's stop goes back to; null while nobody has checked it at the moment drawn.
   * @param {string} topic
   * @returns {Stop | null}
   */
  stopOf(topic) {
    return this.answer && this.answer.at_us === Math.round(this.app.model.t)
      ? (this.answer.stops?.[topic] ?? null)
      : null;
  }

  /**
   * The findings on a topic's loss; null while nobody has checked this very loss.
   * @param {string} topic
   * @param {number} lost
   * @returns {{decision: Decision | null, undecided: string, chains: Chain[], at: number} | null}
   */
  lossOf(topic, lost) {
    const { answer } = this;
    const told = answer?.verdict.topics.find((one) => one.topic === topic);
    if (!answer || !told || told.lost !== lost) return null;
    return {
      decision: answer.decided[topic] ?? null,
      undecided: answer.undecided[topic]?.words ?? "",
      chains: answer.chains.filter((chain) => chain.topic === topic),
      at: answer.at_us,
    };
  }
}
