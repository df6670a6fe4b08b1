/**
 * A menu: its items, its keys, and where it opens. An item that cannot act is shown with the reason on its second line.
 *
 * @import {App} from "../app.js"
 */
import { el, icon } from "../dom.js";
import { toast } from "../kit.js";

const EDGE_PX = 10;

/**
 * @typedef {object} Item
 * @property {string} id  for data-testid
 * @property {string} icon
 * @property {string} text
 * @property {string} [key]
 * @property {string} [why]  the reason for which it cannot act
 * @property {() => void} run
 *
 * @typedef {{title: string, items: (Item | null)[]}} Menu  null is a line
 */

/** @param {App} app @param {string} action @param {Omit<Item, "run">} item @returns {Item} */
export const doing = (app, action, item) => ({ ...item, run: () => app.act(action) });

/**
 * A key does what the item beside it does, or says why it cannot.
 * @param {Item | null | undefined} item
 * @param {string} otherwise the reason where there is no such item
 */
export function choose(item, otherwise) {
  const why = item ? item.why : otherwise;
  if (!item || why) toast(`Not done: ${why}.`);
  else item.run();
}

/** @type {(() => void) | null} */
let closeOpen = null;

/** @param {Menu} menu @param {{left: number, bottom: number}} at @param {string} kind */
export function openMenu(menu, at, kind) {
  closeOpen?.();
  const back = document.activeElement;
  const root = el(
    "div",
    { class: "menu", role: "menu", "aria-label": menu.title, "data-testid": `${kind}-menu` },
    el("div", { class: "menu-head", role: "presentation" }, menu.title),
  );
  const close = () => {
    root.remove();
    removeEventListener("pointerdown", outside, true);
    closeOpen = null;
    if (back instanceof HTMLElement || back instanceof SVGElement) back.focus();
  };
  const outside = (/** @type {Event} */ event) => {
    if (!root.contains(/** @type {Node} */ (event.target))) close();
  };
  for (const item of menu.items) root.append(item ? itemNode(item, close) : el("hr"));
  root.addEventListener("keydown", (event) => onMenuKey(event, root, close));
  (document.querySelector("footer.dock") ?? document.body).append(root); // within a landmark
  root.style.left = `${Math.max(EDGE_PX, Math.min(at.left, innerWidth - root.offsetWidth - EDGE_PX))}px`;
  root.style.top = `${Math.max(EDGE_PX, Math.min(at.bottom + 4, innerHeight - root.offsetHeight - EDGE_PX))}px`;
  addEventListener("pointerdown", outside, true);
  closeOpen = close;
  /** @type {HTMLElement | null} */ (root.querySelector("[role=menuitem]"))?.focus();
}

/** @param {Item} item @param {() => void} close */
function itemNode(item, close) {
  const node = el(
    "button",
    {
      type: "button",
      role: "menuitem",
      tabindex: "-1",
      "data-testid": `menu-item-${item.id}`,
      "aria-disabled": item.why ? "true" : null,
    },
    icon(item.icon),
    el("span", { text: item.text }),
    item.key ? el("kbd", { text: item.key }) : null,
    item.why ? el("span", { class: "why", text: item.why }) : null,
  );
  node.addEventListener("click", () => {
    if (item.why) return;
    close();
    item.run();
  });
  return node;
}

/** @param {KeyboardEvent} event @param {HTMLElement} root @param {() => void} close */
function onMenuKey(event, root, close) {
  const items = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[role=menuitem]")]);
  const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const to = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (to !== undefined) items[to]?.focus();
  else if (event.key === "Escape" || event.key === "Tab") close();
  else if (event.key.length === 1 && event.key !== " ")
    items.find((item) => item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
  else return event.stopPropagation();
  event.preventDefault();
  event.stopPropagation();
  return undefined;
}
