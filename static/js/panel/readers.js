/**
 * Where consumers read, in the Settings tab: from leaders, or from the closest in-sync replica.
 *
 * @import {App} from "../app.js"
 */
import { startWith } from "../actions.js";
import { racksOf, readersOf, withClientRack } from "../clientrack.js";
import { html } from "../html.js";

/** Consumers with a field here; a document with more of them is edited as a file. */
const READERS_MAX = 40;

/** @param {{app: App, site: import("../sites.js").Site | null}} props */
export function ReaderSettings({ app, site }) {
  const part = app.model.documentOf(site);
  const racks = racksOf(part);
  const readers = readersOf(part).slice(0, READERS_MAX);
  if (!racks.length || !readers.length) return null;
  const choose = (/** @type {string} */ id, /** @type {string} */ rack) =>
    startWith(
      app,
      (document) => withClientRack(document, site?.name, id, rack),
      rack
        ? `A new run, in which ${id} reads from an in-sync replica in ${rack} where there is one.`
        : `A new run, in which ${id} reads from leaders.`,
    );
  return html`<fieldset class="topic-settings"><legend>Consumers${site ? ` of ${site.name}` : ""}</legend>
    ${readers.map(
      ({
        id,
        rack,
      }) => html`<label class="k" key=${id}><span><code>client.rack</code> of ${id}</span><select class="input"
        data-testid=${`client-rack-${id}`} value=${rack}
          onChange=${(/** @type {any} */ event) => choose(id, event.currentTarget.value)}>
      <option value="">none: from
        leaders</option>${racks.map(
          (one) => html`<option key=${one}
          value=${one}>${one}: the closest replica</option>`,
        )}</select></label>`,
    )}
    <p class="muted hint">With a rack, brokers have the <code>RackAwareReplicaSelector</code>. Kafka reads both at
      start: a change makes a new run from 0 with what was done in this one.</p>
  </fieldset>`;
}
