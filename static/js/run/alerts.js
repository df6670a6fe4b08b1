/**
 * The alerts of a run: fetched when the run has passed a scrape, and as bars of the timeline.
 *
 * @import {Player} from "../page/player.js"
 */
import { computed, signal } from "@preact/signals-core";

/** as long as time runs, the server is asked at most so often */
const ASK_MS = 1000;
export const NEVER = -1;

/**
 * Times in us, -1 for what has not come; `series` is "" for a metric that is added up.
 * @typedef {{rule: number, series: string, pending_us: number, firing_us: number, ended_us: number}} AlertSpan
 * @typedef {{name: string, metric: string, of: string | null, comparison: string, figure: number, for: string, words:
 *   string, state: "inactive" | "pending" | "firing"}} AlertRule
 * @typedef {{from_us: number, to_us: number, text: string, lost: number}} AlertIncident
 * @typedef {{scrape_us: number, scrape: string, sentence: string, rules: AlertRule[], spans: AlertSpan[], untold:
 *   number, unseen: AlertIncident[], untold_unseen: number, idle: AlertSpan[], untold_idle: number}} Alerts
 * @typedef {{at_us: number, alerts: Alerts, file: string, metrics: string[]}} AlertsAnswer
 * @typedef {{from: number, to: number, isFiring: boolean, name: string}} Bar  us
 */

/** Keeps the newest answer on a run's alerts. */
export class AlertFeed {
  /** @param {Player} player @param {(url: string) => Promise<Response>} request */
  constructor(player, request) {
    this.player = player;
    this.request = request;
    this.answer = signal(/** @type {AlertsAnswer | null} */ (null));
    /** the answer as bars of the timeline */ this.bars = computed(() => {
      const { value } = this.answer;
      return value ? barsOf(value.alerts, value.at_us) : [];
    });
    /** how often the run had gone back when it was last looked at */ this.returns = player.model.trace.returns;
    this.isBusy = false;
    this.asked = Number.NEGATIVE_INFINITY;
  }

  /**
   * Called each frame: ask again once the run has passed the next scrape. Where the run went back, the answer is of a
   * future that is gone: drop it.
   * @param {number} wall ms
   */
  watch(wall) {
    const { model } = this.player;
    if (this.returns !== model.trace.returns) this.startAnew();
    if (this.isBusy || !model.ready.value || wall - this.asked < ASK_MS) return;
    if (this.answer.value && model.trace.end < nextScrape(this.answer.value)) return;
    this.asked = wall;
    this.ask();
  }

  startAnew() {
    this.returns = this.player.model.trace.returns;
    this.asked = Number.NEGATIVE_INFINITY;
    this.answer.value = null;
  }

  async ask() {
    this.isBusy = true;
    const { boot, model } = this.player;
    const { returns } = model.trace;
    try {
      const answer = await (await this.request(`/rooms/${encodeURIComponent(boot.room)}/alerts`)).json();
      if (returns === model.trace.returns) this.answer.value = answer;
      this.player.frames.drawSoon();
    } catch {
      // the next second asks again; the verdict says what is wrong with the connection
    }
    this.isBusy = false;
  }
}

/** The moment of the next scrape that an answer does not know; never without rules. @param {AlertsAnswer} answer */
export function nextScrape({ at_us: at, alerts }) {
  if (!alerts.rules.length) return Number.POSITIVE_INFINITY;
  return (Math.floor(at / alerts.scrape_us) + 1) * alerts.scrape_us;
}

/**
 * The times in which each rule was pending, then those in which it fired; its series together.
 * @param {Alerts} alerts
 * @param {number} now us: the end of what goes on
 * @returns {Bar[]}
 */
export function barsOf({ rules, spans }, now) {
  const end = (/** @type {AlertSpan} */ span) => (span.ended_us === NEVER ? now : span.ended_us);
  return [false, true].flatMap((isFiring) =>
    rules.flatMap(({ name }, rule) => {
      const own = spans.filter((span) => span.rule === rule && (!isFiring || span.firing_us !== NEVER));
      const times = own.map((span) => ({ from: isFiring ? span.firing_us : span.pending_us, to: end(span) }));
      return joined(times).map((time) => ({ ...time, isFiring, name }));
    }),
  );
}

/** Times that overlap, made one. @param {{from: number, to: number}[]} times */
function joined(times) {
  /** @type {{from: number, to: number}[]} */ const found = [];
  for (const { from, to } of [...times].sort((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}

/**
 * What a document has in `alerts`. A rule leaves out what is the default.
 * @param {string} scrape
 * @param {{name: string, metric: string, of: string, comparison: string, figure: string, for: string}[]} rules
 *   as typed
 */
export const writtenAlerts = (scrape, rules) => ({
  scrape,
  rules: rules.map((rule) => ({
    name: rule.name.trim(),
    metric: rule.metric,
    ...(rule.of.trim() && { of: rule.of.trim() }),
    comparison: rule.comparison,
    figure: rule.figure.trim() === "" ? null : Number(rule.figure),
    ...(rule.for.trim() && { for: rule.for.trim() }),
  })),
});

/** A document with these alerts; none: with the default rules. @param {any} document @param {any} alerts */
export function withAlerts(document, alerts) {
  const { expect: _, alerts: _own, ...rest } = document; // what it expects may name rules that are gone
  return alerts ? { ...rest, alerts } : rest;
}
