/**
 * The places of nodes: AZs as boxes, brokers as square chips, controllers as pills. Chips move by mouse, by keys and
 * by taps; an AZ is named, added and removed. Every move says what it did and can be undone.
 */
import { useState } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { drag } from "./drag.js";
import { useEditing } from "./editing.js";
import {
  controllerCount,
  controllersIn,
  idOf,
  isController,
  majorityZone,
  nodeName,
  nodesIn,
  shownName,
  standing,
  ZONES_MAX,
  zonesWithBrokers,
} from "./places.js";

const ONE_LINE_MAX = 4; // AZs side by side

/** @typedef {import("./places.js").Places} Places */
/** @typedef {ReturnType<typeof useEditing>} Editing */

/**
 * @param {{places: Places, change: (places: Places) => void, down?: number[], pairs?: Record<string, string>, title?:
 *   string,
 *   tools?: any, below?: (keys: string[]) => any}} props `down`: brokers that do not run; `pairs`:
 *   controllers and the brokers whose process they share; `tools` stand in the head;
 *   `below`: what to show of the picked chips
 */
export function AzEditor({
  places,
  change,
  down = [],
  pairs = {},
  title = "Where they stand",
  tools = null,
  below = () => null,
}) {
  const editing = useEditing(places, change, pairs);
  const [over, setOver] = useState("");
  const { zones } = places;
  const columns = zones.length > ONE_LINE_MAX ? Math.ceil(zones.length / 2) : zones.length || 1;
  return html`<section class="az-band" ref=${editing.box} aria-label=${title} data-testid="az-editor">
    <header class="az-band-head"><h2>${title}</h2>
      <span class="az-legend"><span><i class="az-chip">1</i> broker</span><span><i class="az-chip pill"><${Icon}
        name="crown" />100</i> controller</span></span>
      <p class="az-how mouse">Drag a chip. Or select it, then <kbd>←</kbd> <kbd>→</kbd>; Shift or Ctrl selects
        several.</p><p class="az-how finger">Tap a chip, then the AZ it belongs to.</p>
      <span class="grow"></span>${tools}<${Place} place=${editing.place} /></header>
    <div class="az-boxes" style=${{ "--columns": columns }}>${zones.map(
      (
        zone,
      ) => html`<section key=${zone.id} class=${`az-box ${over === String(zone.id) ? "over" : ""}`} data-zone=${zone.id}
        data-testid=${`zone-${zone.name}`} aria-label=${shownName(zone)}
          onClick=${(/** @type {any} */ event) => editing.tapped(event, zone.id)}>
        <${ZoneHead} places=${places} zone=${zone} editing=${editing} />
        <div class="az-chips" role="group"
          aria-label=${`In ${shownName(zone)}`}>${nodesIn(places, zone.id).map(
            (key) => html`<${Chip} key=${key}
            node=${key} az=${shownName(zone)} isDown=${!isController(key) && down.includes(idOf(key))}
              editing=${editing} setOver=${setOver} />`,
          )}
          ${
            !nodesIn(places, zone.id).length &&
            html`<span class="az-empty">Drop a chip here, or remove
            it.</span>`
          }</div></section>`,
    )}
      ${
        zones.length < ZONES_MAX &&
        html`<div class="az-box none"><button type="button" data-testid="add-az"
        onClick=${editing.add}>+ Add an AZ</button></div>`
      }</div>
    <${Tie} places=${places} split=${editing.split} />
    ${editing.problem && html`<p class="error" role="alert" data-testid="az-name-problem">${editing.problem}</p>`}
    <div role="status">${
      editing.undo &&
      html`<p class="az-undo"
      data-testid="az-undo"><span>${editing.undo.text}</span><button type="button" class="link"
        onClick=${editing.back}>Undo</button></p>`
    }<span
      class="vh">${editing.said}</span></div>
    ${below(editing.picked.keys)}</section>`;
}

/** @param {{node: string, az: string, isDown: boolean, editing: Editing, setOver: (zone: string) => void}} props */
function Chip({ node, az, isDown, editing, setOver }) {
  const isPicked = editing.picked.keys.includes(node);
  const begin = (/** @type {PointerEvent} */ event) => {
    // a finger scrolls the page, unless the chip is picked up
    if (event.pointerType !== "touch" || isPicked) drag(event, setOver, (to) => editing.dropped(node, Number(to)));
  };
  return html`<button type="button" class=${`az-chip ${isController(node) ? "pill" : ""} ${isDown ? "down" : ""}`}
    data-node=${node} tabindex=${node === editing.tab ? 0 : -1} aria-pressed=${isPicked}
      aria-label=${`${nodeName(node)}, ${az}${isDown ? ", down" : ""}`}
    onFocus=${() => editing.focused(node)} onPointerDown=${begin}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => editing.key(event, node)}
        onClick=${(/** @type {any} */ event) => editing.click(event, node)}>${
          isController(node) &&
          html`<${Icon}
          name="crown" />`
        }${idOf(node)}</button>`;
}

/** @param {{place: (how: string) => void}} props */
function Place({ place }) {
  const take = (/** @type {any} */ event) => {
    const how = event.currentTarget.value;
    event.currentTarget.value = "";
    if (how) place(how);
  };
  return html`<label class="az-ed"><span class="unit">Place brokers</span><select data-testid="place-brokers" value=""
    onChange=${take}>
    <option value="">choose</option><option value="turn">by id, in turn</option><option
      value="blocks">by id, in blocks</option><option value="one">all in one AZ</option></select></label>`;
}

/** @param {{places: Places, zone: import("./places.js").Zone, editing: Editing}} props */
function ZoneHead({ places, zone, editing }) {
  const take = (/** @type {any} */ event) => {
    editing.rename(zone.id, event.currentTarget.value.trim());
    event.currentTarget.value = zone.name;
  };
  const keys = (/** @type {any} */ event) => {
    if (event.key === "Escape") event.currentTarget.value = zone.name;
    if (event.key === "Escape" || event.key === "Enter") event.currentTarget.blur();
  };
  const told = standing(places, zone.id);
  return html`<div class="az-name"><input aria-label="Name of this AZ" value=${zone.name} placeholder="no AZ"
    spellcheck=${false} autocomplete="off" size=${Math.max(4, zone.name.length)} onBlur=${take} onKeyDown=${keys} />
    <span title=${told}>${told}</span>
    ${
      told === "empty" &&
      html`<button type="button" aria-label=${`Remove ${shownName(zone)}`}
      data-testid=${`remove-${zone.name}`} onClick=${() => editing.remove(zone.id)}><${Icon} name="x"
        /></button>`
    }</div>`;
}

/** Said if one AZ holds the majority of the controllers. @param {{places: Places, split: () => void}} props */
function Tie({ places, split }) {
  const zone = majorityZone(places);
  if (!zone) return null;
  const [who, stand] =
    controllersIn(places, zone.id).length === controllerCount(places)
      ? ["All controllers", "stand"]
      : ["The majority of controllers", "stands"];
  return html`<p class="az-tie" data-testid="az-tie">${who} ${stand} in ${shownName(zone)}: without it nobody can
    elect.${" "}
    <button type="button" class="link" data-testid="az-tie-breaker"
      onClick=${split}>Put one in ${
        zonesWithBrokers(places).length < 3 ? "a third AZ" : "another AZ"
      } instead</button></p>`;
}
