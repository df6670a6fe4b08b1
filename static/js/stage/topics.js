/**
 * The left-hand column: a panel per topic with acks, min.insync.replicas, rate and unclean election, and what waits in
 * its producers. A change is an action at the playhead.
 *
 * @import {Model} from "../run/model.js"
 * @import {View} from "../facts/types.js"
 */
import { breakable, el, icon, setAttr, setText } from "../kit/dom.js";
import { copierOf } from "../run/mirrors.js";
import { rateActions, rateOf, rateText } from "../run/rates.js";
import { TERMS } from "../words/terms.js";

const DOTS_MAX = 14;
/** producers of a topic that have a line in its panel */
const PRODUCERS_MAX = 3;

export class TopicPanel {
  /** @param {Model} model @param {number} topic @param {(action: string) => void} act */
  constructor(model, topic, act) {
    this.model = model;
    this.topic = topic;
    this.act = act;
    const name = model.topicName(topic);
    this.name = name;
    this.copier = copierOf(model.names, model.partitionsOf(topic));
    this.acks = choice(["0", "1", "all"], `acks for ${name}`, `acks-${name}`, (value) => act(`acks ${name} ${value}`));
    this.unclean = choice(["off", "on"], `unclean election for ${name}`, `unclean-${name}`, (value) =>
      this.ask(`config ${name} unclean.leader.election.enable ${value === "on"}`),
    );
    this.minIsr = stepper(`min.insync.replicas of ${name}`, `min-isr-${name}`, (by) => this.changeMinIsr(by));
    this.rate = stepper(`records per second to ${name}`, `rate-${name}`, (by) =>
      rateActions(model, topic, by).forEach(act),
    );
    this.waiting = el("span", { class: "num" });
    this.dots = el("span", { class: "dots", "aria-hidden": "true" });
    this.awaiting = el("span", { class: "num" });
    this.counters = el(
      "div",
      { class: "cnt" },
      el("span", null, "waiting in client", this.dots),
      this.waiting,
      el("span", { text: "awaiting ack" }),
      this.awaiting,
    );
    this.producers = el("ul", { class: "prods" });
    this.root = el(
      "div",
      { class: "tp", role: "rowheader", "data-testid": `topic-${name}`, "aria-label": `Topic ${name}` },
      el("h2", { title: name }, ...breakable(name)),
      el(
        "button",
        {
          class: "btn ghost icon sm all-settings",
          type: "button",
          tabindex: "-1",
          "data-settings": "",
          title: "All settings of this topic",
          "aria-label": `All settings of ${name}`,
        },
        icon("gear"),
      ),
      this.copier ? null : line("acks", this.acks, TERMS.acks),
      line("min ISR", this.minIsr.root, `min.insync.replicas: ${TERMS["min.insync.replicas"]}`),
      this.copier ? null : line("records/s", this.rate.root),
      line("unclean", this.unclean, TERMS.unclean),
      this.copier ? null : this.counters,
      this.producers,
    );
  }

  /** @param {View} view */
  draw(view) {
    const { model, topic } = this;
    const producers = model.producersOf(topic);
    press(
      this.acks,
      producers.map((i) => view.clients[i]?.acks ?? ""),
    );
    press(this.unclean, [model.isUncleanAsked(topic) ? "on" : "off"]);
    setText(this.minIsr.figure, model.minIsrAsked(topic));
    setAttr(
      this.minIsr.root,
      "title",
      model.asking(topic, "min.insync.replicas") === null ? "" : "asked for, not in effect yet",
    );
    setText(this.rate.figure, rateText(rateOf(model, topic)));
    const partitions = model.partitionsOf(topic);
    const waiting = sum(view, producers, partitions, "queued");
    setText(this.waiting, waiting.toLocaleString("en"));
    setText(this.dots, "●".repeat(Math.min(waiting, DOTS_MAX)));
    setText(this.awaiting, sum(view, producers, partitions, "inflight").toLocaleString("en"));
    this.drawProducers(view, producers);
    const disabled = !producers.length;
    for (const button of this.acks.querySelectorAll("button")) button.disabled = disabled;
  }

  /**
   * A line for each producer: they may differ in acks, and one may stand still.
   * @param {View} view
   * @param {number[]} producers
   */
  drawProducers(view, producers) {
    const mixed = new Set(producers.map((i) => view.clients[i]?.acks)).size > 1;
    const site = this.name.slice(0, this.name.indexOf("/") + 1); // the card has it in its title
    const rows = producers.map((i) => [
      `${(view.clients[i]?.id ?? "").replace(site, "")}${mixed ? `, acks=${view.clients[i]?.acks}` : ""}`,
      this.producerWord(view, i),
      i,
    ]);
    const lines =
      rows.length > PRODUCERS_MAX
        ? [...rows.slice(0, PRODUCERS_MAX - 1), [`and ${rows.length - PRODUCERS_MAX + 1} more producers`, ""]]
        : rows;
    const key = lines.flat().join(" ") || "no producer";
    if (key === this.producersKey) return;
    this.producersKey = key;
    this.producers.replaceChildren(
      ...(lines.length ? lines : [[this.copier ? `copies by ${this.copier}` : "no producer", ""]]).map(
        ([who, state, index]) =>
          el(
            "li",
            { title: `producer ${who} ${state}`, "data-client": index ?? null },
            el("span", { text: who }),
            el("span", { text: state }),
          ),
      ),
    );
  }

  producersKey = "";

  /** @param {View} view @param {number} i */
  producerWord(view, i) {
    const client = view.clients[i];
    if (client?.state !== "open") return client?.state ?? "closed";
    const partitions = this.model.partitionsOf(this.topic);
    const waiting = sum(view, [i], partitions, "queued");
    if (waiting && partitions.some((p) => (view.partitions[p]?.leader ?? -1) < 0)) return "no leader";
    return client.rate_milli > 0 || waiting ? "sending" : "idle";
  }

  /** @param {number} by */
  changeMinIsr(by) {
    const value = this.model.minIsrAsked(this.topic) + by;
    if (value >= 1) this.ask(`config ${this.name} min.insync.replicas ${value}`);
  }

  /** Acts, and shows at once what is asked for. @param {string} action */
  ask(action) {
    this.act(action);
    if (this.model.view) this.draw(this.model.view);
  }
}

/** @param {string} label @param {Node} control @param {string} [title] */
const line = (label, control, title) =>
  el("div", { class: "k" }, el("span", { text: label, class: title ? "term" : null, title: title ?? null }), control);

/** @param {string[]} values @param {string} label @param {string} testid @param {(value: string) => void} choose */
function choice(values, label, testid, choose) {
  const buttons = values.map((value) =>
    el("button", { type: "button", "data-value": value, onclick: () => choose(value) }, value),
  );
  return el("span", { class: "seg", role: "group", "aria-label": label, "data-testid": testid }, ...buttons);
}

/** @param {Element} group @param {string[]} values that are set: several where producers differ */
function press(group, values) {
  for (const button of group.children)
    setAttr(button, "aria-pressed", String(values.includes(/** @type {HTMLElement} */ (button).dataset.value ?? "")));
  setAttr(group, "data-value", values[0] ?? "none");
}

/** @param {string} label @param {string} testid @param {(by: number) => void} change */
function stepper(label, testid, change) {
  const figure = el("span", { class: "num" });
  const root = el(
    "span",
    { class: "step", role: "group", "aria-label": label, "data-testid": testid },
    el("button", { type: "button", "aria-label": `Lower ${label}`, onclick: () => change(-1) }, "−"),
    figure,
    el("button", { type: "button", "aria-label": `Raise ${label}`, onclick: () => change(1) }, "+"),
  );
  return { root, figure };
}

/** @param {View} view @param {number[]} clients @param {number[]} partitions @param {"queued" | "inflight"} field */
function sum(view, clients, partitions, field) {
  let all = 0;
  for (const i of clients) for (const p of partitions) all += view.clients[i]?.[field][p] ?? 0;
  return all;
}
