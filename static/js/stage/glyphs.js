/**
 * The pictures of messages on the canvas, one per kind. Colours come from the page's tokens, resolved once per theme.
 */
import { MSG } from "../facts/facts.js";

const TOKENS = [
  "bg",
  "surface",
  "sunk",
  "ink",
  "ink-2",
  "ink-3",
  "accent",
  "ok",
  "danger",
  "e0",
  "e1",
  "e2",
  "e3",
  "e4",
  "e0d",
  "e1d",
  "e2d",
  "e3d",
  "e4d",
  "on-epoch",
  "line",
  "water",
  "water-deep",
];

/** With forced colours these are paper, all others ink. */
const PAPER = new Set(["bg", "surface", "sunk", "e0", "e1", "e2", "e3", "e4"]);

/** @typedef {Record<string, string>} Palette */

/** @param {number} epoch @returns {number} of its colour among five */
export const mod5 = (epoch) => (epoch < 0 ? 0 : epoch % 5);

/** @param {HTMLElement} probe any element of the page @returns {Palette} tokens as plain colours, and the sans font */
export function paletteOf(probe) {
  const before = probe.style.color;
  /** @type {Palette} */ const palette = {};
  for (const token of TOKENS) {
    probe.style.color = `var(--${token})`;
    palette[token] = getComputedStyle(probe).color;
  }
  probe.style.color = before;
  if (matchMedia("(forced-colors: active)").matches) {
    for (const token of TOKENS) palette[token] = PAPER.has(token) ? "Canvas" : "CanvasText";
  }
  palette.font = getComputedStyle(document.body).fontFamily;
  return palette;
}

/** Messages whose path is dashed: they ask or report, and carry no records. */
const DASHED = new Set([
  MSG.FETCH,
  MSG.HEARTBEAT,
  MSG.HEARTBEAT_ANSWER,
  MSG.METADATA_FETCH,
  MSG.CONSUMER_FETCH,
  MSG.CLIENT_METADATA,
  MSG.OFFSETS,
  MSG.COMMIT,
]);
/** @param {number} msg */
export const isDashed = (msg) => DASHED.has(/** @type {any} */ (msg));

/**
 * @typedef {{msg: number, count: number, mark: number}} Message
 * @param {CanvasRenderingContext2D} g translated to the message's place
 * @param {Message} message
 * @param {number} angle where it goes, for glyphs that point
 * @param {Palette} colours
 */
export function drawGlyph(g, message, angle, colours) {
  g.lineWidth = 1.8;
  g.strokeStyle = colours.ink ?? "";
  g.fillStyle = colours.surface ?? "";
  g.setLineDash([]);
  halo(g, message, colours);
  (GLYPHS[message.msg] ?? smallRing)(g, message, colours, angle);
}

/** @param {CanvasRenderingContext2D} g @param {Message} message @param {Palette} colours */
function halo(g, message, colours) {
  g.fillStyle = colours.bg ?? "";
  g.beginPath();
  g.arc(0, 0, isSmall(message.msg) ? 6 : 9, 0, 7);
  g.fill();
  g.fillStyle = colours.surface ?? "";
}

/** @param {number} msg */
const isSmall = (msg) => msg === MSG.HEARTBEAT || msg === MSG.HEARTBEAT_ANSWER || !(msg in GLYPHS);

/** @typedef {(g: CanvasRenderingContext2D, message: Message, colours: Palette, angle: number) => void} Painter */

/** @type {Painter} */
function produce(g, message, colours) {
  g.fillStyle = colours.ink ?? "";
  disc(g, 5.5);
  if (message.count > 1) figure(g, message.count, colours.surface, 3, colours);
}

/** @type {Painter} */
function answer(g, message, colours) {
  if (message.mark > 0) return refusal(g, message, colours, 0);
  g.fillStyle = colours.ok ?? "";
  disc(g, 7);
  g.strokeStyle = colours.surface ?? "";
  stroke(g, [
    [-3, 0],
    [-0.8, 2.5],
    [3.5, -2.6],
  ]);
}

/** @type {Painter} */
function refusal(g, _message, colours) {
  g.fillStyle = colours.danger ?? "";
  polygon(g, 8, 7.5, Math.PI / 8);
  g.fill();
  g.strokeStyle = colours.surface ?? "";
  cross(g, 2.8);
}

/** @type {Painter} */
function fetchAsk(g, _message, _colours, angle) {
  g.rotate(angle);
  triangle(g);
}

/** @type {Painter} */
function consumerAsk(g, _message, _colours, angle) {
  g.rotate(angle);
  triangle(g);
  stroke(g, [
    [8.5, -5],
    [8.5, 5],
  ]);
}

/** @type {Painter} */
function records(g, message, colours) {
  g.beginPath();
  g.rect(-6, -6, 12, 12);
  g.fillStyle = (message.count > 0 ? colours[`e${mod5(message.mark)}`] : colours.surface) ?? "";
  g.fill();
  g.stroke();
  if (message.count > 1) figure(g, message.count, colours["on-epoch"], 3.5, colours);
}

/** @type {Painter} */
function smallRing(g) {
  g.beginPath();
  g.arc(0, 0, 4, 0, 7);
  g.fill();
  g.stroke();
}

/** @type {Painter} */
function diamond(g) {
  polygon(g, 4, 7, 0);
  g.fill();
  g.stroke();
}

/** @type {Painter} */
function hexagon(g, _message, colours) {
  polygon(g, 6, 7, 0);
  g.fillStyle = colours.accent ?? "";
  g.fill();
}

/** @type {Painter} */
function hollowHexagon(g) {
  polygon(g, 6, 6.5, 0);
  g.fill();
  g.stroke();
}

/** @type {Record<number, Painter>} */
const GLYPHS = {
  [MSG.PRODUCE]: produce,
  [MSG.PRODUCE_ANSWER]: answer,
  [MSG.FETCH]: fetchAsk,
  [MSG.FETCH_ANSWER]: records,
  [MSG.ALTER_PARTITION]: diamond,
  [MSG.ALTER_PARTITION_ANSWER]: diamond,
  [MSG.METADATA_UPDATE]: hexagon,
  [MSG.CONSUMER_FETCH]: consumerAsk,
  [MSG.CONSUMER_ANSWER]: records,
  [MSG.REGISTER]: hollowHexagon,
  [MSG.REGISTER_ANSWER]: hollowHexagon,
};

/**
 * A dropped message, where it ended.
 * @param {CanvasRenderingContext2D} g
 * @param {Palette} colours
 * @param {number} age 0..1
 */
export function drawShatter(g, colours, age) {
  g.globalAlpha = 1 - age * 0.6;
  g.setLineDash([]);
  g.strokeStyle = colours.danger ?? "";
  g.lineWidth = 2.4;
  cross(g, 4 + age * 3);
  g.globalAlpha = 1;
}

/** @param {CanvasRenderingContext2D} g @param {number} radius */
function disc(g, radius) {
  g.beginPath();
  g.arc(0, 0, radius, 0, 7);
  g.fill();
}

/** @param {CanvasRenderingContext2D} g */
function triangle(g) {
  g.beginPath();
  g.moveTo(6, 0);
  g.lineTo(-5, -5);
  g.lineTo(-5, 5);
  g.closePath();
  g.fill();
  g.stroke();
}

/** @param {CanvasRenderingContext2D} g @param {number} corners @param {number} radius @param {number} turn */
function polygon(g, corners, radius, turn) {
  g.beginPath();
  for (let i = 0; i < corners; i++) {
    const angle = turn + (i * 2 * Math.PI) / corners;
    g.lineTo(radius * Math.cos(angle), radius * Math.sin(angle));
  }
  g.closePath();
}

/** @param {CanvasRenderingContext2D} g @param {[number, number][]} points */
function stroke(g, points) {
  g.beginPath();
  for (const [x, y] of points) g.lineTo(x, y);
  g.stroke();
}

/** @param {CanvasRenderingContext2D} g @param {number} size */
function cross(g, size) {
  stroke(g, [
    [-size, -size],
    [size, size],
  ]);
  stroke(g, [
    [size, -size],
    [-size, size],
  ]);
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {number} count
 * @param {string | undefined} colour
 * @param {number} drop
 * @param {Palette} colours
 */
function figure(g, count, colour, drop, colours) {
  const text = count > 99 ? "+" : String(count);
  g.fillStyle = colour ?? "";
  g.font = `700 ${text.length > 1 ? 8 : 9}px ${colours.font}`;
  g.textAlign = "center";
  g.fillText(text, 0, drop);
}
