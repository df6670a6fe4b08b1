/**
 * The lane of a recording: what the real cluster did, at the moments when it did it, below what the simulation does.
 * The steps are captions of kind "real" of the document. Pure.
 *
 * @import {Step} from "../run/captions.js"
 */
import { MERGE_PX } from "./marks.js";

const TOLD_MAX = 10;

/** @typedef {{x: number, t: number, texts: string[]}} RealMark */

/**
 * Steps as marks, merged where they would overlap.
 * @param {Step[]} steps @param {(t: number) => number} xOf px of a moment
 * @returns {RealMark[]}
 */
export function realMarks(steps, xOf) {
  /** @type {RealMark[]} */ const marks = [];
  for (const { t, text } of steps) {
    const x = xOf(t);
    const last = marks[marks.length - 1];
    const line = `${(t / 1e6).toFixed(2)} s  ${text}`;
    if (last && x - last.x < MERGE_PX) last.texts.push(line);
    else marks.push({ x, t, texts: [line] });
  }
  return marks;
}

/** The tooltip of a mark. @param {RealMark} mark */
export function tooltip({ texts }) {
  const more = texts.length - TOLD_MAX;
  return ["The real cluster:", ...texts.slice(0, TOLD_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
