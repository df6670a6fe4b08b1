/**
 * Heads of the broker columns: ring with the time left in the controller's session, state line, power and menu.
 *
 * @import {Model} from "../run/model.js"
 * @import {View} from "../facts/types.js"
 */
import { el, icon, setAttr, setClass, setHidden, setIcon, setText, svg } from "../kit/dom.js";
import { partOf, rackNameOf } from "../fold/sites.js";
import { capital, perSecond } from "../kit/wording.js";

const RADIUS = 16;
const ROUND = 2 * Math.PI * RADIUS;

/**
 * The head of a broker: its words and its picture.
 * @param {View} view
 * @param {number} broker
 * @param {number} t us
 * @param {number} sessionUs
 * @returns {{state: string, text: string, short: string, left: number, picture: "number" | "cross" | "bars" | "arrow" |
 *   "filling" | "square", tone: string, struck: boolean}}
 */
export function headOf(view, broker, t, sessionUs) {
  const { process = "down", registration = "unregistered", heartbeat = 0 } = view.brokers[broker] ?? {};
  const isNoticed = partOf(view, broker).active >= 0; // without a controller no session runs (QUO-6)
  const left =
    isNoticed && (registration === "active" || registration === "shutting down")
      ? Math.max(0, Math.min(1, 1 - (t - heartbeat) / sessionUs))
      : 0;
  const waits = isNoticed ? `${((left * sessionUs) / 1e6).toFixed(1)} s left` : "no controller";
  const leads = view.partitions.reduce((count, partition) => count + (partition.leader === broker ? 1 : 0), 0);
  if (process === "down" && view.brokers[broker]?.left)
    return { state: "stopped", text: "Stopped", short: "Stopped", left, picture: "square", tone: "", struck: false };
  if (process === "down") {
    const text = registration === "active" ? `Dead, ${waits}` : registration === "fenced" ? "Dead, fenced" : "Dead";
    return { state: "dead", text, short: "Dead", left, picture: "cross", tone: "dead", struck: false };
  }
  if (process === "starting")
    return {
      state: "starting",
      text: "Starting",
      short: "Starting",
      left: 0,
      picture: "filling",
      tone: "",
      struck: false,
    };
  if (process === "registering")
    return {
      state: "starting",
      text: "Registering",
      short: "Registering",
      left: 0,
      picture: "filling",
      tone: "",
      struck: false,
    };
  if (process === "recovering")
    return {
      state: "recovering",
      text: "Recovering log",
      short: "Recovering",
      left: 0,
      picture: "filling",
      tone: "",
      struck: false,
    };
  if (process === "paused") {
    const text = registration === "fenced" ? "Paused, fenced" : `Paused, ${waits}`;
    return { state: "paused", text, short: "Paused", left, picture: "bars", tone: "warn", struck: false };
  }
  if (process === "stopping" || registration === "shutting down") {
    const text =
      leads && !isNoticed
        ? "Shutting down, no controller"
        : leads
          ? `Shutting down, moving ${leads} ${leads === 1 ? "leader" : "leaders"}`
          : "Shutting down";
    return { state: "stopping", text, short: "Shutting down", left, picture: "arrow", tone: "", struck: false };
  }
  if (registration === "fenced")
    return { state: "fenced", text: "Fenced", short: "Fenced", left: 0, picture: "number", tone: "warn", struck: true };
  if (registration !== "active")
    return {
      state: "unregistered",
      text: "Not registered",
      short: "Not registered",
      left: 0,
      picture: "number",
      tone: "warn",
      struck: true,
    };
  return {
    state: "active",
    text: `Active · leads ${leads}`,
    short: "Active",
    left,
    picture: "number",
    tone: "",
    struck: false,
  };
}

export class BrokerHead {
  /** @param {Model} model @param {number} broker */
  constructor(model, broker) {
    this.model = model;
    this.broker = broker;
    const rack = model.rackOf(broker);
    this.arc = svg("circle", { class: "arc", cx: 19, cy: 19, r: RADIUS, transform: "rotate(-90 19 19)" });
    this.number = svg("text", { class: "number", x: 19, y: 24 });
    this.sign = svg("path", { class: "sign" });
    this.ring = svg(
      "svg",
      { class: "ring", viewBox: "0 0 38 38", "aria-hidden": "true" },
      svg("circle", { class: "track", cx: 19, cy: 19, r: RADIUS }),
      this.arc,
      this.number,
      this.sign,
    );
    this.state = el("div", { class: "s" });
    this.slow = el("div", { class: "s slow", hidden: true });
    this.powerIcon = icon("power");
    this.power = el(
      "button",
      { class: "btn icon", type: "button", "data-power": broker, tabindex: "-1" },
      this.powerIcon,
    );
    const more = el(
      "button",
      {
        class: "btn icon",
        type: "button",
        "data-more": broker,
        tabindex: "-1",
        "aria-label": `Actions for ${model.nodeName(broker)}`,
        "aria-haspopup": "menu",
      },
      icon("dots"),
    );
    const az = rack
      ? el(
          "button",
          {
            class: "az",
            type: "button",
            tabindex: "-1",
            "data-az": rack,
            "data-testid": `az-${rack}`,
            "aria-haspopup": "menu",
            title: `Actions for ${rack}`,
          },
          rackNameOf(model.names, broker),
        )
      : null;
    this.root = el(
      "div",
      { class: "bh", role: "columnheader", tabindex: "-1", "data-testid": `broker-${broker}`, "data-broker": broker },
      this.ring,
      el(
        "div",
        { class: "who" },
        el(
          "div",
          { class: "n" },
          el("span", { class: "word" }, "Broker "),
          el("span", { class: "id" }, `${model.idOf(broker)} `),
          az,
        ),
        this.state,
        this.slow,
      ),
      el("div", { class: "acts" }, this.power, more),
    );
    this.band = el("div", { class: "band", "aria-hidden": "true" });
    setText(this.number, model.idOf(broker));
    if (String(model.idOf(broker)).length > 2) this.number.classList.add("small");
  }

  /** @param {View} view @param {number} t @param {boolean} phone */
  draw(view, t, phone) {
    const head = headOf(view, this.broker, t, this.model.sessionTimeoutUs(this.broker));
    this.drawRing(view, t, head.left);
    if (this.shown === `${head.state} ${head.text} ${phone}`) return;
    this.shown = `${head.state} ${head.text} ${phone}`;
    const dead = head.picture === "cross" || head.picture === "square";
    setClass(this.root, `bh ${head.tone}${head.struck ? " struck" : ""} ${head.picture}`);
    setClass(this.band, dead ? "band down" : "band");
    setAttr(this.root, "data-state", head.state);
    setText(this.state, phone ? head.short : head.text);
    setAttr(this.sign, "d", SIGNS[head.picture]);
    setAttr(this.number, "visibility", head.picture === "number" ? "visible" : "hidden");
    setIcon(this.powerIcon, dead ? "play" : "power");
    const what = dead ? "Start" : "Kill";
    setAttr(this.power, "aria-label", `${what} ${this.model.nodeName(this.broker)}`);
    setAttr(this.power, "title", `${what} ${this.model.nodeName(this.broker)} (K)`);
    setAttr(
      this.root,
      "aria-label",
      `${capital(this.model.nodeName(this.broker))}${this.rackWords()}, ${head.text.toLowerCase()}`,
    );
  }

  /** The ring moves with time; everything else with facts. @param {View} view @param {number} t @param {number} left */
  drawRing(view, t, left) {
    // whole px: each other shape of an SVG node makes the browser order all layers of the page anew
    setAttr(this.arc, "stroke-dasharray", `${Math.round(ROUND * left)} ${Math.ceil(ROUND)}`);
    const [own, served] = [this.model.slow?.get(this.broker), this.model.serving?.get(this.broker)];
    const rate = own ?? served;
    setHidden(this.slow, rate === undefined);
    if (rate === undefined) return;
    setText(this.slow, `${own === undefined ? "Serves" : "Slow:"} ${perSecond(rate)}`);
    setAttr(
      this.slow,
      "title",
      `${own === undefined ? "Its responses to fetches" : "Its fetches"} are held to ${perSecond(rate)}.`,
    );
  }

  /**
   * Between facts only time passes: the ring and the seconds left.
   * @param {View} view
   * @param {number} t
   * @param {boolean} phone
   */
  tick(view, t, phone) {
    if (t === this.tickedAt) return;
    this.tickedAt = t;
    this.draw(view, t, phone);
  }

  tickedAt = -1;

  rackWords() {
    const rack = this.model.rackOf(this.broker);
    return rack ? `, ${rack}` : "";
  }

  shown = "";
}

const SIGNS = {
  number: "",
  cross: "M14 14l10 10M24 14l-10 10",
  square: "M14.5 14.5h9v9h-9z",
  bars: "M15.5 13v12M22.5 13v12",
  arrow: "M19 12v12M14 20l5 5 5-5",
  filling: "M13 19h.1M19 19h.1M25 19h.1",
};
