/**
 * A menu: its items, its keys, and where it opens. An item that cannot act is shown with the reason on its second line.
 * An open menu follows the run: what a broker's death changes in it is changed while it is open.
 *
 * @import {Actor} from "../page/player.js"
 */
import { effect } from "@preact/signals-core";
import { el, icon } from "../kit/dom.js";
import { toast } from "../kit/kit.js";
import { labelOf } from "../words/actionwords.js";

const EDGE_PX = 10;

/**
 * @typedef {object} Item
 * @property {string} id  for data-testid
 * @property {string} icon
 * @property {string} text
 * @property {string} [key]
 * @property {string} [why]  the reason for which it cannot act
 * @property {string} [price]  what it would cost now
 * @property {string} [action]  of the timeline, where it is one
 * @property {boolean} [ownPage]  it is there on the run's own page alone
 * @property {() => void} run
 *
 * @typedef {{title: string, items: (Item | null)[]}} Menu  null is a line
 */

/** @typedef {Omit<Item, "run" | "text"> & {text?: string}} Doing  text: else the label of the table of verbs */

/** @param {Actor} app @param {string} action @param {Doing} item @returns {Item} */
export const doing = (app, action, item) => ({
  ...item,
  text: item.text ?? labelOf(action),
  action,
  run: () => app.act(action),
});

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

/**
 * @param {Actor} app
 * @param {() => Menu} make  the menu as the run is now
 * @param {{left: number, bottom: number}} at
 * @param {string} kind
 */
export function openMenu(app, make, at, kind) {
  closeOpen?.();
  const back = document.activeElement;
  const root = el("div", { class: "menu", role: "menu", "data-testid": `${kind}-menu` });
  const close = () => {
    forget();
    root.remove();
    removeEventListener("pointerdown", outside, true);
    closeOpen = null;
    if (back instanceof HTMLElement || back instanceof SVGElement) back.focus();
  };
  const outside = (/** @type {Event} */ event) => {
    if (!root.contains(/** @type {Node} */ (event.target))) close();
  };
  root.addEventListener("keydown", (event) => onMenuKey(event, root, close));
  (document.querySelector("footer.dock") ?? document.body).append(root); // within a landmark
  addEventListener("pointerdown", outside, true);
  closeOpen = close;
  const forget = follow(app, root, make, (menu) => {
    fill(root, app, menu, close);
    root.style.left = `${Math.max(EDGE_PX, Math.min(at.left, innerWidth - root.offsetWidth - EDGE_PX))}px`;
    root.style.top = `${Math.max(EDGE_PX, Math.min(at.bottom + 4, innerHeight - root.offsetHeight - EDGE_PX))}px`;
  });
}

/**
 * Shows the menu now, and again whenever the run has changed what stands in it; not under a pressed pointer.
 * @param {Actor} app
 * @param {HTMLElement} root
 * @param {() => Menu} make
 * @param {(menu: Menu) => void} show
 */
function follow(app, root, make, show) {
  let shown = "";
  return effect(() => {
    app.model.pulse.value;
    const menu = make();
    const words = JSON.stringify(menu);
    if (words === shown || root.matches(":active")) return;
    shown = words;
    show(menu);
  });
}

/**
 * Puts the items into the menu; the focus stays on its item.
 * @param {HTMLElement} root
 * @param {Actor} app
 * @param {Menu} menu
 * @param {() => void} close
 */
function fill(root, app, menu, close) {
  const focused = root.contains(document.activeElement) ? document.activeElement?.getAttribute("data-testid") : null;
  root.setAttribute("aria-label", menu.title);
  root.replaceChildren(
    el(
      "div",
      { class: "menu-head", role: "presentation" },
      menu.title,
      app.where ? el("b", { "data-testid": "menu-where", text: app.where }) : null,
    ),
    ...menu.items
      .filter((item) => !(app.where && item?.ownPage))
      .map((item) => (item ? itemNode(item, close) : el("hr"))),
  );
  const nodes = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[role=menuitem]")]);
  (nodes.find((node) => node.dataset.testid === focused) ?? nodes[0])?.focus();
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
    item.why || item.price ? el("span", { class: "why", text: item.why || item.price }) : null,
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
