/**
 * The record strip of one copy: records with the hue of their epoch, striped above the high watermark, water below the
 * committed ones, marks for HW and log end. It owns one small canvas, painted when a fact changed what it shows and
 * while something moves: the high watermark eases to its new offset, records that are cut off slide away.
 *
 * @import {Copy, Partition} from "../facts/types.js"
 * @import {Strip, Token} from "../run/layout.js"
 * @import {Mark} from "./strippaint.js"
 */
import { el } from "../kit/dom.js";
import { epochOf, inRuns, isFolded, offsetLabel, xOf } from "../run/layout.js";
import { mod5 } from "./glyphs.js";
import { paintStrip } from "./strippaint.js";

export const EASE_MS = 180;
export const CUT_MS = 240;
const CUT_STILL_MS = 800;
/**
 * a high watermark that moves sooner than this after its last move does not ease: it would never stand at a record's
 * edge
 */
const CALM_MS = 400;
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @typedef {object} Picture  all that a strip shows
 * @property {Mark[]} records
 * @property {{x: number, text: string}[]} folds
 * @property {number} hw @property {number} leo  offsets
 * @property {number} hwX @property {number} endX  px
 * @property {boolean} hwFolded  the high watermark falls into a fold
 * @property {boolean} dead
 */

export class RecordStrip {
  constructor() {
    this.root = /** @type {HTMLCanvasElement} */ (el("canvas", { class: "log", "aria-hidden": "true" }));
    /** @type {Picture | null} */ this.picture = null;
    /** @type {Strip | null} */ this.strip = null;
    this.size = { width: 0, height: 0 };
    this.key = "";
    this.shownX = -1;
    this.easing = { from: 0, since: -Infinity };
    this.movedAt = -Infinity;
    /** scrolled into sight */ this.seen = true;
    /** @type {{mark: Mark, since: number}[]} */ this.leaving = [];
  }

  /**
   * @param {Copy} copy
   * @param {Partition} partition
   * @param {Token[]} tokens
   * @param {Strip} strip
   * @param {{width: number, height: number}} size
   * @param {{dead: boolean, moving: boolean}} how  moving: time runs, so changes may ease
   */
  draw(copy, partition, tokens, strip, size, how) {
    const picture = pictureOf(copy, partition, tokens, strip, how.dead);
    const key = `${size.width} ${size.height} ${keyOf(picture)}`;
    if (key === this.key) return;
    const resized = size.width !== this.size.width || size.height !== this.size.height;
    if (how.moving && !resized && this.picture) this.startMotion(this.picture, picture);
    else this.shownX = picture.hwX;
    Object.assign(this, { key, picture, strip, size });
    this.paint();
  }

  /** @param {Picture} before @param {Picture} after */
  startMotion(before, after) {
    const now = performance.now();
    const isCalm = now - this.movedAt > CALM_MS;
    if (before.hw !== after.hw || before.hwX !== after.hwX) this.movedAt = now;
    if (!isCalm) this.easing.since = -Infinity;
    else if (before.hw !== after.hw && !reduced.matches)
      this.easing = { from: this.shownX < 0 ? before.hwX : this.shownX, since: now };
    if (after.leo >= before.leo) return;
    for (const mark of before.records) if (mark.offset >= after.leo) this.leaving.push({ mark, since: now });
  }

  /** True if it must be painted again in the next frame. @param {number} now */
  isMoving(now) {
    return this.seen && (this.leaving.length > 0 || now - this.easing.since < EASE_MS + 40);
  }

  /** Out of sight it is no part of the page's picture; its matrix draws it when it comes back. @param {boolean} seen */
  see(seen) {
    this.seen = seen;
    this.root.style.visibility = seen ? "" : "hidden";
  }

  paint() {
    const { picture, strip, size } = this;
    if (!picture || !strip || !size.width) return;
    const now = performance.now();
    const share = Math.min(1, (now - this.easing.since) / EASE_MS);
    this.shownX = this.easing.from + (picture.hwX - this.easing.from) * (1 - (1 - share) ** 3);
    if (share >= 1) this.shownX = picture.hwX;
    const life = reduced.matches ? CUT_STILL_MS : CUT_MS;
    this.leaving = this.leaving.filter(({ since }) => now - since < life);
    const g = this.fit();
    paintStrip(g, picture, strip, size, {
      hwX: this.shownX,
      leaving: this.leaving.map(({ mark, since }) => ({ mark, age: reduced.matches ? 0 : (now - since) / life })),
    });
  }

  fit() {
    const ratio = devicePixelRatio || 1;
    const width = Math.round(this.size.width * ratio);
    const height = Math.round(this.size.height * ratio);
    if (this.root.width !== width || this.root.height !== height) {
      this.root.width = width;
      this.root.height = height;
    }
    const g = /** @type {CanvasRenderingContext2D} */ (this.root.getContext("2d"));
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, this.size.width, this.size.height);
    return g;
  }
}

/**
 * @param {Copy} copy
 * @param {Partition} partition
 * @param {Token[]} tokens
 * @param {Strip} strip
 * @param {boolean} dead
 * @returns {Picture}
 */
function pictureOf(copy, partition, tokens, strip, dead) {
  /** @type {Picture} */ const picture = {
    records: [],
    folds: [],
    hw: copy.hw,
    leo: copy.leo,
    hwFolded: isFolded(tokens, copy.hw),
    dead,
    hwX: xOf(tokens, strip, copy.hw),
    endX: xOf(tokens, strip, copy.leo),
  };
  tokens.forEach((token, k) => {
    const x = strip.pad + k * strip.pitch;
    if (typeof token !== "number") {
      if (copy.leo > token.from)
        picture.folds.push({ x, text: `+${shortCount(Math.min(copy.leo, token.to) - token.from)}` });
      return;
    }
    if (token >= copy.leo || token < copy.start) return;
    const epoch = epochOf(copy.epochs, token);
    const lost = inRuns(partition.lost, token, epoch);
    picture.records.push({
      offset: token,
      label: offsetLabel(token),
      x,
      hue: mod5(epoch),
      dry: token >= copy.hw,
      lost,
      acked: lost || inRuns(partition.acked, token, epoch),
    });
  });
  return picture;
}

/** @param {Picture} picture */
function keyOf({ records, folds, hw, leo, dead }) {
  let key = `${hw} ${leo} ${dead}`;
  for (const mark of records)
    key += ` ${mark.offset}${mark.hue}${mark.dry ? "d" : ""}${mark.lost ? "x" : mark.acked ? "t" : ""}`;
  for (const fold of folds) key += ` ${fold.x}${fold.text}`;
  return key;
}

/** @param {number} n */
function shortCount(n) {
  if (n < 10_000) return String(n);
  return n < 1_000_000 ? `${Math.round(n / 1000)}k` : `${(n / 1e6).toFixed(1)}M`;
}
