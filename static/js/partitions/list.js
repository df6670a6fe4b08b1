/**
 * A list of partitions: name, replicas by AZ (a crown on the leader, dashed if lost), why. A press on a head sorts it.
 * Copy and CSV take all rows; of a long list only the rows in view are drawn. Its styles are css/partitions.css.
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { copy } from "../kit/kit.js";
import { save } from "../kit/save.js";
import { plural } from "../kit/wording.js";
import {
  azName,
  azsOf,
  csv,
  nameOf,
  nextOrder,
  replicasIn,
  ROWS_DRAWN_MAX,
  rowsInView,
  sorted,
  tabbed,
} from "./rows.js";

const VIEW_PX = 360;
const ROW_PX = 31; // a row on a desk; a phone's are measured

/**
 * @param {{items: import("./rows.js").Item[], title?: string, file?: string}} props `title` is said before the number;
 *   `file` names the CSV
 */
export function PartitionList({ items, title = "", file = "partitions" }) {
  const [order, setOrder] = useState({ by: "", isDown: false });
  const [top, setTop] = useState(0);
  const [rowPx, setRowPx] = useState(ROW_PX);
  const view = useRef(/** @type {HTMLElement | null} */ (null));
  const azs = azsOf(items);
  const rows = sorted(items, order);
  const { from, to } = rowsInView(rows.length, rowPx, top, VIEW_PX);
  useLayoutEffect(() => {
    const row = view.current?.querySelector("tr[data-partition]");
    if (row) setRowPx(row.getBoundingClientRect().height || ROW_PX);
  }, [items]);
  const sort = (/** @type {string} */ by) => setOrder(nextOrder(order, by));
  return html`<section class="pl" data-testid="partition-list" data-total=${rows.length}>
    <header class="pl-head"><h3>${title ? `${title}: ` : ""}${plural(rows.length, "partition")}</h3>
      <button type="button" class="btn sm ghost" data-testid="list-copy"
        onClick=${() => copy(tabbed(rows), `${plural(rows.length, "partition")} copied.`)}><${Icon} name="copy"
          />Copy</button>
      <button type="button" class="btn sm ghost" data-testid="list-csv"
        onClick=${() => save(new Blob([csv(rows)], { type: "text/csv" }), `${file}.csv`)}><${Icon}
          name="download" />CSV</button></header>
    <div class="pl-view" ref=${view} tabindex="0" role="region" aria-label=${title || "Partitions"}
      style=${{ maxHeight: `${VIEW_PX}px` }}
      onScroll=${(/** @type {any} */ event) => rows.length > to - from && setTop(event.currentTarget.scrollTop)}>
      <table class=${`pl-table ${rows.length > ROWS_DRAWN_MAX ? "windowed" : ""}`}
        aria-rowcount=${rows.length + 1}><thead><tr>
        <${Head} by="partition" order=${order} sort=${sort}>Partition<//>
        ${azs.map(
          (az) => html`<${Head} key=${az} by=${`az:${az}`} order=${order} sort=${sort}><span class="pl-name"
          title=${azName(az)}>${azName(az)}</span><//>`,
        )}
        <${Head} by="why" order=${order} sort=${sort}>Why<//></tr></thead>
        <tbody>${from > 0 && html`<${Gap} px=${from * rowPx} columns=${azs.length + 2} />`}
          ${rows.slice(from, to).map(
            (item, index) => html`<${Row} key=${nameOf(item)} item=${item} azs=${azs}
            at=${from + index + 2} />`,
          )}
          ${
            to < rows.length &&
            html`<${Gap} px=${(rows.length - to) * rowPx} columns=${azs.length + 2}
            />`
          }</tbody></table></div></section>`;
}

/** @param {{by: string, order: import("./rows.js").Order, sort: (by: string) => void, children?: any}} props */
function Head({ by, order, sort, children }) {
  const state = order.by !== by ? "none" : order.isDown ? "descending" : "ascending";
  return html`<th scope="col" aria-sort=${state}><button type="button" data-testid=${`list-sort-${by}`}
    onClick=${() => sort(by)}>${children}<span class="pl-sort"
      aria-hidden="true">${state === "none" ? "" : state === "ascending" ? "▲" : "▼"}</span></button></th>`;
}

/** @param {{px: number, columns: number}} props */
const Gap = ({ px, columns }) =>
  html`<tr class="pl-gap" aria-hidden="true"><td colspan=${columns} style=${{ height: `${px}px` }}></td></tr>`;

/** @param {{item: import("./rows.js").Item, azs: string[], at: number}} props */
const Row = ({ item, azs, at }) => html`<tr data-partition=${nameOf(item)} aria-rowindex=${at}>
  <th scope="row">${nameOf(item)}</th>
  ${azs.map(
    (az) => html`<td key=${az} class="pl-az"
    data-az=${azName(az)}>${replicasIn(item, az).map(
      (one) => html`<${Chip} key=${one.id} replica=${one}
      />`,
    )}${!replicasIn(item, az).length && html`<span class="pl-none">–</span>`}</td>`,
  )}
  <td class="pl-why">${item.why}</td></tr>`;

/** @param {{replica: import("./rows.js").Replica}} props */
const Chip = ({ replica: { id, leads, lost } }) => html`<span class=${`pl-rep ${lost ? "lost" : ""}`}
  title=${`broker ${id}${leads ? ", leader" : ""}${lost ? ", lost" : ""}`}>
  ${leads && html`<${Icon} name="crown" />`}${id}<span
    class="vh">${leads ? " leader" : ""}${lost ? " lost" : ""}</span></span>`;
