/** Which AZ each broker is in: a column for each AZ; brokers move by drag, by arrow keys, or by the menu of the chosen one. */
import { useState } from "preact/hooks";
import { html } from "../html.js";
import { drag } from "./drag.js";

const ZONES_MAX = 26;
const touch = matchMedia("(pointer: coarse)");

/**
 * The AZ of every broker: what the user set, else what the paste says, else the guess.
 * @param {import("./page.js").BrokerRow[]} brokers
 * @param {Record<string, string>} racks
 * @returns {Record<string, string>}
 */
export const racksOf = (brokers, racks) => Object.fromEntries(brokers.map((one) => [one.id, racks[one.id] ?? one.rack ?? one.guess]));

/**
 * @param {{brokers: import("./page.js").BrokerRow[], racks: Record<string, string>, states: Record<string, string>,
 *   change: (racks: Record<string, string>) => void, edit: (key: string, value: string) => void}} props
 */
export function Racks({ brokers, racks, states, change, edit }) {
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null));
  const [extra, setExtra] = useState(/** @type {string[]} */ ([]));
  const [over, setOver] = useState("");
  const complete = racksOf(brokers, racks);
  const zones = [...new Set([...brokers.map((one) => complete[one.id]), ...extra])].sort();
  const guessed = Object.keys(racks).length === 0 && brokers.every((one) => !one.rack);
  const move = (/** @type {number} */ id, /** @type {string} */ zone) => change({ ...complete, [id]: zone });
  const step = (/** @type {KeyboardEvent} */ event, /** @type {number} */ id) => {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!way) return;
    event.preventDefault();
    setChosen(id);
    move(id, zones[(zones.indexOf(complete[id]) + way + zones.length) % zones.length]);
    requestAnimationFrame(() => /** @type {HTMLElement | null} */ (document.querySelector(`[data-broker="${id}"]`))?.focus());
  };
  const picked = brokers.find((one) => one.id === chosen);
  return html`<section class="card p-racks" data-testid="import-racks">
    <div class="row"><h3>Which AZ is each broker in?</h3>
      ${guessed && html`<span class="tag warn">Guessed: id mod 3</span>`}
      <span class="end row"><button class="btn sm" type="button" data-testid="guess-racks" onClick=${() => { setExtra([]); change(Object.fromEntries(brokers.map((one) => [one.id, one.guess]))); }}>Guess from id</button>
      <button class="btn sm" type="button" data-testid="add-az" disabled=${zones.length >= ZONES_MAX} onClick=${() => setExtra([...extra, nextName(zones)])}>Add an AZ</button></span></div>
    <div class="p-zones">${zones.map((zone) => html`<div class=${`p-zone ${over === zone ? "over" : ""}`} data-testid=${`zone-${zone}`}
 data-zone=${zone}>
      <h4>${zone}</h4><ul aria-label=${`Brokers in ${zone}`}>${brokers.filter((one) => complete[one.id] === zone).map((one) => html`<li>
        <button type="button" class=${`p-broker ${one.state}`} data-broker=${one.id} aria-pressed=${chosen === one.id}
          aria-label=${`Broker ${one.id}, ${one.state}, in ${zone}. Left and right arrows move it.`}
          onPointerDown=${(/** @type {PointerEvent} */ event) => drag(event, setOver, (zone) => move(one.id, zone))}
          onKeyDown=${(/** @type {KeyboardEvent} */ event) => step(event, one.id)} onClick=${() => setChosen(chosen === one.id ? null : one.id)}>${one.id}</button></li>`)}</ul></div>`)}</div>
    ${picked ? html`<div class="row p-picked"><b>Broker ${picked.id}</b><span class="soft">leads ${picked.leads}</span>
      <label class="row">AZ <select class="input" data-testid="rack-select" value=${complete[picked.id]} onChange=${(/** @type {any} */ event) => move(picked.id, event.currentTarget.value)}>${zones.map((zone) => html`<option value=${zone}>${zone}</option>`)}</select></label>
      <label class="row">State <select class="input" data-testid="state-select" value=${states[picked.id] ?? picked.state} onChange=${(/** @type {any} */ event) => edit(`states.${picked.id}`, event.currentTarget.value)}><option value="running">running</option><option value="down">down</option></select></label></div>`
      : html`<p class="help">${touch.matches ? "Drag a broker with a finger, or tap it: then a menu moves it." : "Drag a broker, or choose it: then a menu or the arrow keys move it."}</p>`}
  </section>`;
}

/** @param {string[]} zones */
function nextName(zones) {
  for (let code = 97; code < 97 + ZONES_MAX; code += 1) {
    const name = `az-${String.fromCharCode(code)}`;
    if (!zones.includes(name)) return name;
  }
  return `az-${zones.length}`;
}
