/** A configuration's mark: letter, shape and hue together, the same in the table and in every chart. */
import { html } from "../kit/html.js";

const HUES = ["e0", "e1", "e2", "e4", "e3", "e0", "e1", "e2"];
const DASHES = ["", "7 4", "", "2 4", "9 3 2 3", "4 2", "12 4", "1 3"];

/** @param {string} letter */
const place = (letter) => letter.charCodeAt(0) - 65;

/** @param {string} letter */
export const fill = (letter) => `var(--${HUES[place(letter) % HUES.length]})`;
/** @param {string} letter */
export const stroke = (letter) => `var(--${HUES[place(letter) % HUES.length]}d)`;
/** @param {string} letter */
export const dash = (letter) => DASHES[place(letter) % DASHES.length];

/**
 * Path of a shape around a point.
 * @param {string} letter
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function path(letter, x, y, r) {
  const kind = place(letter) % 4;
  if (kind === 0) return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  if (kind === 1) return `M${x - r * 0.9} ${y - r * 0.9}h${r * 1.8}v${r * 1.8}h${-r * 1.8}z`;
  if (kind === 2) return `M${x} ${y - r * 1.15}l${r * 1.1} ${r * 2}h${-r * 2.2}z`;
  return `M${x} ${y - r * 1.25}l${r * 1.25} ${r * 1.25}-${r * 1.25} ${r * 1.25}-${r * 1.25}-${r * 1.25}z`;
}

/** The 26 px mark with its letter. @param {{letter: string, x?: number, y?: number}} props */
export const Key = ({
  letter,
}) => html`<svg class="w-key" viewBox="0 0 26 26" width="26" height="26" aria-hidden="true">
  <path d=${path(letter, 13, 13, 10)} fill=${fill(letter)} stroke=${stroke(letter)} stroke-width="1.5" />
  <text x="13" y=${place(letter) % 4 === 2 ? 18 : 17} text-anchor="middle">${letter}</text></svg>`;

/** The same inside a chart. @param {{letter: string, x: number, y: number}} props */
export const ChartKey = ({
  letter,
  x,
  y,
}) => html`<g class="w-key" transform=${`translate(${x - 10} ${y - 10}) scale(.77)`}>
  <path d=${path(letter, 13, 13, 10)} fill=${fill(letter)} stroke=${stroke(letter)} stroke-width="1.5" />
  <text x="13" y=${place(letter) % 4 === 2 ? 18 : 17} text-anchor="middle">${letter}</text></g>`;
