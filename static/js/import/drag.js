/** A chip follows the pointer until it is let go over an AZ. */

const FROM_PX = 6; // less is a click

/**
 * @param {PointerEvent} event pointerdown on the chip
 * @param {(zone: string) => void} over the AZ below the pointer, "" over none
 * @param {(zone: string) => void} drop
 */
export function drag(event, over, drop) {
  if (event.button !== 0) return;
  const chip = /** @type {HTMLElement} */ (event.currentTarget);
  const ended = new AbortController();
  let moved = false;
  /** @param {PointerEvent} on */
  const follow = (on) => {
    if (on.pointerId !== event.pointerId) return;
    const [x, y] = [on.clientX - event.clientX, on.clientY - event.clientY];
    moved ||= Math.hypot(x, y) >= FROM_PX;
    if (!moved) return;
    chip.classList.add("dragged"); // and so no target of the pointer itself
    chip.style.translate = `${x}px ${y}px`;
    over(zoneAt(on));
  };
  /** @param {PointerEvent} on */
  const end = (on) => {
    if (on.pointerId !== event.pointerId) return;
    ended.abort();
    if (!moved) return;
    const zone = on.type === "pointerup" ? zoneAt(on) : "";
    chip.classList.remove("dragged");
    chip.style.translate = "";
    over("");
    const click = new AbortController(); // what ends a drag picks nothing
    addEventListener("click", (on) => on.stopPropagation(), { capture: true, signal: click.signal });
    setTimeout(() => click.abort());
    if (zone) drop(zone);
  };
  addEventListener("pointermove", follow, { signal: ended.signal });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
    addEventListener(name, end, { signal: ended.signal });
}

/** The AZ below the pointer. @param {PointerEvent} on */
const zoneAt = (on) =>
  /** @type {HTMLElement | null} */ (document.elementFromPoint(on.clientX, on.clientY)?.closest("[data-zone]"))?.dataset
    .zone ?? "";
