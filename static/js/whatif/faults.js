/** The failures of the builder. They are alternatives: one is chosen, or several are compared with each other. */
import { html } from "../kit/html.js";
import { set } from "./fields.js";
import { rackChoices, withFault, withSeveral } from "./form.js";

/** @typedef {import("./fields.js").Props} Props */

/** What can happen to a rack and to a broker, with their words. @type {Record<string, [string, string][]>} */
const HOWS = {
  rack: [
    ["kill", "dies, its disks survive"],
    ["power", "loses power"],
    ["cut", "is cut off from the other nodes"],
  ],
  broker: [
    ["disk-lost", "loses its disk"],
    ["kill", "dies, its disk survives"],
    ["power", "loses power"],
    ["pause", "is paused"],
    ["slow", "fetches at most 10 records/s"],
    ["cut", "is cut off from the other nodes"],
  ],
};

/** @param {Props} props */
export function Faults({ start, form, change }) {
  const props = { start, form, change };
  return html`<div class="w-faults" role=${form.several ? "group" : "radiogroup"} aria-label="Failure">
    <${Option} name="as_is" label="what happens in the run happens again" ...${props}>
      ${
        start.has_failure &&
        html`<span class="help">At the same moments in every seed: the intervals hold for these.</span>`
      }
    <//>
    <${Option} name="rack_on" label="something happens to a rack" disabled=${!start.racks.length} ...${props}>
      <${Pick} name="rack" label="Rack" all=${rackChoices(start.racks)} ...${props} />
      <${Pick} name="rack_how" label="What happens to it" all=${HOWS.rack} ...${props} />
      <${Window} ...${props} /> and it is back after <${Text} name="rack_back"
        label="time until it comes back; empty: at the end" placeholder="the end" ...${props} />
    <//>
    ${!start.racks.length && html`<p class="help">No broker of this run names a rack.</p>`}
    <${Option} name="broker_on" label="something happens to a broker" ...${props}>
      <${Pick} name="broker" label="Broker" all=${[["any", "any broker, by seed"], ...start.brokers.map(twice)]}
        ...${props} />
      <${Pick} name="broker_how" label="What happens to it" all=${HOWS.broker} ...${props} />
      <${Window} ...${props} /> and it is back after <${Text} name="broker_back"
        label="time until it comes back; empty: at the end" placeholder="the end" ...${props} />
    <//>
    <${Option} name="roll_on" label="every broker restarts in turn" ...${props}>
      each down for <${Text} name="roll_back" label="time for which each broker is down" ...${props} />,
      beginning <${Window} ...${props} />
    <//>
    ${
      start.sites.length > 0 &&
      html`<${Option} name="site_on" label="a cluster is lost" ...${props}>
      <${Pick} name="site" label="Cluster" all=${start.sites.map((/** @type {any} */ site) => twice(site.name))}
        ...${props} />
      between <${Text} name="site_from" label="earliest moment of the loss" ...${props} /> and
      ${" "}<${Text} name="site_to" label="latest moment of the loss" ...${props} /> and back after
      ${" "}<${Text} name="site_back" label="time until the cluster comes back; empty: at the end"
        placeholder="the end" ...${props} />
      <span class="help">What follows its loss in the run, such as clients that move, follows it here as well.</span>
    <//>`
    }
    <${Option} name="rates_on" label="brokers fail at random" ...${props}>
      each every <${Text} name="mttf" label="mean time to failure, several with commas" ...${props} />, back after
      ${" "}<${Text} name="mttr" label="mean time to repair" ...${props} />
    <//>
    <button class="link" type="button" data-testid="fault-several"
      onClick=${() => change(withSeveral(form))}>${
        form.several ? "Choose one failure" : "Compare several failures with each other"
      }</button></div>`;
}

/** @param {string} name */
const twice = (name) => [name, name];

/**
 * One failure, and its fields while it is chosen.
 * @param {{name: string, label: string, disabled?: boolean, children?: any} & Props} props
 */
const Option = ({ name, label, disabled = false, children, form, change }) => html`<div class="row">
  <label class="check"><input type=${form.several ? "checkbox" : "radio"} name="fault" data-testid=${`fault-${name}`}
    checked=${form[name]} disabled=${disabled}
    onChange=${(/** @type {any} */ e) => change(withFault(form, name, e.target.checked))} />${label}</label>
  ${form[name] && children}</div>`;

/** @param {{name: string, label: string, all: string[][]} & Props} props */
const Pick = ({ name, label, all, form, change }) => html`<select class="input" aria-label=${label}
  data-testid=${`fault-${name === "site" ? name : `${name}-pick`}`} value=${form[name]}
  onChange=${set(change, name)}>${all.map(
    ([value, words]) => html`<option value=${value}>${words}</option>`,
  )}</select>`;

/** @param {{name: string, label: string, placeholder?: string, also?: any} & Props} props */
const Text = ({ name, label, placeholder = "", also = {}, form, change }) => html`<input class="input w-short"
  aria-label=${label} data-testid=${`fault-${name}`} value=${form[name]} placeholder=${placeholder}
  onInput=${set(change, name, also)} />`;

/** The moments between which a failure begins: each seed draws one. @param {Props} props */
const Window = ({
  form,
  ...rest
}) => html`between <${Text} name="rack_from" label="earliest moment" also=${SET} form=${form} ...${rest} />
  ${" "}and <${Text} name="rack_to" label="latest moment" also=${SET} form=${form} ...${rest} />${
    (!form.rack_to || form.rack_to === form.rack_from) &&
    html`<span class="help">One moment in all seeds: the intervals hold for it only.</span>`
  }`;

const SET = { window_set: true };
