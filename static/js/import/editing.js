/** The clicks, keys and drops of the AZ editor: chips that are picked up, chips that move, and undo. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  allNodes,
  isController,
  moved,
  moveText,
  nameProblem,
  nodeName,
  placed,
  renamed,
  shownName,
  withoutZone,
  withPairs,
  withTieBreaker,
  withZone,
  zoneOf,
} from "./places.js";
import { beside, clicked, NONE, pickedText } from "./picking.js";

const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 });

/** @typedef {import("./places.js").Places} Places */

/**
 * @param {Places} places
 * @param {(places: Places) => void} change
 * @param {Record<string, string>} pairs nodes of one process
 */
export function useEditing(places, change, pairs) {
  const [picked, setPicked] = useState(NONE);
  const [stop, setStop] = useState(""); // the chip that the Tab key reaches
  const [undo, setUndo] = useState(/** @type {{text: string, places: Places} | null} */ (null));
  const [said, setSaid] = useState("");
  const [problem, setProblem] = useState("");
  const { box, focus } = useFocus();
  const order = allNodes(places);
  const tab = order.includes(stop) ? stop : (order.find((key) => !isController(key)) ?? order[0] ?? "");

  const reach = (/** @type {string} */ key) => {
    setStop(key);
    focus(`[data-node="${key}"]`);
  };
  const pick = (/** @type {typeof NONE} */ next) => {
    setPicked(next);
    setSaid(pickedText(next));
  };
  /** A change that can be undone. */
  const step = (/** @type {Places} */ next, /** @type {string} */ text) => {
    setUndo({ text, places });
    setSaid("");
    setProblem("");
    change(next);
  };
  /** A change of empty AZs, after which there is nothing to undo. */
  const plain = (/** @type {Places} */ next, /** @type {string} */ text) => {
    setUndo(null);
    setSaid(text);
    setProblem("");
    change(next);
  };
  const move = (/** @type {string[]} */ keys, /** @type {number} */ to) => {
    const all = withPairs(keys, pairs);
    const text = moveText(places, all, to);
    if (text) step(moved(places, all, to), text);
  };
  /** Moves what is picked up to the AZ on the left or right of the chip with the focus. */
  const shift = (/** @type {string} */ key, /** @type {number} */ way) => {
    const from = picked.keys.includes(key) ? key : /** @type {string} */ (picked.keys[0]);
    const to = places.zones[places.zones.findIndex((zone) => zone.id === places.at[from]) + way];
    reach(key);
    if (to) move(picked.keys, to.id);
  };
  /** Puts down what is picked up. */
  const drop = (/** @type {string[]} */ keys, /** @type {number} */ to) => {
    setPicked(NONE);
    move(keys, to);
  };

  return {
    box,
    picked,
    tab,
    undo,
    said,
    problem,
    focused: setStop,
    click(/** @type {any} */ event, /** @type {string} */ key) {
      pick(
        clicked(
          picked,
          key,
          { range: event.shiftKey, more: event.ctrlKey || event.metaKey || event.pointerType === "touch" },
          order,
        ),
      );
      reach(key);
    },
    key(/** @type {KeyboardEvent} */ event, /** @type {string} */ key) {
      const way = STEPS[event.key];
      if (event.key === "Escape" && picked.keys.length) pick(NONE);
      else if (event.key === "Home" || event.key === "End") {
        event.preventDefault();
        reach(/** @type {string} */ (order.at(event.key === "Home" ? 0 : -1)));
      } else if (way) {
        event.preventDefault();
        if (picked.keys.length && (event.key === "ArrowLeft" || event.key === "ArrowRight")) shift(key, way);
        else reach(beside(order, key, way));
      }
    },
    dropped: (/** @type {string} */ key, /** @type {number} */ to) =>
      drop(picked.keys.includes(key) ? picked.keys : [key], to),
    tapped(/** @type {any} */ event, /** @type {number} */ id) {
      if (picked.keys.length && !event.target.closest("button, input")) drop(picked.keys, id);
    },
    add() {
      const made = withZone(places);
      focus(`[data-zone="${made.id}"] input`);
      plain(made.places, `${shownName(zoneOf(made.places, made.id))} added.`);
    },
    remove: (/** @type {number} */ id) => plain(withoutZone(places, id), `${shownName(zoneOf(places, id))} removed.`),
    rename(/** @type {number} */ id, /** @type {string} */ name) {
      const before = zoneOf(places, id)?.name;
      const wrong = !name || name === before ? "" : nameProblem(places, id, name);
      setProblem(wrong);
      if (!wrong && name && name !== before)
        step(renamed(places, id, name), `${before || "no AZ"} is called ${name} now.`);
    },
    place: (/** @type {string} */ how) => step(placed(places, how), "All brokers placed anew."),
    split() {
      const next = withTieBreaker(places);
      if (!next) return;
      reach(next.key);
      step(next.places, `${nodeName(next.key)} moved to ${shownName(zoneOf(next.places, next.to))}.`);
    },
    back() {
      if (undo) plain(undo.places, "Undone.");
    },
  };
}

/** Puts the focus on what a selector finds in the box, once it is drawn: a chip that moves is drawn anew. */
function useFocus() {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const wanted = useRef("");
  useLayoutEffect(() => {
    const found = wanted.current
      ? /** @type {HTMLElement | null | undefined} */ (box.current?.querySelector(wanted.current))
      : null;
    if (!found) return;
    wanted.current = "";
    found.focus();
    if (found instanceof HTMLInputElement) found.select();
  });
  return {
    box,
    focus: (/** @type {string} */ selector) => {
      wanted.current = selector;
    },
  };
}
