/** A chart in a card: title, note, `Show as table`, and a drawing that knows its width. */
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../kit/html.js";

/**
 * `role`: "group" for a drawing with links in it.
 * @param {{id: string, title: string, note?: string, role?: "img" | "group", draw: (width: number) => any, height:
 *   number | ((width: number) => number), label: string,
 *   table: {head: string[], rows: (string | number)[][]}}} props
 */
export function Figure({ id, title, note, role = "img", draw, height, label, table }) {
  const [asTable, setAsTable] = useState(false);
  const [box, width] = useWidth();
  const tall = typeof height === "function" ? height(width) : height;
  const picture = html`<div class="w-plot" ref=${box}>
    <svg role=${role} aria-label=${label} viewBox=${`0 0 ${width} ${tall}`} width=${width}
      height=${tall}>${width ? draw(width) : ""}</svg></div>`;
  return html`<figure class="card w-figure" data-testid=${id}>
    <div class="w-figure-head"><div><h2>${title}</h2>${note && html`<p class="soft">${note}</p>`}</div>
      <button class="btn sm" type="button" aria-pressed=${asTable} onClick=${() => setAsTable(!asTable)}>
        ${asTable ? "Show as chart" : "Show as table"}</button></div>
    ${asTable ? html`<${Rows} label=${title} head=${table.head} rows=${table.rows} />` : picture}
  </figure>`;
}

/**
 * A table that may be wider than a phone: keys scroll it too.
 * @param {{label: string, head: string[], rows: (string | number)[][]}} props
 */
export const Rows = ({
  label,
  head,
  rows,
}) => html`<div class="scroll" tabindex="0" role="region" aria-label=${label}><table class="table">
  <thead><tr>${head.map((words, i) => html`<th class=${i ? "num" : ""} scope="col">${words}</th>`)}</tr></thead>
  <tbody>${rows.map(
    (row) =>
      html`<tr>${row.map(
        (cell, i) => html`<td
    class=${i ? "num" : ""}>${cell}</td>`,
      )}</tr>`,
  )}</tbody>
</table></div>`;

/** The width of an element, kept. @returns {[import("preact").RefObject<HTMLDivElement>, number]} */
export function useWidth() {
  const box = /** @type {any} */ (useRef(null));
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box.current]);
  return [box, width];
}
