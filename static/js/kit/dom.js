/** Small helpers for the drawing modules that keep their nodes and touch them only on change. */

import { pieces } from "./wording.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element; `props` are attributes, except `on*` (listeners) and `dataset`.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElement}
 */
export function el(tag, props, ...children) {
  const node = document.createElement(tag);
  setAll(node, props);
  node.append(...children.filter((child) => child !== null));
  return node;
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svg(tag, props, ...children) {
  const node = document.createElementNS(SVG, tag);
  setAll(node, props);
  node.append(...children);
  return node;
}

/** @param {Element} node @param {Record<string, any> | null | undefined} props */
function setAll(node, props) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "text") node.textContent = String(value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {string} name @param {string} [extra] class */
export function icon(name, extra = "") {
  const use = svg("use", { href: `#i-${name}` });
  return svg("svg", { class: `i ${extra}`.trim(), "aria-hidden": "true" }, use);
}

/** Points an icon made by `icon` at another picture. @param {Element} node @param {string} name */
export function setIcon(node, name) {
  setAttr(/** @type {Element} */ (node.firstElementChild), "href", `#i-${name}`);
}

/** @param {Node} node @param {string | number} text */
export function setText(node, text) {
  const value = String(text);
  if (node.textContent !== value) node.textContent = value;
}

/** @param {Element} node @param {string} name @param {string | number} value */
export function setAttr(node, name, value) {
  const text = String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** @param {Element} node @param {string} value */
export function setClass(node, value) {
  if (node.getAttribute("class") !== value) node.setAttribute("class", value);
}

/** @param {HTMLElement} node @param {boolean} hidden */
export function setHidden(node, hidden) {
  if (node.hidden !== hidden) node.hidden = hidden;
}

/** The element with an id that the page's template is known to have. @param {string} id */
export function must(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`the page lacks #${id}`);
  return node;
}

/** A name as children of an element: it may go on in another line at the ends of its parts. @param {string} name */
export const breakable = (name) => pieces(name).flatMap((part, i) => (i ? [el("wbr"), part] : [part]));

/** Put a node into a grid. @param {HTMLElement} node @param {number | string} column @param {string} row */
export function place(node, column, row) {
  node.style.gridColumn = String(column);
  node.style.gridRow = row;
}
