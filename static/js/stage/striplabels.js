/**
 * The labels of a record strip's high watermark and log end: each at its mark, inside the cell, never touching. Pure.
 *
 * @import {Strip} from "../run/layout.js"
 */
import { LETTER_PX, offsetLabel } from "../run/layout.js";

/** so far apart two labels read as two, px; on phones there is less room */
export const LABEL_GAP = 14;
export const LABEL_GAP_PHONE = 8;
/**
 * the label begins this far before the triangle of its log end, and ends this far behind the line of its watermark, px
 */
const LEO_OVERHANG = 3;
const HW_OVERHANG = 1;

/**
 * @param {{hw: number, leo: number, hwX: number, endX: number}} marks  offsets, and where they stand, px
 * @param {Pick<Strip, "pad" | "phone">} strip
 * @param {number} width  of the cell's content, px
 * @returns {{hw: {text: string, left: number}, leo: {text: string, left: number}}} where there is no room for the names
 *   only the figures, or their ends
 */
export function labelsOf({ hw, leo, hwX, endX }, strip, width) {
  const gap = strip.phone ? LABEL_GAP_PHONE : LABEL_GAP;
  const room = width - strip.pad * 2;
  const forms = /** @type {const} */ ([
    [`HW ${hw}`, `LEO ${leo}`],
    [String(hw), String(leo)],
    [offsetLabel(hw), offsetLabel(leo)],
  ]);
  const [hwText, leoText] = forms.find(([one, other]) => widthOf(one) + gap + widthOf(other) <= room) ?? forms[2];
  const [hwWidth, leoWidth] = [widthOf(hwText), widthOf(leoText)];
  const right = width - strip.pad;
  let leoLeft = strip.phone ? right - leoWidth : Math.min(Math.max(endX - LEO_OVERHANG, strip.pad), right - leoWidth);
  let hwRight = strip.phone ? strip.pad + hwWidth : Math.max(hwX + HW_OVERHANG, strip.pad + hwWidth);
  hwRight = Math.max(strip.pad + hwWidth, Math.min(hwRight, leoLeft - gap));
  leoLeft = Math.min(right - leoWidth, Math.max(leoLeft, hwRight + gap));
  return {
    hw: { text: hwText, left: Math.round(hwRight - hwWidth) },
    leo: { text: leoText, left: Math.round(leoLeft) },
  };
}

/** @param {string} text */
const widthOf = (text) => text.length * LETTER_PX;
