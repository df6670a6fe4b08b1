/**
 * Clusters and flows of MirrorMaker to add, in the Settings tab. Each makes a new run from 0, as a setting does.
 *
 * @import {App} from "../app/app.js"
 * @import {Pair} from "../run/pairs.js"
 */
import { html } from "../kit/html.js";
import { addFlow, startWith } from "../page/actions.js";
import { missingFlows, startsLater, withCluster, withDistance } from "../run/pairs.js";

const FIRST = "east";
const SECOND = "west";
const DISTANCE = "30ms"; // one way, as between pasted clusters
const CLUSTERS_MAX = 8; // of a document (scenario/limits.py)

/** @param {{app: App}} props */
export function AddCluster({ app }) {
  const { document, sites } = app.model;
  if (sites.length >= CLUSTERS_MAX) return null;
  const first = sites.length ? "" : FIRST;
  const add = (/** @type {any} */ event) => {
    event.preventDefault();
    const { here, name, distance } = event.currentTarget.elements;
    const added = name.value.trim();
    startWith(
      app,
      (whole) => withCluster(whole, added, distance.value.trim()),
      `A new run with a second cluster, ${added}.`,
      { name: here?.value.trim() },
    );
  };
  return html`<form class="topic-settings" data-testid="add-cluster" onSubmit=${add}>
    <h3>Another cluster</h3>
    ${
      first &&
      html`<label class="k"><span>Name of this cluster</span><input class="input" name="here"
      defaultValue=${first} required autocomplete="off" spellcheck=${false} /></label>`
    }
    <label class="k"><span>Name of the new one</span><input class="input" name="name"
      defaultValue=${sites.length ? "" : SECOND} required autocomplete="off" spellcheck=${false} /></label>
    <label class="k"><span>Between clusters, one way</span><input class="input" name="distance"
      defaultValue=${sites.length ? (document.network?.latency ?? "1ms") : DISTANCE} required
      autocomplete="off" /></label>
    <div class="row"><button class="btn sm" data-testid="add-cluster-button">Add the cluster</button></div>
    <p class="muted hint">It has the brokers and settings of ${sites[0]?.name ?? "this one"}, no topics and no clients.
      It makes a new run from 0, with the actions of this one.</p>
  </form>`;
}

/** The flows that a pair of clusters lacks, and the distance. @param {{app: App}} props */
export function AddFlows({ app }) {
  const { document } = app.model;
  if (!app.model.sites.length) return null;
  const choose = (/** @type {string} */ value) =>
    startWith(app, (whole) => withDistance(whole, value), `A new run, with ${value} between the clusters, one way.`);
  return html`<div class="topic-settings" data-testid="add-flows">
    <label class="k"><span>Between clusters, one way</span><input class="input" data-testid="distance"
      defaultValue=${document.network?.latency ?? "1ms"} autocomplete="off"
      onChange=${(/** @type {any} */ event) => choose(event.currentTarget.value.trim())} /></label>
    ${missingFlows(document).map((pair) => html`<${AddFlow} key=${named(pair)} app=${app} pair=${pair} />`)}
  </div>`;
}

/** @param {Pair} pair */
const named = ({ source, target }) => `${source}->${target}`;

/** @param {{app: App, pair: Pair}} props */
function AddFlow({ app, pair }) {
  const later = startsLater(app.model.document, pair);
  return html`<div class="row"><button type="button" class="btn sm" data-testid=${`add-flow-${named(pair)}`}
      onClick=${() => addFlow(app, pair)}>Add a flow ${pair.source} → ${pair.target}</button></div>
    ${
      later &&
      html`<p class="muted hint">Copies keep their names, so both flows may not run at once. This one is down at
      the start: stop the other one, then start it.</p>`
    }`;
}
