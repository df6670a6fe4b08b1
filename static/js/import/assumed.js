/** The "Assumed" box: what no paste tells and the verdict depends on, each value with its reason, editable in place. */
import { html } from "../kit/html.js";

/**
 * `given` are the values the user has set: they are shown as they were typed, whatever an answer of the server says,
 * which is always older than the last key.
 * @param {{assumptions: import("./site_paste.js").Assumption[], given: Record<string, any>, refused: Record<string,
 *   string>, edit: (key: string, value: any) => void}} props
 */
export const Assumed = ({
  assumptions,
  given,
  refused,
  edit,
}) => html`<section class="card p-assumed" data-testid="import-assumed">
  <h2>Assumed</h2><p class="help">The paste cannot tell these, and the verdict depends on them.</p>
  <dl>${assumptions.map(
    (one) => html`<div key=${one.edit || one.key} data-testid=${`assumed-${one.edit || one.key}`}><dt>${one.key}</dt>
    <dd>${
      one.edit
        ? html`<${Value} one=${one} shown=${givenOf(given, one.edit) ?? one.value}
      isRefused=${one.edit in refused} edit=${edit} />`
        : html`<b>${String(one.value)}</b>`
    }</dd><dd
      class="why">${one.why}</dd>
    ${
      one.edit in refused &&
      html`<dd class="error" id=${`refused-${one.edit}`}
      data-testid=${`refused-${one.edit}`}>${refused[one.edit]}</dd>`
    }</div>`,
  )}</dl></section>`;

/**
 * @param {{one: import("./site_paste.js").Assumption, shown: unknown, isRefused: boolean, edit: (key: string, value:
 *   any) => void}} props
 */
function Value({ one, shown, isRefused, edit }) {
  const take = (/** @type {any} */ event) => edit(one.edit, event.currentTarget.value);
  if (one.choices.length) {
    return html`<select class="input" aria-label=${one.key} value=${said(shown)} onChange=${take}>
      ${one.choices.map((choice) => html`<option value=${said(choice)}>${said(choice)}</option>`)}</select>`;
  }
  const leave = (/** @type {any} */ event) => {
    if (event.currentTarget.value === "") edit(one.edit, undefined);
  };
  return html`<input class="input num" type="number" min="0" step="any" aria-label=${one.key} aria-invalid=${isRefused}
    aria-describedby=${isRefused ? `refused-${one.edit}` : null} value=${shown} onInput=${take} onBlur=${leave} />`;
}

/**
 * The value that the user has set under a key such as `acks` or `states.3`.
 * @param {Record<string, any>} given
 * @param {string} key
 */
function givenOf(given, key) {
  const [name, broker] = key.split(".");
  return broker ? given.states?.[broker] : given[name];
}

/** @param {unknown} value */
const said = (value) => (value === true ? "on" : value === false ? "off" : String(value));
