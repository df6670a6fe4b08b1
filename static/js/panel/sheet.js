/**
 * The panel of a phone as a sheet: its head is dragged up over the stage, which stays as it is below; the button in it
 * and the arrow keys do the same.
 */
import { signal } from "@preact/signals";
import { html } from "../kit/html.js";

const HIGHEST = 0.8; // of the window, from its lower edge
const STEP_PX = 48;
const DRAG_FROM_PX = 6;
/** how far the sheet is above its own place, px */
const lift = signal(0);
let moved = false;

/** The distance by which the sheet may be lifted, px. @param {HTMLElement} panel */
function most(panel) {
  const own = panel.getBoundingClientRect().top + lift.value;
  return Math.max(0, own - (1 - HIGHEST) * innerHeight);
}

/** @param {Element} within @param {number} to px above its own place */
function liftTo(within, to) {
  const panel = /** @type {HTMLElement} */ (within.closest(".panel"));
  lift.value = Math.round(Math.max(0, Math.min(most(panel), to)));
  panel.style.setProperty("--lift", `${lift.value}px`);
}

/** Follows the pointer until it is let go, wherever it goes. @param {PointerEvent} event */
function onDown(event) {
  const head = /** @type {HTMLElement} */ (event.currentTarget);
  const top = event.clientY + lift.value;
  const ended = new AbortController();
  moved = false;
  addEventListener(
    "pointermove",
    (on) => {
      moved ||= Math.abs(on.clientY - event.clientY) >= DRAG_FROM_PX;
      if (moved) liftTo(head, top - on.clientY);
    },
    { signal: ended.signal },
  );
  for (const end of ["pointerup", "pointercancel"])
    addEventListener(end, () => ended.abort(), { signal: ended.signal });
}

/** A drag that ends on a tab or on the button is not a click on it. @param {MouseEvent} event */
function onClick(event) {
  if (moved) event.stopPropagation();
  moved = false;
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const step = event.key === "ArrowUp" ? STEP_PX : event.key === "ArrowDown" ? -STEP_PX : 0;
  if (!step) return;
  liftTo(/** @type {Element} */ (event.currentTarget), lift.value + step);
  event.preventDefault();
  event.stopPropagation();
}

/** The head of the sheet, round the tabs. @param {{children?: any}} props */
export function SheetHead({ children }) {
  const up = lift.value > 0;
  return html`<div class="sheet-head" onClickCapture=${onClick} onPointerDown=${onDown}>
    <button type="button" class="grip" data-testid="sheet" aria-expanded=${up} aria-label="Panel over the cluster"
      onKeyDown=${onKey}
      onClick=${(/** @type {any} */ event) =>
        liftTo(event.currentTarget, up ? 0 : innerHeight)}></button>${children}</div>`;
}
