/**
 * Painting of the map's canvas.
 *
 * @import {MapData, MapRow} from "../run/mapdata.js"
 * @import {Health} from "../run/layout.js"
 * @import {MapLayout} from "./mapgeometry.js"
 */
import { namedEvery, namedOnPhone } from "../run/layout.js";
import { paletteOf } from "./glyphs.js";
import { IDS_PX, markLines } from "./mapgeometry.js";

const UNDER_MIN = "#E69F00";
const PHONE_NAME_PX = 13;
const DIGIT_PX = 6.2;

/**
 * @param {CanvasRenderingContext2D} g
 * @param {MapLayout} at
 * @param {MapData} data
 * @param {{probe: HTMLElement, dead: boolean[], ids: number[], row: number, column: number, only: Health | null}} state
 *   column: that of the pointer or of the selected broker, -1: none
 */
export function paintMap(g, at, data, state) {
  const colours = { ...paletteOf(state.probe) };
  g.clearRect(0, 0, at.width, at.height);
  g.textBaseline = "middle";
  paintRacks(g, at, colours, state.dead);
  if (state.column >= 0) paintColumn(g, at, state.column, colours);
  paintLoad(g, at, data, colours, state.dead);
  paintIds(g, at, state, colours);
  const named = at.phone ? namedOnPhone(data.rows.map(isTroubled), at.row) : new Set();
  data.rows.forEach((row, i) => {
    const y = at.top + i * at.row;
    const faded = state.only !== null && !row.counts[state.only];
    g.globalAlpha = faded ? 0.25 : 1;
    if (i === state.row) paintHover(g, at, y, colours);
    paintRow(g, at, row, i, data.most, colours, state.dead, faded ? 0.25 : 1);
    if (at.marks) paintMarks(g, at, row, y, colours, state.only);
    g.globalAlpha = 1;
  });
  named.forEach((i) => phoneLabel(g, at, data.rows[i]?.name ?? "", at.top + i * at.row, colours));
}

/** @typedef {Record<string, string>} Colours */

/** @param {CanvasRenderingContext2D} g @param {MapLayout} at @param {number} y @param {Colours} colours */
function paintHover(g, at, y, colours) {
  g.fillStyle = colours.accent ?? "";
  g.globalAlpha *= 0.14;
  g.fillRect(0, y, at.width, at.row);
  g.globalAlpha = 1;
}

/**
 * The column of one broker.
 * @param {CanvasRenderingContext2D} g
 * @param {MapLayout} at
 * @param {number} column
 * @param {Colours} colours
 */
function paintColumn(g, at, column, colours) {
  g.fillStyle = colours.accent ?? "";
  g.globalAlpha = 0.2;
  g.fillRect((at.xs[column] ?? 0) - 0.5, at.bars.top - 2, at.cell + 0.5, at.height - at.bars.top);
  g.globalAlpha = 1;
}

/**
 * Broker ids below the bars: all of them, or every second, fifth or tenth where they would touch; the marked column's
 * always.
 * @param {CanvasRenderingContext2D} g
 * @param {MapLayout} at
 * @param {{ids: number[], dead: boolean[], column: number}} state
 * @param {Colours} colours
 */
function paintIds(g, at, { ids, dead, column }, colours) {
  const wide = Math.max(...ids.map((id) => String(id).length)) * DIGIT_PX + 1;
  const every = [1, 2, 5, 10, 20].find((step) => step * at.cell >= wide) ?? 20;
  ids.forEach((id, i) => {
    const near = column >= 0 && Math.abs(i - column) * at.cell < wide;
    if (i !== column && (i % every || (near && every > 1))) return;
    label(
      g,
      String(id),
      (at.xs[i] ?? 0) + at.cell / 2,
      at.top - IDS_PX / 2 - 2,
      `${i === column ? 600 : 400} 11px ${colours.font}`,
      i === column ? colours.ink : dead[i] ? colours.danger : colours["ink-2"],
      "center",
    );
  });
}

/** @param {CanvasRenderingContext2D} g @param {MapLayout} at @param {Colours} colours @param {boolean[]} dead */
function paintRacks(g, at, colours, dead) {
  let first = 0;
  for (const rack of at.racks) {
    const alive = dead.slice(first, first + rack.columns).filter((down) => !down).length;
    const x = at.xs[first] ?? at.left;
    const width = at.cell * rack.columns;
    const down = alive === 0 && rack.columns > 0;
    g.fillStyle = (down ? colours.bg : colours.surface) ?? "";
    g.strokeStyle = (down ? colours["ink-3"] : colours.line) ?? "";
    g.setLineDash(down ? [5, 4] : []);
    g.lineWidth = 1;
    g.beginPath();
    g.roundRect(x - 2.5, 0.5, width + 5, Math.min(at.height - 1, at.height), 8);
    g.fill();
    g.stroke();
    g.setLineDash([]);
    label(
      g,
      down ? `✕ ${rack.name || "no rack"} down` : rack.name || "no rack",
      x + 5,
      12,
      `600 12px ${colours.font}`,
      down ? colours.danger : colours.ink,
      "left",
    );
    if (!at.phone && !down && width > 110)
      label(g, `${alive} active`, x + width - 4, 12, `400 11px ${colours.font}`, colours["ink-2"], "right");
    first += rack.columns;
  }
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {MapLayout} at
 * @param {MapData} data
 * @param {Colours} colours
 * @param {boolean[]} dead
 */
function paintLoad(g, at, data, colours, dead) {
  const most = Math.max(1, ...data.load, ...data.preferred);
  const { bottom } = at.bars;
  const room = bottom - at.bars.top;
  at.xs.forEach((x, i) => {
    const height = ((data.load[i] ?? 0) / most) * room;
    const usual = ((data.preferred[i] ?? 0) / most) * room;
    g.fillStyle = colours["ink-3"] ?? "";
    g.fillRect(x + 0.5, bottom - height, Math.max(1, at.cell - 1.5), height);
    g.strokeStyle = (dead[i] ? colours["ink-3"] : colours.bg) ?? "";
    g.lineWidth = 1.5;
    g.setLineDash(dead[i] ? [2, 2] : []);
    g.beginPath();
    if (dead[i]) g.rect(x + 1, bottom - usual, Math.max(1, at.cell - 2.5), usual);
    else {
      g.moveTo(x, bottom - usual);
      g.lineTo(x + at.cell - 1, bottom - usual);
    }
    g.stroke();
    g.setLineDash([]);
  });
  if (at.phone) return;
  label(g, "leaders per broker", at.left - 10, bottom - 12, `11px ${colours.font}`, colours["ink-2"], "right");
  if (at.marks)
    label(g, "one mark per partition", at.marks, bottom - 4, `11px ${colours.font}`, colours["ink-2"], "left");
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {MapLayout} at
 * @param {MapRow} row
 * @param {number} i its place
 * @param {number} most
 * @param {Colours} colours
 * @param {boolean[]} dead
 * @param {number} alpha
 */
function paintRow(g, at, row, i, most, colours, dead, alpha) {
  const y = at.top + i * at.row;
  const bad = isTroubled(row);
  if (!at.phone && i % namedEvery(at.row) === 0) {
    label(
      g,
      fit(g, row.name, at.left - 14),
      at.left - 10,
      y + at.row / 2,
      `${bad ? 600 : 400} 12px ${colours.font}`,
      bad ? colours.ink : colours["ink-2"],
      "right",
    );
  }
  const height = Math.max(1, at.row - 2.5);
  at.xs.forEach((x, i) => {
    const replicas = row.replicas[i] ?? 0;
    if (!replicas) return;
    const width = Math.max(1, at.cell - 1.5);
    const offline = row.worst[i] === "offline";
    if (dead[i]) {
      g.strokeStyle = (offline ? colours.danger : colours["ink-3"]) ?? "";
      g.globalAlpha = alpha * (offline ? 1 : 0.35 + 0.5 * Math.min(1, replicas / most));
      g.strokeRect(x + 1, y + 1.5, Math.max(1, width - 1), height - 1);
    } else if (row.worst[i] === "under-min") {
      g.fillStyle = UNDER_MIN;
      g.fillRect(x + 0.5, y + 1, width, height);
    } else {
      g.fillStyle = colours.accent ?? "";
      g.globalAlpha = alpha * (0.14 + 0.78 * Math.min(1, (row.inSync[i] ?? 0) / most));
      g.fillRect(x + 0.5, y + 1, width, height);
      if (offline) {
        g.globalAlpha = alpha;
        g.strokeStyle = colours.danger ?? "";
        g.strokeRect(x + 1, y + 1.5, Math.max(1, width - 1), height - 1);
      }
    }
    g.globalAlpha = alpha;
  });
}

/** True if a partition of a row takes no writes. @param {MapRow} row */
const isTroubled = (row) => row.counts.offline + row.counts["under-min"] > 0;

/**
 * @param {CanvasRenderingContext2D} g
 * @param {MapLayout} at
 * @param {string} name
 * @param {number} y
 * @param {Colours} colours
 */
function phoneLabel(g, at, name, y, colours) {
  g.font = `600 11px ${colours.font}`;
  g.fillStyle = colours.bg ?? "";
  const height = Math.max(at.row, PHONE_NAME_PX);
  g.fillRect(at.left + 2, y + (at.row - height) / 2, g.measureText(name).width + 8, height);
  label(g, name, at.left + 6, y + at.row / 2, `600 11px ${colours.font}`, colours.danger, "left");
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {MapLayout} at
 * @param {MapRow} row
 * @param {number} y
 * @param {Colours} colours
 * @param {Health | null} only
 */
function paintMarks(g, at, row, y, colours, only) {
  if (at.tile < 4) return paintStack(g, at, row, y, colours);
  const lines = markLines(at.row, at.tile);
  const size = at.tile - 1.3;
  const yy = y + (at.row - lines * at.tile) / 2;
  row.states.forEach((state, k) => {
    const px = at.marks + Math.floor(k / lines) * at.tile;
    const py = yy + (k % lines) * at.tile;
    g.globalAlpha = only && state !== only ? 0.15 : 1;
    paintMark(g, state, px, py, size, colours);
  });
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {Health} state
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {Colours} colours
 */
function paintMark(g, state, x, y, size, colours) {
  g.lineWidth = 1;
  if (state === "healthy") {
    g.fillStyle = colours["ink-3"] ?? "";
    g.fillRect(x + size / 2 - 1, y + size / 2 - 1, 2, 2);
  } else if (state === "under-replicated") {
    g.strokeStyle = colours.accent ?? "";
    g.strokeRect(x + 0.7, y + 0.7, size - 1, size - 1);
  } else if (state === "under-min") {
    g.fillStyle = UNDER_MIN;
    g.fillRect(x, y, size, size);
    g.strokeStyle = colours["ink-3"] ?? "";
    g.strokeRect(x + 0.3, y + 0.3, size - 0.3, size - 0.3);
  } else {
    g.strokeStyle = colours.danger ?? "";
    g.lineWidth = 1.7;
    g.beginPath();
    g.moveTo(x, y);
    g.lineTo(x + size, y + size);
    g.moveTo(x + size, y);
    g.lineTo(x, y + size);
    g.stroke();
  }
}

/**
 * Too many partitions for marks: one bar of the four counts.
 * @param {CanvasRenderingContext2D} g
 * @param {MapLayout} at
 * @param {MapRow} row
 * @param {number} y
 * @param {Colours} colours
 */
function paintStack(g, at, row, y, colours) {
  const width = at.width - at.marks - 4;
  const total = Math.max(1, row.partitions.length);
  let x = at.marks;
  for (const [state, colour] of /** @type {[Health, string | undefined][]} */ ([
    ["offline", colours.danger],
    ["under-min", UNDER_MIN],
    ["under-replicated", colours.accent],
    ["healthy", colours.line],
  ])) {
    const part = (row.counts[state] / total) * width;
    g.fillStyle = colour ?? "";
    g.fillRect(x, y + at.row * 0.25, part, at.row * 0.5);
    x += part;
  }
}

/**
 * @param {CanvasRenderingContext2D} g
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} font
 * @param {string | undefined} colour
 * @param {CanvasTextAlign} align
 */
function label(g, text, x, y, font, colour, align) {
  g.font = font;
  g.fillStyle = colour ?? "";
  g.textAlign = align;
  g.fillText(text, x, y);
}

/** @param {CanvasRenderingContext2D} g @param {string} text @param {number} width */
function fit(g, text, width) {
  g.font = "600 12px sans-serif";
  if (g.measureText(text).width <= width) return text;
  let short = text;
  while (short.length > 3 && g.measureText(`${short}…`).width > width) short = short.slice(0, -1);
  return `${short}…`;
}
