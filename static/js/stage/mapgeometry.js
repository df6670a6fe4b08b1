/** The geometry of the map's canvas. Pure. */

const LABEL_PX = 132;
/** the line of broker ids below the bars */
export const IDS_PX = 14;
/** where the bars begin, below the names of the AZs */
const NAMES_PX = 24;
/** a mark of a partition, with its gap */
const MARK_PX = 8.5;

/**
 * @typedef {{name: string, columns: number}} RackColumns
 * @typedef {object} MapLayout
 * @property {number} left @property {number} top @property {number} cell @property {number} row
 * @property {number} gap @property {number} marks x of the partition marks, 0 without
 * @property {number} tile @property {boolean} phone @property {number} width @property {number} height
 * @property {RackColumns[]} racks
 * @property {number[]} xs left edge per column
 * @property {{top: number, bottom: number}} bars
 * @property {(x: number, y: number) => {row: number, column: number} | null} cellAt
 * @property {(row: number, column: number) => {x: number, y: number}} placeOf
 */

/** The number of lines of marks that a row has room for. @param {number} row px @param {number} tile px */
export const markLines = (row, tile) => Math.max(1, Math.min(3, Math.floor(row / tile)));

/**
 * @param {{width: number, height: number, phone: boolean, rows: number, racks: RackColumns[], mostPartitions: number}}
 *   room
 * @returns {MapLayout}
 */
export function layoutMap({ width, height, phone, rows, racks, mostPartitions }) {
  const left = phone ? 0 : LABEL_PX;
  const top = (phone ? 46 : 66) + IDS_PX;
  const gap = phone ? 4 : 8;
  const columns = racks.reduce((all, rack) => all + rack.columns, 0);
  const row = Math.min(34, (height - top - 2) / Math.max(1, rows));
  const tiles = Math.ceil(mostPartitions / markLines(row, MARK_PX));
  const forMarks = phone ? 0 : Math.min(470, (width - left) * 0.385);
  const tile = forMarks ? Math.min(MARK_PX, (forMarks - 8) / tiles) : 0;
  const marksWidth = tile ? Math.max(120, tiles * tile + 6) : 0;
  const cell = Math.min(
    64,
    (width - left - marksWidth - gap * Math.max(0, racks.length - 1) - (tile ? 22 : 0)) / Math.max(1, columns),
  );
  /** @type {number[]} */ const xs = [];
  racks.forEach((rack, r) => {
    for (let i = 0; i < rack.columns; i++) xs.push(left + xs.length * cell + r * gap);
  });
  const end = (xs[xs.length - 1] ?? left) + cell;
  return {
    left,
    top,
    cell,
    row,
    gap,
    tile,
    phone,
    width,
    height,
    racks,
    xs,
    bars: { top: NAMES_PX, bottom: top - IDS_PX - 4 },
    marks: tile ? end + 20 : 0,
    cellAt(x, y) {
      const column = xs.findIndex((at) => x >= at && x < at + cell);
      const line = Math.floor((y - top) / row);
      if (line < 0 || line >= rows || column < 0) return null;
      return { row: line, column };
    },
    placeOf: (line, column) => ({ x: (xs[column] ?? left) + cell / 2, y: top + line * row + row / 2 }),
  };
}
