/**
 * One replica cell at the level of logs: role, ISR word, record strip. The frame says whether the controller has the
 * broker in the ISR; the pill says what the broker itself believes.
 *
 * @import {Partition, View} from "../facts/types.js"
 * @import {Strip, Token} from "../run/layout.js"
 */
import { el, icon, setAttr, setClass, setHidden, setIcon, setText } from "../kit/dom.js";
import { mod5 } from "./glyphs.js";
import { RecordStrip } from "./strip.js";

/**
 * @typedef {object} Role  what a cell says about its copy
 * @property {"leader" | "follower" | "zombie" | "dead-leader" | "dead" | "stopped" | "none"} kind
 * @property {string} text
 * @property {string} short
 * @property {string} icon  or "" for the epoch square
 * @property {number} epoch  that gives the hue
 */

/**
 * @param {View} view
 * @param {number} p
 * @param {number} broker
 * @returns {Role}
 */
export function roleOf(view, p, broker) {
  const partition = /** @type {Partition} */ (view.partitions[p]);
  const copy = partition.copies[broker];
  const process = view.brokers[broker]?.process ?? "down";
  const dead = ["down", "starting", "registering", "recovering"].includes(process);
  const epoch = copy?.epoch ?? -1;
  if (process === "down" && view.brokers[broker]?.left && partition.leader !== broker)
    return { kind: "stopped", text: "Stopped", short: "Stopped", icon: "", epoch };
  if (dead)
    return deadRole(partition, broker, copy?.role === "leader", epoch, process === "down" ? "dead" : "not back");
  if (!copy || copy.role === "none")
    return { kind: "none", text: "No log yet", short: "No log", icon: "", epoch: partition.epoch };
  if (copy.role === "leader") {
    const current = partition.leader === broker && epoch >= partition.epoch;
    if (current) return { kind: "leader", text: `Leader e${epoch}`, short: `Leader e${epoch}`, icon: "crown", epoch };
    return { kind: "zombie", text: `Thinks it leads e${epoch}`, short: `Thinks e${epoch}`, icon: "crown-open", epoch };
  }
  if (partition.leader === broker) {
    return {
      kind: "follower",
      text: `Elected e${partition.epoch}`,
      short: "Elected",
      icon: "clock",
      epoch: partition.epoch,
    };
  }
  const fenced = view.brokers[broker]?.registration === "fenced";
  return { kind: "follower", text: fenced ? "Follower, fenced" : "Follower", short: "Follower", icon: "", epoch };
}

/**
 * A copy whose process is down, or runs and does not serve yet.
 * @param {Partition} partition
 * @param {number} broker
 * @param {boolean} led
 * @param {number} epoch
 * @param {"dead" | "not back"} how
 * @returns {Role}
 */
function deadRole(partition, broker, led, epoch, how) {
  if (partition.leader === broker) {
    return {
      kind: "dead-leader",
      text: `Leader e${partition.epoch}, ${how}`,
      short: how === "dead" ? "Leads, dead" : "Leads, away",
      icon: "crown",
      epoch: partition.epoch,
    };
  }
  const word = how === "dead" ? "Dead" : "Not back";
  return {
    kind: "dead",
    text: led ? `${word}, led until e${epoch}` : word,
    short: led ? "Was leader" : word,
    icon: "x",
    epoch,
  };
}

export class ReplicaCell {
  /**
   * @param {number} p
   * @param {number} broker
   * @param {string} name of the partition
   * @param {string} title  with its broker
   */
  constructor(p, broker, name, title) {
    this.p = p;
    this.broker = broker;
    this.name = name;
    this.title = title;
    this.square = el("i", { class: "sq" });
    this.icon = icon("crown");
    this.words = el("span");
    this.role = el("span", { class: "role" }, this.square, this.icon, this.words);
    this.isr = el("span", { class: "isrl" });
    this.strip = new RecordStrip();
    this.root = el(
      "div",
      {
        class: "rep",
        role: "gridcell",
        tabindex: "-1",
        "data-testid": `replica-${name}-${broker}`,
        "data-p": p,
        "data-broker": broker,
      },
      el("div", { class: "rl" }, this.role, " ", this.isr),
      this.strip.root,
    );
  }

  /**
   * The strip.
   * @param {View} view
   * @param {Token[]} tokens
   * @param {Strip} strip
   * @param {{width: number, height: number}} size of the strip
   * @param {boolean} moving time runs
   */
  paint(view, tokens, strip, size, moving) {
    if (!this.strip.seen) return;
    const partition = /** @type {Partition} */ (view.partitions[this.p]);
    const copy = partition.copies[this.broker];
    const { kind } = roleOf(view, this.p, this.broker);
    if (copy)
      this.strip.draw(copy, partition, tokens, strip, size, {
        dead: kind === "dead" || kind === "stopped" || kind === "dead-leader",
        moving,
      });
  }

  /** The words. @param {View} view @param {boolean} phone */
  draw(view, phone) {
    const partition = /** @type {Partition} */ (view.partitions[this.p]);
    const copy = partition.copies[this.broker];
    const role = roleOf(view, this.p, this.broker);
    const inIsr = partition.isr.includes(this.broker);
    const membership = inIsr ? "in ISR" : partition.observers?.includes(this.broker) ? "observer" : "not in ISR";
    const words = phone ? role.short : role.text;
    this.drawHead(role, words, membership);
    this.describe(partition, role.kind, words, membership);
    setHidden(/** @type {any} */ (this.strip.root), !copy);
  }

  /** @param {Role} role @param {string} words @param {string} membership */
  drawHead(role, words, membership) {
    const inIsr = membership === "in ISR";
    const dead = role.kind === "dead" || role.kind === "dead-leader";
    const leads = role.kind === "leader" || role.kind === "dead-leader";
    setClass(
      this.root,
      `rep h${mod5(role.epoch)}${inIsr ? " isr" : ""}${leads ? " lead" : ""}${dead ? " gone" : ""}` +
        `${role.kind === "zombie" ? " zombie" : ""}${role.kind === "none" ? " empty" : ""}`,
    );
    setText(this.words, words);
    setText(this.isr, membership);
    setAttr(
      this.isr,
      "title",
      membership === "observer"
        ? "An extension of Confluent's: never in the ISR, never elected. Apache Kafka has no observers (OBS-1)."
        : "",
    );
    setClass(this.square, role.icon ? "sq off" : "sq");
    setClass(this.icon, role.icon ? "i" : "i off");
    if (role.icon) setIcon(this.icon, role.icon);
  }

  /**
   * Name the cell, with the very words that stand in it.
   * @param {Partition} partition
   * @param {Role["kind"]} kind
   * @param {string} words
   * @param {string} membership
   */
  describe(partition, kind, words, membership) {
    const copy = partition.copies[this.broker];
    const { root } = this;
    setAttr(
      root,
      "data-role",
      kind === "dead-leader" ? "leader" : kind === "dead" || kind === "stopped" ? "none" : kind,
    );
    setAttr(root, "data-epoch", copy?.epoch ?? -1);
    setAttr(root, "data-isr", membership === "in ISR" ? "in" : "out");
    setAttr(root, "data-hw", copy?.hw ?? 0);
    setAttr(root, "data-leo", copy?.leo ?? 0);
    const marks = copy ? `high watermark ${copy.hw}, log end ${copy.leo}` : "no log";
    setAttr(root, "aria-label", `${this.title}: ${words} ${membership}, epoch ${copy?.epoch ?? "none"}, ${marks}`);
  }
}
