/**
 * The pasted state as a small matrix: brokers in columns, grouped by AZ, partitions in rows, the troubled ones first.
 */
import { html } from "../kit/html.js";

const CELLS_MAX = 1500; // replicas drawn; the rest is counted in words
const CELL = 22;
const DENSE = { from: 25, cell: 13 }; // brokers from which on the cells are small, and their width

/**
 * @param {{matrix: {rows: [string, number, number[], number[]][], more: number}, brokers:
 *   import("./site_paste.js").BrokerRow[],
 *   racks: Record<string, string>}} props
 */
export function Matrix({ matrix, brokers, racks }) {
  const columns = [...brokers].sort((a, b) => racks[a.id].localeCompare(racks[b.id]) || a.id - b.id);
  const place = new Map(columns.map((broker, index) => [broker.id, index + 2]));
  const factor = Math.max(1, ...matrix.rows.map(([, , cells]) => cells.length));
  const rows = matrix.rows.slice(0, Math.max(10, Math.floor(CELLS_MAX / factor)));
  const hidden = matrix.rows.length - rows.length + matrix.more;
  const down = new Set(brokers.filter((one) => one.state !== "running").map((one) => one.id));
  if (!rows.length) return null;
  return html`<section class="card flush p-matrix">
    <div class="scroll" tabindex="0" role="region" aria-label="Replicas by broker, all rows"><div
      class=${`p-grid ${columns.length >= DENSE.from ? "dense" : ""}`}
        style=${{
          gridTemplateColumns:
            `minmax(120px, max-content) repeat(${columns.length}, ` +
            `${columns.length >= DENSE.from ? `${DENSE.cell}px` : `minmax(${CELL}px, max-content)`})`,
        }}>
      ${zonesOf(columns, racks).map(
        ([zone, from, length]) => html`<span class="zone"
        style=${{ gridColumn: `${from + 2} / span ${length}` }} title=${zone}>${zone}</span>`,
      )}
      <span class="corner"></span>
      ${columns.map(
        (broker) => html`<span class=${`head ${broker.state}`}
        title=${`broker ${broker.id}: ${broker.state}`}>${broker.id}</span>`,
      )}
      ${rows.map((row, index) => html`<${Row} row=${row} at=${index + 3} place=${place} down=${down} />`)}
    </div></div>
    <p class="p-key"><span><i class="rep lead"></i>leader</span><span><i class="rep in"></i>in ISR</span><span><i
      class="rep out"></i>not in ISR</span>
      ${hidden > 0 && html`<span class="end">${hidden.toLocaleString("en")} more partitions</span>`}</p></section>`;
}

/**
 * @param {{row: [string, number, number[], number[]], at: number, place: Map<number, number>, down: Set<number>}} props
 */
function Row({ row, at, place, down }) {
  const [name, leader, replicas, isr] = row;
  const tone = leader === -1 ? "bad" : isr.length < replicas.length ? "risk" : "";
  const words =
    `${name}: ${leader === -1 ? "no leader" : `leader ${leader}`}, replicas ${replicas.join(", ")}, in ` +
    `sync ${isr.join(", ") || "none"}`;
  return html`<span class=${`name ${tone}`} title=${words} style=${{ gridRow: at }}><span
    class="vh">${words}</span><span aria-hidden="true">${name}</span></span>
    ${replicas.map((broker) => {
      const role = broker === leader ? "lead" : isr.includes(broker) ? "in" : "out";
      return html`<i class=${`rep ${role} ${down.has(broker) ? "down" : ""}`} aria-hidden="true"
        style=${{ gridColumn: place.get(broker), gridRow: at }}></i>`;
    })}`;
}

/**
 * Neighbouring columns of one AZ: its name, first column, number of columns.
 * @param {import("./site_paste.js").BrokerRow[]} columns
 * @param {Record<string, string>} racks
 */
function zonesOf(columns, racks) {
  const zones = /** @type {[string, number, number][]} */ ([]);
  columns.forEach((broker, index) => {
    const last = zones[zones.length - 1];
    if (last && last[0] === racks[broker.id]) last[2] += 1;
    else zones.push([racks[broker.id], index, 1]);
  });
  return zones;
}
