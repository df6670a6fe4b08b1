/**
 * The left-hand column: a panel per topic with acks, min.insync.replicas, rate and unclean election, and what waits in
 * its producers. A change is an action at the playhead.
 *
 * @import {Model} from "../model.js"
 * @import {View} from "../types.js"
 */
import { el, setAttr, setText } from "../dom.js";
import { rateActions, rateOf, rateText } from "../rates.js";
import { TERMS } from "../terms.js";

const DOTS_MAX = 14;

export class TopicPanel {
  /** @param {Model} model @param {number} topic @param {(action: string) => void} act */
  constructor(model, topic, act) {
    this.model = model;
    this.topic = topic;
    this.act = act;
    const name = model.topicName(topic);
    this.name = name;
    this.acks = choice(["0", "1", "all"], `acks for ${name}`, `acks-${name}`, (value) => act(`acks ${name} ${value}`));
    this.unclean = choice(["off", "on"], `unclean election for ${name}`, `unclean-${name}`, (value) =>
      act(`config ${name} unclean.leader.election.enable ${value === "on"}`));
    this.minIsr = stepper(`min.insync.replicas of ${name}`, `min-isr-${name}`, (by) => this.changeMinIsr(by));
    this.rate = stepper(`records per second to ${name}`, `rate-${name}`, (by) => rateActions(model, topic, by).forEach(act));
    this.waiting = el("span", { class: "num" });
    this.dots = el("span", { class: "dots", "aria-hidden": "true" });
    this.awaiting = el("span", { class: "num" });
    this.producer = el("span");
    this.root = el("section", { class: "tp", "data-testid": `topic-${name}`, "aria-label": `Topic ${name}` },
      el("h2", { text: name, title: name }), line("acks", this.acks, TERMS.acks), line("min ISR", this.minIsr.root, `min.insync.replicas: ${TERMS["min.insync.replicas"]}`),
      line("records/s", this.rate.root), line("unclean", this.unclean, TERMS.unclean),
      el("div", { class: "cnt" }, el("span", null, "waiting in client", this.dots), this.waiting,
        el("span", { text: "awaiting ack" }), this.awaiting, el("span", { class: "opt", text: "producer" }), this.producer));
  }

  /** @param {View} view */
  draw(view) {
    const { model, topic } = this;
    const producers = model.producersOf(topic);
    press(this.acks, model.acksOf(topic));
    press(this.unclean, model.isUnclean(topic) ? "on" : "off");
    setText(this.minIsr.figure, model.minIsr(topic));
    setText(this.rate.figure, rateText(rateOf(model, topic)));
    const partitions = model.partitionsOf(topic);
    const waiting = sum(view, producers, partitions, "queued");
    setText(this.waiting, waiting.toLocaleString("en"));
    setText(this.dots, "●".repeat(Math.min(waiting, DOTS_MAX)));
    setText(this.awaiting, sum(view, producers, partitions, "inflight").toLocaleString("en"));
    setText(this.producer, producers.length ? this.producerWord(view, producers, waiting) : "none");
    const disabled = !producers.length;
    for (const button of this.acks.querySelectorAll("button")) button.disabled = disabled;
  }

  /** @param {View} view @param {number[]} producers @param {number} waiting */
  producerWord(view, producers, waiting) {
    const states = new Set(producers.map((i) => view.clients[i]?.state));
    if (!states.has("open")) return states.has("crashed") ? "crashed" : "closed";
    const leaderless = this.model.partitionsOf(this.topic).some((p) => (view.partitions[p]?.leader ?? -1) < 0);
    if (waiting && leaderless) return "no leader";
    return rateOf(this.model, this.topic) > 0 || waiting ? "sending" : "idle";
  }

  /** @param {number} by */
  changeMinIsr(by) {
    const value = this.model.minIsr(this.topic) + by;
    if (value >= 1) this.act(`config ${this.name} min.insync.replicas ${value}`);
  }
}

/** @param {string} label @param {Node} control @param {string} [title] */
const line = (label, control, title) => el("div", { class: "k" }, el("span", { text: label, class: title ? "term" : null, title: title ?? null }), control);

/** @param {string[]} values @param {string} label @param {string} testid @param {(value: string) => void} choose */
function choice(values, label, testid, choose) {
  const buttons = values.map((value) => el("button", { type: "button", "data-value": value, onclick: () => choose(value) }, value));
  return el("span", { class: "seg", role: "group", "aria-label": label, "data-testid": testid }, ...buttons);
}

/** @param {Element} group @param {string | null} value */
function press(group, value) {
  for (const button of group.children) setAttr(button, "aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.value === value));
  setAttr(group, "data-value", value ?? "none");
}

/** @param {string} label @param {string} testid @param {(by: number) => void} change */
function stepper(label, testid, change) {
  const figure = el("span", { class: "num" });
  const root = el("span", { class: "step", role: "group", "aria-label": label, "data-testid": testid },
    el("button", { type: "button", "aria-label": `Lower ${label}`, onclick: () => change(-1) }, "−"), figure,
    el("button", { type: "button", "aria-label": `Raise ${label}`, onclick: () => change(1) }, "+"));
  return { root, figure };
}

/** @param {View} view @param {number[]} clients @param {number[]} partitions @param {"queued" | "inflight"} field */
function sum(view, clients, partitions, field) {
  let all = 0;
  for (const i of clients) for (const p of partitions) all += view.clients[i]?.[field][p] ?? 0;
  return all;
}
