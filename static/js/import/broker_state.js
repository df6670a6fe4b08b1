/** The state of the picked broker: a paste cannot always tell whether it runs, so it can be set. */
import { html } from "../kit/html.js";
import { idOf, isController } from "./places.js";

/**
 * @param {{keys: string[], brokers: import("./site_paste.js").BrokerRow[], states: Record<string, string>, edit: (key:
 *   string, value: string) => void}} props
 */
export function BrokerState({ keys, brokers, states, edit }) {
  const [key] = keys;
  const broker =
    keys.length === 1 && key && !isController(key) ? brokers.find((one) => one.id === idOf(key)) : undefined;
  if (!broker) return null;
  return html`<p class="row p-picked"><b>Broker ${broker.id}</b><span class="soft">leads ${broker.leads}</span>
    <label class="row">State <select class="input" data-testid="state-select" value=${states[broker.id] ?? broker.state}
      onChange=${(/** @type {any} */ event) => edit(`states.${broker.id}`, event.currentTarget.value)}><option
        value="running">running</option><option value="down">down</option></select></label></p>`;
}
