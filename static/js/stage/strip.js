/**
 * The record strip of one copy: records with the hue of their epoch, striped above the high watermark, water below the
 * committed ones, marks for HW and log end. It owns one <svg> and keeps a node per record.
 *
 * @import {Copy, Partition} from "../types.js"
 * @import {Strip, Token} from "../layout.js"
 */
import { setAttr, setClass, setText, svg } from "../dom.js";
import { epochOf, inRuns, offsetLabel, xOf } from "../layout.js";

const LETTER_PX = 6.7;
const GONE_MS = 240;
const TICK = "M-3.5 0l2.5 2.5 4.5-4.8";
const CROSS = "M-3-3l6 6M3-3l-6 6";
let clips = 0;

/** @typedef {{group: SVGElement, box: SVGElement, plate: SVGElement, label: SVGElement, mark: SVGElement, key: string}} RecordNode */

export class RecordStrip {
  constructor() {
    const clip = `water-${++clips}`;
    this.clip = svg("rect", { x: 0, y: 0, width: 4000, height: 200, class: "tide" });
    this.band = svg("rect", { class: "water", x: 0, width: 4000 });
    this.wave = svg("path", { class: "wave" });
    this.records = svg("g");
    this.hw = svg("path", { class: "hw-line" });
    this.end = svg("path", { class: "log-end", d: "M0 0l-4.5 7.5h9z" });
    this.hwLabel = svg("text", { class: "hw-label" });
    this.endLabel = svg("text", { class: "leo-label" });
    const path = svg("clipPath", { id: clip }, this.clip);
    const water = svg("g", { "clip-path": `url(#${clip})` }, this.band, this.wave);
    this.root = svg("svg", { class: "log", "aria-hidden": "true" },
      path, water, this.records, this.hw, this.end, this.hwLabel, this.endLabel);
    /** @type {Map<number, RecordNode>} */ this.nodes = new Map();
    /** @type {Map<string, SVGElement>} */ this.folds = new Map();
    this.geometry = "";
  }

  /**
   * @param {Copy} copy
   * @param {Partition} partition
   * @param {Token[]} tokens
   * @param {Strip} strip
   * @param {{width: number, height: number}} size
   */
  draw(copy, partition, tokens, strip, size) {
    this.place(strip, size);
    this.drawRecords(copy, partition, tokens, strip);
    this.drawFolds(copy, tokens, strip);
    this.drawMarks(copy, tokens, strip, size);
  }

  /** What depends on the size alone. @param {Strip} strip @param {{width: number, height: number}} size */
  place(strip, size) {
    const key = `${size.width} ${size.height} ${strip.slots}`;
    if (key === this.geometry) return;
    this.geometry = key;
    const y = strip.top + strip.height + 1;
    setAttr(this.root, "viewBox", `0 0 ${size.width} ${size.height}`);
    setAttr(this.band, "x", strip.pad);
    setAttr(this.band, "y", y);
    setAttr(this.band, "height", strip.water);
    setAttr(this.wave, "d", strip.phone ? "" : wavePath(strip.pad, size.width, y + strip.water * 0.52));
    setAttr(this.hw, "d", `M0 ${strip.top - 3}V${y + strip.water}`);
    for (const node of this.nodes.values()) node.group.remove();
    this.nodes.clear();
  }

  /** @param {Copy} copy @param {Partition} partition @param {Token[]} tokens @param {Strip} strip */
  drawRecords(copy, partition, tokens, strip) {
    const seen = new Set();
    tokens.forEach((token, k) => {
      if (typeof token !== "number" || token >= copy.leo || token < copy.start) return;
      seen.add(token);
      const node = this.nodes.get(token) ?? this.addRecord(token, strip);
      const epoch = epochOf(copy.epochs, token);
      const lost = inRuns(partition.lost, token, epoch);
      const acked = lost || inRuns(partition.acked, token, epoch);
      paintRecord(node, { epoch, dry: token >= copy.hw, lost, acked }, strip.pad + k * strip.pitch);
    });
    for (const [offset, node] of this.nodes) {
      if (seen.has(offset)) continue;
      this.nodes.delete(offset);
      if (offset >= copy.leo) leave(node.group);
      else node.group.remove();
    }
  }

  /** @param {number} offset @param {Strip} strip @returns {RecordNode} */
  addRecord(offset, strip) {
    const width = strip.pitch - 2;
    const tall = strip.height > 38;
    const bare = strip.height < (strip.phone ? 34 : 26);
    const labelY = bare ? strip.top + strip.height / 2 + 4 : strip.top + (tall ? 18 : 14);
    const box = svg("rect", { class: "box", x: 1, y: strip.top + 0.5, width, height: strip.height - 1, rx: 3 });
    const plate = svg("rect", { class: "plate", x: 3, y: strip.top + 3.5, width: Math.max(0, width - 4),
      height: bare ? strip.height - 7 : tall ? 17 : 13, rx: 2 });
    const label = svg("text", { class: tall ? "offset tall" : "offset", x: strip.pitch / 2, y: labelY });
    const mark = svg("path", { class: "mark", transform: `translate(${strip.pitch / 2} ${strip.top + strip.height - (tall ? 11 : 7)})` });
    label.textContent = offsetLabel(offset);
    const group = svg("g", null, box, plate, label, ...(bare ? [] : [mark]));
    this.records.append(group);
    const node = { group, box, plate, label, mark, key: "" };
    this.nodes.set(offset, node);
    return node;
  }

  /** @param {Copy} copy @param {Token[]} tokens @param {Strip} strip */
  drawFolds(copy, tokens, strip) {
    const seen = new Set();
    tokens.forEach((token, k) => {
      if (typeof token === "number" || copy.leo <= token.from) return;
      const key = String(token.from < 0 ? 0 : k);
      seen.add(key);
      const group = this.folds.get(key) ?? this.addFold(key);
      setAttr(group, "transform", `translate(${strip.pad + k * strip.pitch} ${strip.top + strip.height / 2})`);
      const [line, text] = /** @type {[Element, Element]} */ (/** @type {unknown} */ ([...group.children]));
      setAttr(line, "d", `M4 0h${Math.max(2, strip.pitch - 8)}`);
      setAttr(text, "x", strip.pitch / 2);
      setText(text, `+${shortCount(Math.min(copy.leo, token.to) - token.from)}`);
    });
    for (const [key, group] of this.folds) {
      if (seen.has(key)) continue;
      group.remove();
      this.folds.delete(key);
    }
  }

  /** @param {string} key */
  addFold(key) {
    const group = svg("g", { class: "fold" }, svg("path"), svg("text", { y: -5 }));
    this.records.append(group);
    this.folds.set(key, group);
    return group;
  }

  /** @param {Copy} copy @param {Token[]} tokens @param {Strip} strip @param {{width: number, height: number}} size */
  drawMarks(copy, tokens, strip, size) {
    const hwX = xOf(tokens, strip, copy.hw);
    const endX = xOf(tokens, strip, copy.leo);
    const waterY = strip.top + strip.height + 1;
    this.clip.style.transform = `translateX(${hwX - 4000}px)`;
    this.hw.style.transform = `translateX(${hwX}px)`;
    setAttr(this.end, "transform", `translate(${endX} ${waterY + 1})`);
    const hwText = `HW ${copy.hw}`;
    const endText = `LEO ${copy.leo}`;
    setText(this.hwLabel, hwText);
    setText(this.endLabel, endText);
    const y = strip.phone ? size.height - 4 : Math.min(size.height - 4, waterY + strip.water + 13);
    const endWidth = endText.length * LETTER_PX;
    const hwWidth = hwText.length * LETTER_PX;
    const right = size.width - strip.pad;
    let endLeft = strip.phone ? right - endWidth : Math.min(Math.max(endX - 3, strip.pad), right - endWidth);
    let hwRight = strip.phone ? strip.pad + hwWidth : Math.max(hwX + 1, strip.pad + hwWidth);
    if (hwRight > endLeft - 7) hwRight = Math.max(strip.pad + hwWidth, endLeft - 7);
    if (hwRight > endLeft - 7) endLeft = Math.min(right - endWidth, hwRight + 7);
    setAttr(this.hwLabel, "x", Math.round(hwRight - hwWidth));
    setAttr(this.endLabel, "x", Math.round(endLeft));
    setAttr(this.hwLabel, "y", y);
    setAttr(this.endLabel, "y", y);
  }
}

/**
 * @param {RecordNode} node
 * @param {{epoch: number, dry: boolean, lost: boolean, acked: boolean}} state
 * @param {number} x
 */
function paintRecord(node, state, x) {
  const key = `${state.epoch} ${state.dry} ${state.lost} ${state.acked} ${x}`;
  if (key === node.key) return;
  node.key = key;
  setClass(node.group, `rec e${mod5(state.epoch)}${state.dry ? " dry" : ""}${state.lost ? " lost" : ""}`);
  setAttr(node.group, "transform", `translate(${x.toFixed(1)} 0)`);
  setAttr(node.mark, "d", state.lost ? CROSS : state.acked ? TICK : "");
}

/** A record was cut off: it slides out, struck. @param {SVGElement} group */
function leave(group) {
  group.classList.add("cut");
  setTimeout(() => group.remove(), GONE_MS);
}

/** @param {number} epoch */
export const mod5 = (epoch) => (epoch < 0 ? 0 : epoch % 5);

/** @param {number} n */
function shortCount(n) {
  if (n < 10_000) return String(n);
  return n < 1_000_000 ? `${Math.round(n / 1000)}k` : `${(n / 1e6).toFixed(1)}M`;
}

/** @param {number} from @param {number} to @param {number} y */
function wavePath(from, to, y) {
  let path = `M${from} ${y.toFixed(1)}`;
  for (let x = from; x < to; x += 16) path += "q4-3.2 8 0t8 0";
  return path;
}
