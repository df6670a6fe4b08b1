/** The "Assumed" box: what no paste tells and the verdict depends on, each value with its reason, editable in place. */
import { html } from "../html.js";

/** @param {{assumptions: import("./page.js").Assumption[], edit: (key: string, value: any) => void}} props */
export const Assumed = ({ assumptions, edit }) => html`<section class="card p-assumed" data-testid="import-assumed">
  <h3>Assumed</h3><p class="help">The paste cannot tell these, and the verdict depends on them.</p>
  <dl>${assumptions.map((one) => html`<div data-testid=${`assumed-${one.edit || one.key}`}><dt>${one.key}</dt>
    <dd>${one.edit ? html`<${Value} one=${one} edit=${edit} />` : html`<b>${String(one.value)}</b>`}</dd><dd class="why">${one.why}</dd></div>`)}</dl></section>`;

/** @param {{one: import("./page.js").Assumption, edit: (key: string, value: any) => void}} props */
function Value({ one, edit }) {
  if (one.choices.length) {
    return html`<select class="input" aria-label=${one.key} value=${said(one.value)} onChange=${(/** @type {any} */ event) => edit(one.edit, event.currentTarget.value)}>
      ${one.choices.map((choice) => html`<option value=${said(choice)}>${said(choice)}</option>`)}</select>`;
  }
  return html`<input class="input num" type="number" min="0" step="any" aria-label=${one.key} value=${one.value} onInput=${(/** @type {any} */ event) => event.currentTarget.value && edit(one.edit, event.currentTarget.value)} />`;
}

/** @param {unknown} value */
const said = (value) => (value === true ? "on" : value === false ? "off" : String(value));
