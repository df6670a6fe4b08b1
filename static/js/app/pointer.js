/**
 * The pointer on the stage: select, menus, kill by the power icon, drag a link from head to head, pick a message.
 *
 * @import {Actor} from "../page/player.js"
 * @import {Selection} from "../page/pagestate.js"
 */
import { effect } from "@preact/signals-core";
import { svg } from "../kit/dom.js";
import { changeLevel } from "./stagekeys.js";
import { clientMenu } from "../menus/clients.js";
import { linkMenu } from "../menus/links.js";
import { openMenu } from "../menus/menu.js";
import { processMenu } from "../menus/mirrors.js";
import { rackMenu } from "../menus/racks.js";
import { menuFor } from "../menus/selected.js";
import { siteMenu, wanMenu } from "../menus/sites.js";

const LONG_PRESS_MS = 450;
const DRAG_PX = 8;
const HIT_PX = 16;
const HIT_TOUCH_PX = 24;
const BUTTONS =
  "[data-power], [data-more], [data-az], [data-controller], [data-settings], [data-site], [data-wan], " +
  "[data-process], [data-client]";
/** the menu of a WAN opens this far below its top, px: it is as tall as the matrix */
const WAN_MENU_PX = 60;
/** two fingers that are this much further apart, or closer together, change the level of detail */
const PINCH = 1.35;

/** @param {Actor} app */
export function startPointer(app) {
  const { root } = app.stage;
  root.addEventListener("click", (event) => {
    onClick(app, event);
    if (event.detail > 0) leaveButton();
  });
  root.addEventListener("contextmenu", (event) => {
    const client = clientAt(event.target);
    const selection = selectionAt(event.target);
    if (client) onButton(app, client);
    if (client || selection) event.preventDefault();
    if (client || !selection) return;
    app.select(selection);
    menuFor(app, selection, { left: event.clientX, bottom: event.clientY });
  });
  root.addEventListener("focusin", (event) => {
    if (event.target instanceof Element && event.target.matches(".matrix") && !app.page.selection.value) {
      app.select({ kind: "broker", id: app.model.brokerIds[0] ?? 0 });
    }
  });
  root.addEventListener("pointermove", (event) => {
    if (app.stage.matrix) app.page.pointed = brokerUnder(event.target);
  });
  root.addEventListener("pointerleave", () => {
    if (app.stage.matrix) app.page.pointed = -1;
  });
  root.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      changeLevel(app, event.deltaY < 0 ? 1 : -1);
    },
    { passive: false },
  );
  startLongPress(app, root);
  startPinch(app, root);
  startLinkDrag(app, root);
  effect(() => markSelection(app));
  effect(() => {
    if (app.model.ready.value) queueMicrotask(() => markSelection(app));
  });
}

/** After a click with the pointer, Space means play or pause again, not the button once more. */
function leaveButton() {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && focused.closest(".stage button")) focused.blur();
}

/** The selection under the pointer. @param {EventTarget | null} target @returns {Selection | null} */
function selectionAt(target) {
  if (!(target instanceof Element)) return null;
  const cell = target.closest(".rep, .chipcell");
  if (cell instanceof HTMLElement)
    return { kind: "replica", id: Number(cell.dataset.broker), p: Number(cell.dataset.p) };
  const head = target.closest(".bh, .colb");
  if (head instanceof HTMLElement) return { kind: "broker", id: Number(head.dataset.broker) };
  const pill = target.closest("[data-controller]");
  if (pill instanceof HTMLElement) return { kind: "controller", id: Number(pill.dataset.controller) };
  return null;
}

/** The line of a client under the pointer. @param {EventTarget | null} target @returns {HTMLElement | null} */
const clientAt = (target) => (target instanceof Element ? target.closest("[data-client]") : null);

/** The broker whose head, column or replica is under the pointer, or -1. @param {EventTarget | null} target */
function brokerUnder(target) {
  const found = selectionAt(target);
  return found && (found.kind === "broker" || found.kind === "replica") ? found.id : -1;
}

/** @param {Actor} app @param {MouseEvent} event */
function onClick(app, event) {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest(BUTTONS);
  if (button instanceof HTMLElement) return onButton(app, button);
  const flight = flightAt(app, event, HIT_PX);
  if (flight && !app.model.playing.value) {
    app.stage.particles.picked = flight.seq;
    app.select({ kind: "flight", id: flight.seq });
    app.showTab("inspect");
    return menuFor(app, { kind: "flight", id: flight.seq }, { left: event.clientX, bottom: event.clientY });
  }
  const selection = selectionAt(target);
  if (!selection) return undefined;
  const again = app.page.selection.value;
  if (again && again.kind === selection.kind && again.id === selection.id && again.p === selection.p)
    app.showTab("inspect");
  app.select(selection);
  return undefined;
}

/** @param {Actor} app @param {HTMLElement} button */
function onButton(app, button) {
  const { power, more, az, controller, settings, site, wan, process, client } = button.dataset;
  if (settings !== undefined) return app.showTab("settings");
  if (power !== undefined) {
    const id = Number(power);
    app.select({ kind: "broker", id });
    app.act(`${app.model.view?.brokers[id]?.process === "down" ? "start" : "kill"} ${app.model.ref(id)}`);
  } else if (more !== undefined) {
    app.select({ kind: "broker", id: Number(more) });
    menuFor(app, { kind: "broker", id: Number(more) }, button.getBoundingClientRect());
  } else if (az !== undefined) openMenu(app, () => rackMenu(app, az), button.getBoundingClientRect(), "az");
  else if (process !== undefined)
    openMenu(
      app,
      () => processMenu(app, process, button.getBoundingClientRect()),
      button.getBoundingClientRect(),
      "process",
    );
  else if (client !== undefined)
    openMenu(app, () => clientMenu(app, Number(client)), button.getBoundingClientRect(), "client");
  else if (site !== undefined)
    openMenu(app, () => siteMenu(app, site, button.getBoundingClientRect()), button.getBoundingClientRect(), "site");
  else if (wan !== undefined)
    openMenu(
      app,
      () => wanMenu(app, wan),
      { left: button.getBoundingClientRect().left, bottom: button.getBoundingClientRect().top + WAN_MENU_PX },
      "wan",
    );
  else menuFor(app, { kind: "controller", id: Number(controller) }, button.getBoundingClientRect());
}

/** @param {Actor} app @param {MouseEvent} event @param {number} reach */
function flightAt(app, event, reach) {
  const box = app.stage.root.getBoundingClientRect();
  return app.stage.particles.hit(event.clientX - box.left, event.clientY - box.top, reach);
}

/** @param {Actor} app @param {HTMLElement} root */
function startLongPress(app, root) {
  let timer = 0;
  root.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const flight = flightAt(app, event, HIT_TOUCH_PX);
      const selection = flight
        ? /** @type {Selection} */ ({ kind: "flight", id: flight.seq })
        : selectionAt(event.target);
      if (!selection) return;
      app.select(selection);
      menuFor(app, selection, { left: event.clientX, bottom: event.clientY });
    }, LONG_PRESS_MS);
  });
  for (const name of ["pointerup", "pointercancel", "pointermove"])
    root.addEventListener(name, () => clearTimeout(timer));
}

/** Two fingers apart or together: more or less detail. @param {Actor} app @param {HTMLElement} root */
function startPinch(app, root) {
  /** @type {Map<number, {x: number, y: number}>} */ const fingers = new Map();
  let began = 0;
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  root.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    began = spread();
  });
  root.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const grown = began && fingers.size === 2 ? spread() / began : 1;
    if (grown < PINCH && grown > 1 / PINCH) return;
    began = spread();
    changeLevel(app, grown > 1 ? 1 : -1);
  });
  for (const name of ["pointerup", "pointercancel"])
    root.addEventListener(name, (event) => {
      fingers.delete(/** @type {PointerEvent} */ (event).pointerId);
      began = 0;
    });
}

/** Drag from one head to another: the menu of that link. @param {Actor} app @param {HTMLElement} root */
function startLinkDrag(app, root) {
  /** @type {{from: number, x: number, y: number, line: SVGElement | null} | null} */
  let drag = null;
  root.addEventListener("pointerdown", (event) => {
    const selection =
      event.button === 0 && !(event.target instanceof Element && event.target.closest("button"))
        ? selectionAt(event.target)
        : null;
    drag = selection?.kind === "broker" ? { from: selection.id, x: event.clientX, y: event.clientY, line: null } : null;
  });
  root.addEventListener("pointermove", (event) => {
    if (!drag || !(event.buttons & 1)) return;
    if (!drag.line && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PX) return;
    drag.line ??= app.stage.links.root.appendChild(svg("path", { class: "dragged" }));
    const from = app.stage.headPlace(drag.from);
    const box = root.getBoundingClientRect();
    if (from)
      drag.line.setAttribute("d", `M${from.x} ${from.y}L${event.clientX - box.left} ${event.clientY - box.top}`);
  });
  root.addEventListener("pointerup", (event) => {
    const done = drag;
    drag = null;
    if (!done?.line) return;
    done.line.remove();
    const to = selectionAt(document.elementFromPoint(event.clientX, event.clientY));
    if (to && (to.kind === "broker" || to.kind === "replica") && to.id !== done.from) {
      openMenu(app, () => linkMenu(app, done.from, to.id), { left: event.clientX, bottom: event.clientY }, "link");
    }
  });
}

/** @param {Actor} app */
function markSelection(app) {
  const selection = app.page.selection.value;
  app.page.level.value;
  app.model.pulse.value;
  const wanted = selection ? selectorOf(selection) : null;
  const node = wanted ? app.stage.root.querySelector(wanted) : null;
  for (const old of app.stage.root.querySelectorAll(".selected"))
    if (old !== node) {
      old.classList.remove("selected");
      old.removeAttribute("aria-selected");
    }
  if (!node) return;
  node.classList.add("selected");
  if (!node.matches("button")) node.setAttribute("aria-selected", "true");
  const matrix = node.closest(".matrix");
  if (matrix) {
    node.id ||= `${app.stage.root.id}-cell-${selection?.p ?? "head"}-${selection?.id}`;
    matrix.setAttribute("aria-activedescendant", node.id);
  }
}

/** @param {Selection} selection */
function selectorOf(selection) {
  if (selection.kind === "replica") return `[data-p="${selection.p}"][data-broker="${selection.id}"]`;
  if (selection.kind === "broker") return `.bh[data-broker="${selection.id}"], .colb[data-broker="${selection.id}"]`;
  if (selection.kind === "controller") return `[data-controller="${selection.id}"]`;
  return null;
}
