/**
 * One replica at the level of chips: role glyph, hue of the epoch, how far it lags, ISR frame.
 *
 * @import {Partition, View} from "../facts/types.js"
 */
import { el, icon, setAttr, setClass, setIcon } from "../kit/dom.js";
import { roleOf } from "./cell.js";
import { mod5 } from "./glyphs.js";

/** Records of lag at which the bar is full. */
const LAG_FULL = 200;
const ICONS = {
  leader: "crown",
  follower: "",
  zombie: "crown-open",
  "dead-leader": "crown",
  dead: "x",
  stopped: "",
  none: "",
};

/**
 * Lag of a copy behind the furthest one, as a share of the bar; any lag shows.
 * @param {Partition} partition
 * @param {number} broker
 */
export function lagShare(partition, broker) {
  const copies = Object.values(partition.copies);
  const end = copies.length ? Math.max(...copies.map((copy) => copy.leo)) : 0;
  const lag = end - (partition.copies[broker]?.leo ?? 0);
  return lag <= 0 ? 0 : Math.min(1, 0.15 + (0.85 * Math.log1p(lag)) / Math.log1p(LAG_FULL));
}

export class ChipCell {
  /**
   * @param {number} p
   * @param {number} broker
   * @param {string} name
   * @param {string} title  of the partition and its broker
   */
  constructor(p, broker, name, title) {
    this.p = p;
    this.broker = broker;
    this.name = name;
    this.title = title;
    this.icon = icon("crown");
    this.lag = el("i", { class: "lag" });
    this.root = el(
      "div",
      {
        class: "chipcell",
        role: "gridcell",
        tabindex: "-1",
        "data-testid": `replica-${name}-${broker}`,
        "data-p": p,
        "data-broker": broker,
      },
      el("i", { class: "hue" }),
      this.icon,
      this.lag,
    );
  }

  /** @param {View} view */
  draw(view) {
    const partition = /** @type {Partition} */ (view.partitions[this.p]);
    const copy = partition.copies[this.broker];
    const role = roleOf(view, this.p, this.broker);
    const inIsr = partition.isr.includes(this.broker);
    const share = lagShare(partition, this.broker);
    const key = `${role.kind} ${role.epoch} ${inIsr} ${share.toFixed(2)}`;
    this.describe(copy?.hw ?? 0, copy?.leo ?? 0, copy?.epoch ?? -1, role.text, inIsr, role.kind);
    if (key === this.shown) return;
    this.shown = key;
    setClass(this.root, `chipcell h${mod5(role.epoch)} ${role.kind}${inIsr ? " isr" : ""}`);
    const picture = ICONS[role.kind];
    setClass(this.icon, picture ? "i" : "i off");
    if (picture) setIcon(this.icon, picture);
    this.lag.style.width = `${Math.round(share * 100)}%`;
  }

  /**
   * @param {number} hw
   * @param {number} leo
   * @param {number} epoch
   * @param {string} words
   * @param {boolean} inIsr
   * @param {string} kind
   */
  describe(hw, leo, epoch, words, inIsr, kind) {
    const { root } = this;
    setAttr(
      root,
      "data-role",
      kind === "dead-leader" ? "leader" : kind === "dead" || kind === "stopped" ? "none" : kind,
    );
    setAttr(root, "data-epoch", epoch);
    setAttr(root, "data-isr", inIsr ? "in" : "out");
    setAttr(root, "data-hw", hw);
    setAttr(root, "data-leo", leo);
    setAttr(
      root,
      "aria-label",
      `${this.title}: ${words.toLowerCase()}, ${inIsr ? "in ISR" : "not in ISR"}, ` +
        `high watermark ${hw}, log end ${leo}`,
    );
    setAttr(root, "title", `${this.title}: ${words}, HW ${hw}, LEO ${leo}`);
  }

  shown = "";
}
