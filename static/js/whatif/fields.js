/** The builder's fields. */
import { html } from "../kit/html.js";
import { ACKS, AS_IS, MIRROR_AXES, seedRange, toggled, withHorizon } from "./form.js";

/** @typedef {{start: any, form: any, change: (part: any) => void}} Props */

/**
 * Several values of one axis: each a real button that is in or out.
 * @param {{name: string, label: string, all: any[], words?: (v: any) => string} & Props} props
 */
function Choice({ name, label, all: values, words: said = String, form, change }) {
  const all = [AS_IS, ...values];
  const words = (/** @type {any} */ value) => (value === AS_IS ? "as is" : said(value));
  return html`<div class="w-choice" role="group" aria-label=${label}><span>${label}</span><div
    class="seg big">${all.map(
      (value) => html`<button
    type="button" aria-pressed=${form[name].includes(value)} data-testid=${`axis-${name}-${words(value)}`}
    onClick=${() => change({ [name]: toggled(form[name], value, all), left_out: [] })}>${words(value)}</button>`,
    )}</div></div>`;
}

/** @param {Props} props */
export function Axis({ start, form, change }) {
  const counts = Array.from({ length: Math.min(5, start.largest_rf) }, (_, i) => i + 1);
  const props = { start, form, change };
  return html`<div class="w-axes"><${Choice} name="acks" label="acks" all=${ACKS} ...${props} />
    <${Choice} name="min_isr" label="min.insync.replicas" all=${counts} ...${props} />
    <${Choice} name="unclean" label="unclean election" all=${[false, true]}
      words=${(/** @type {boolean} */ v) => (v ? "on" : "off")} ...${props} />
    <${Choice} name="rf" label="replication factor" all=${counts} ...${props} />
    <${Choice} name="kafka" label="Kafka version" all=${Object.keys(start.profiles)} ...${props} />
    <${Listed} name="lag" label="replica.lag.time.max.ms" testid="axis-lag" ...${props} />
    <${Listed} name="load" label="load, times that of the run" ...${props} /></div>
    ${
      start.load &&
      html`<p class="help" data-testid="whatif-load">The load of the run is ${start.load}.${
        !start.has_rates && " No producer has a rate, so a factor changes nothing."
      }</p>`
    }
    ${start.mirrors && html`<${MirrorAxes} ...${props} />`}
    <p class="help">What is not chosen stays as in the run; "as is", in a list as-is, stands for that beside
      other values. Several values of one key make several configurations. A chosen key also removes the timeline's
      actions on it; the replication factor keeps the first replicas of each list.
      Versions: ${Object.values(start.profiles).join("; ")}.</p>`;
}

/** Several values of one axis as text. @param {{name: string, label: string, testid?: string} & Props} props */
const Listed = ({
  name,
  label,
  testid,
  form,
  change,
}) => html`<label class="field"><span>${label}, several with commas</span>
  <input data-testid=${testid ?? `axis-${name}`} placeholder="as in the run" value=${form[name]}
    onInput=${set(change, name)} /></label>`;

/** The axes that only a run with MirrorMaker has. @param {Props} props */
function MirrorAxes(props) {
  const { wan, syncs_groups: syncs } = props.start.mirrors;
  return html`<h3>MirrorMaker</h3><div class="w-axes" data-testid="mirror-axes">
    <${Listed} name="wan" label=${`WAN latency, one way (${wan} in the run)`} ...${props} />
    ${Object.entries(MIRROR_AXES).map(([name, key]) => html`<${Listed} name=${name} label=${key} ...${props} />`)}</div>
    <p class="help">A key is set in every flow, and its work begins at a moment of the
      seed. ${!syncs && html`sync.group.offsets.enabled is false in this run, so its interval changes nothing. `}WAN
        latency is that between clusters; a link to a single node or process keeps its own.</p>`;
}

/** @param {Props} props */
export function Topics({ start, form, change }) {
  if (start.topics.length < 2) return html`<code>${start.topics[0] ?? "no topic"}</code>`;
  const value = form.topics.length === start.topics.length ? "" : form.topics[0];
  return html`<select class="input" aria-label="Topics" data-testid="whatif-topics" value=${value}
    onChange=${(/** @type {any} */ e) => change({ topics: e.target.value ? [e.target.value] : start.topics })}>
    <option value="">all topics</option>${start.topics.map(
      (/** @type {string} */ name) => html`<option
      value=${name}>${name}</option>`,
    )}</select>`;
}

/** @param {Props & {title: string}} props  title: what it is called where nobody names it */
export function Numbers({ start, form, change, title }) {
  return html`<div class="w-numbers">
    <label class="field"><span>Name</span><input value=${form.title} maxlength="200" placeholder=${title}
      onInput=${set(change, "title")} /></label>
    <label class="field"><span>Seeds, ${start.limits.seeds_min} to ${start.limits.seeds_max.toLocaleString("en")}</span>
      <input inputmode="numeric" data-testid="whatif-seeds" value=${form.seeds} onInput=${set(change, "seeds")}
        /></label>
    <label class="field"><span>First seed</span><input inputmode="numeric" data-testid="whatif-first-seed"
      value=${form.first_seed} onInput=${set(change, "first_seed")} /></label>
    <label class="field"><span>Simulated time of a run</span><input data-testid="whatif-horizon" value=${form.horizon}
      onInput=${(/** @type {any} */ event) => change(withHorizon(form, event.target.value))} /></label>
    ${
      start.latency !== null &&
      html`<label class="field"><span>Latency between nodes, one way</span><input
      data-testid="whatif-latency" value=${form.latency} onInput=${set(change, "latency")} /></label>`
    }</div>
    <${Seeds} start=${start} form=${form} change=${change} />`;
}

/** @param {(part: any) => void} change @param {string} name @param {any} [also] @returns {(event: any) => void} */
export function set(change, name, also = {}) {
  return (event) => change({ [name]: event.target.value, left_out: [], ...also });
}

/** The seeds that are run, and the way to ones that an earlier experiment has not used. @param {Props} props */
function Seeds({ start, form, change }) {
  const range = seedRange(form);
  const isRepeat = start.fresh_seed !== null && form.first_seed === String(start.first_seed);
  return html`<p class="help" data-testid="whatif-seed-range">${
    range &&
    html`Seeds ${range}. The same seed draws the
    same failures in every configuration.`
  }
    ${
      isRepeat &&
      html` The earlier experiment ran them already: the same seeds only repeat it.
      <button class="link" type="button" data-testid="whatif-fresh-seeds"
        onClick=${() => change({ first_seed: String(start.fresh_seed) })}>Take fresh seeds</button>`
    }</p>`;
}
