/**
 * Paints a record strip. Colours are the page's tokens, resolved once per theme.
 *
 * @import {Strip} from "../run/layout.js"
 * @import {Picture} from "./strip.js"
 */
import { labelsOf } from "./striplabels.js";
import { paletteOf } from "./glyphs.js";

/**
 * @typedef {{offset: number, label: string, x: number, hue: number, dry: boolean, lost: boolean, acked: boolean}} Mark
 *   one record
 */

const DEAD_TINT = 0.38;
const RADIUS = 3;
/** A stripe tile: one stripe of 1.8 px every 5 px, at 45 degrees; drawn at twice the size for sharp screens. */
const TILE_PX = 5;
const STRIPE_PX = 1.8;

/** @typedef {{colours: Record<string, string>, mono: string, stripes: CanvasPattern[], plain: boolean}} Brush */
/** @type {Brush | null} */
let brush = null;
const plainColours = matchMedia("(forced-colors: active)");
const forget = () => {
  brush = null;
};
addEventListener("highwater-theme", forget);
plainColours.addEventListener("change", forget);

/** @param {CanvasRenderingContext2D} g @returns {Brush} */
function brushFor(g) {
  if (brush) return brush;
  const colours = paletteOf(g.canvas);
  const plain = plainColours.matches;
  const mono = getComputedStyle(document.documentElement).getPropertyValue("--mono").trim() || "monospace";
  brush = {
    colours,
    mono,
    plain,
    stripes: [0, 1, 2, 3, 4].map((hue) => stripe(g, colours.surface ?? "", colours[plain ? "ink" : `e${hue}`] ?? "")),
  };
  return brush;
}

/** @param {CanvasRenderingContext2D} g @param {string} paper @param {string} ink @returns {CanvasPattern} */
function stripe(g, paper, ink) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = TILE_PX * 2;
  const pen = /** @type {CanvasRenderingContext2D} */ (tile.getContext("2d"));
  pen.fillStyle = paper;
  pen.fillRect(0, 0, tile.width, tile.height);
  pen.fillStyle = ink;
  pen.fillRect(0, 0, STRIPE_PX * 2, tile.height);
  const pattern = /** @type {CanvasPattern} */ (g.createPattern(tile, "repeat"));
  pattern.setTransform(new DOMMatrix().rotate(45).scale(0.5));
  return pattern;
}

/**
 * @param {CanvasRenderingContext2D} g cleared, in px of the page
 * @param {Picture} picture
 * @param {Strip} strip
 * @param {{width: number, height: number}} size
 * @param {{hwX: number, leaving: {mark: Mark, age: number}[]}} motion
 */
export function paintStrip(g, picture, strip, size, motion) {
  const b = brushFor(g);
  paintWater(g, b, picture, strip, motion.hwX);
  for (const mark of picture.records) paintRecord(g, b, mark, strip, picture.dead);
  for (const { mark, age } of motion.leaving) paintLeaving(g, b, mark, strip, age);
  paintMarks(g, b, picture, strip, size, motion.hwX);
  for (const fold of picture.folds) paintFold(g, b, fold, strip);
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {Brush} b
 * @param {Picture} picture
 * @param {Strip} strip
 * @param {number} hwX
 */
function paintWater(g, b, picture, strip, hwX) {
  const y = strip.top + strip.height + 1;
  const width = hwX - strip.pad;
  if (width <= 0) return;
  g.globalAlpha = picture.dead ? 0.45 : 1;
  g.fillStyle = (b.plain ? b.colours.line : b.colours.water) ?? "";
  g.fillRect(strip.pad, y, width, strip.water);
  if (!strip.phone && !strip.low) paintWave(g, b, strip.pad, hwX, y + strip.water * 0.52, picture.dead);
  g.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {Brush} b
 * @param {number} from
 * @param {number} to
 * @param {number} y
 * @param {boolean} dead
 */
function paintWave(g, b, from, to, y, dead) {
  g.globalAlpha = dead ? 0.2 : 0.45;
  g.strokeStyle = b.colours["water-deep"] ?? "";
  g.lineWidth = 1.3;
  g.beginPath();
  for (let x = from; x <= to; x += 3) g.lineTo(x, y + Math.sin((x - from) / 5.2) * 1.6);
  g.stroke();
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {Brush} b
 * @param {Mark} mark
 * @param {Strip} strip
 * @param {boolean} dead
 */
function paintRecord(g, b, mark, strip, dead) {
  const x = mark.x + 1;
  const y = strip.top + 0.5;
  const width = strip.pitch - 2;
  const height = strip.height - 1;
  g.beginPath();
  g.roundRect(x, y, width, height, RADIUS);
  if (mark.dry) g.fillStyle = b.stripes[mark.hue] ?? "";
  else {
    if (dead) {
      g.fillStyle = b.colours.surface ?? "";
      g.fill();
      g.globalAlpha = DEAD_TINT;
    }
    g.fillStyle = b.colours[`e${mark.hue}`] ?? "";
  }
  g.fill();
  g.globalAlpha = dead && !mark.lost ? 0.75 : 1;
  g.strokeStyle = (mark.lost ? b.colours.danger : b.colours[`e${mark.hue}d`]) ?? "";
  g.lineWidth = mark.lost ? 2 : mark.dry ? 1.4 : 1;
  g.stroke();
  g.globalAlpha = 1;
  paintFace(g, b, mark, strip, !mark.dry && !dead);
}

/**
 * Offset and tick or cross.
 * @param {CanvasRenderingContext2D} g
 * @param {Brush} b
 * @param {Mark} mark
 * @param {Strip} strip
 * @param {boolean} onHue
 */
function paintFace(g, b, mark, strip, onHue) {
  const tall = strip.height > 38;
  const bare = strip.height < (strip.phone ? 34 : 26);
  const middle = mark.x + strip.pitch / 2;
  if (mark.dry) {
    g.globalAlpha = 0.86;
    g.fillStyle = b.colours.surface ?? "";
    g.fillRect(mark.x + 3, strip.top + 3.5, Math.max(0, strip.pitch - 6), bare ? strip.height - 7 : tall ? 17 : 13);
    g.globalAlpha = 1;
  }
  const ink = (onHue && !b.plain ? b.colours["on-epoch"] : b.colours.ink) ?? "";
  g.fillStyle = ink;
  g.font = `${mark.lost ? 700 : 400} ${strip.phone ? 10.5 : tall && mark.label.length < 3 ? 12.5 : 11}px ${b.mono}`;
  g.textAlign = "center";
  g.textBaseline = "alphabetic";
  g.fillText(mark.label, middle, bare ? strip.top + strip.height / 2 + 4 : strip.top + (tall ? 18 : 14));
  if (!bare)
    paintSign(g, mark, middle, strip.top + strip.height - (tall ? 11 : 7), mark.lost ? (b.colours.danger ?? "") : ink);
}

/** @param {CanvasRenderingContext2D} g @param {Mark} mark @param {number} x @param {number} y @param {string} colour */
function paintSign(g, mark, x, y, colour) {
  if (!mark.acked) return;
  g.strokeStyle = colour;
  g.lineWidth = mark.lost ? 2 : 1.5;
  g.beginPath();
  if (mark.lost) {
    g.moveTo(x - 3, y - 3);
    g.lineTo(x + 3, y + 3);
    g.moveTo(x + 3, y - 3);
    g.lineTo(x - 3, y + 3);
  } else {
    g.moveTo(x - 3.5, y);
    g.lineTo(x - 1, y + 2.5);
    g.lineTo(x + 3.5, y - 2.3);
  }
  g.stroke();
}

/**
 * A record that was cut off slides away, struck.
 * @param {CanvasRenderingContext2D} g
 * @param {Brush} b
 * @param {Mark} mark
 * @param {Strip} strip
 * @param {number} age 0..1
 */
function paintLeaving(g, b, mark, strip, age) {
  g.save();
  g.globalAlpha = 1 - age;
  g.translate(age * 24, 0);
  paintRecord(g, b, mark, strip, true);
  g.strokeStyle = b.colours.danger ?? "";
  g.lineWidth = 2;
  g.beginPath();
  g.moveTo(mark.x + 2, strip.top + strip.height - 3);
  g.lineTo(mark.x + strip.pitch - 2, strip.top + 3);
  g.stroke();
  g.restore();
}

/** @param {CanvasRenderingContext2D} g @param {Brush} b @param {{x: number, text: string}} fold @param {Strip} strip */
function paintFold(g, b, fold, strip) {
  const y = dotsY(strip);
  g.strokeStyle = b.colours["ink-3"] ?? "";
  g.lineWidth = 2;
  g.setLineDash([2, 3]);
  g.beginPath();
  g.moveTo(fold.x + 4, y);
  g.lineTo(fold.x + Math.max(6, strip.pitch - 4), y);
  g.stroke();
  g.setLineDash([]);
  g.fillStyle = b.colours["ink-2"] ?? "";
  g.font = `${fold.text.length > 3 ? 9 : strip.phone ? 9.5 : 11}px ${b.mono}`;
  g.textAlign = "center";
  g.fillText(fold.text, fold.x + strip.pitch / 2, y - 5);
}

/** The height of the dots of a fold; its count stands above them. @param {Strip} strip */
const dotsY = (strip) => strip.top + strip.height * (strip.height < 26 ? 0.75 : 0.5);

/**
 * Waterline, log end and their labels, which never overlap.
 * @param {CanvasRenderingContext2D} g
 * @param {Brush} b
 * @param {Picture} picture
 * @param {Strip} strip
 * @param {{width: number, height: number}} size
 * @param {number} hwX
 */
function paintMarks(g, b, picture, strip, size, hwX) {
  const waterY = strip.top + strip.height + 1;
  g.globalAlpha = picture.dead ? 0.6 : 1;
  g.fillStyle = b.colours["water-deep"] ?? "";
  const top = picture.hwFolded ? dotsY(strip) + 3 : Math.max(0, strip.top - 3); // below the fold's count: it is not cut
  g.fillRect(hwX - 1.25, top, 2.5, waterY + strip.water - top);
  g.globalAlpha = 1;
  g.fillStyle = b.colours["ink-2"] ?? "";
  g.beginPath();
  const foot = waterY + (strip.low ? strip.water : 8.5);
  g.moveTo(picture.endX, waterY + (strip.low ? -2 : 1));
  g.lineTo(picture.endX - 4.5, foot);
  g.lineTo(picture.endX + 4.5, foot);
  g.fill();
  const { hw, leo } = labelsOf(picture, strip, size.width);
  const y = strip.phone
    ? size.height - 4
    : Math.min(size.height - (strip.low ? 2 : 4), waterY + strip.water + (strip.low ? 10 : 13));
  g.textAlign = "left";
  g.font = `11px ${b.mono}`;
  g.fillText(leo.text, leo.left, y);
  g.font = `700 11px ${b.mono}`;
  g.fillStyle = b.colours.accent ?? "";
  g.fillText(hw.text, hw.left, y);
}
