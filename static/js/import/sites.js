/** The clusters of the page as tabs, once there are several: one is looked at, named, added or taken away. */
import { html, Icon } from "../kit/html.js";
import { plural } from "../kit/wording.js";
import { NAMES, NO_PASTE } from "./kept_paste.js";

export const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
export const SITES_MAX = 8;

/** @typedef {import("./kept_paste.js").Site} Site @typedef {import("./kept_paste.js").Kept} Kept */

/**
 * @param {{kept: Kept, answers: Record<string, import("./site_paste.js").Answer>, set: (next: (known: Kept) => Kept) =>
 *   void}} props
 */
export function Sites({ kept: { sites, at, between }, answers, set }) {
  const add = html`<button class="btn sm" type="button" data-testid="add-site" disabled=${sites.length >= SITES_MAX}
    onClick=${() => set(withSite)}><${Icon} name="plus" />Add another cluster</button>`;
  const site = sites[at];
  if (sites.length < 2 || !site)
    return html`<div class="row p-sites">${add}<span class="soft">A second site, to ask what happens when one of them
      goes dark.</span></div>`;
  const wrong = nameProblem(sites, site);
  return html`<div class="row p-sites" data-testid="sites">
    <div class="seg" role="group"
      aria-label="Clusters">${sites.map(
        (one, index) => html`<button key=${one.id} type="button"
        aria-pressed=${index === at} data-testid=${`site-${one.name}`} title=${one.name}
          onClick=${() => set((known) => ({ ...known, at: index }))}><span
            class="p-site-name">${one.name || "unnamed"}</span><span
              class="soft"> ${stateOf(one, answers[one.id]?.told)}</span></button>`,
      )}</div>
    <label class="row">Name <input class="input" data-testid="site-name" value=${site.name} maxlength="32"
      aria-invalid=${Boolean(wrong)} aria-describedby=${wrong ? "site-name-problem" : null}
        onInput=${(/** @type {any} */ event) => set((known) => withName(known, event.currentTarget.value.trim()))}
          /></label>
    <button class="btn sm ghost" type="button" data-testid="remove-site" onClick=${() => set(withoutSite)}>Remove <span
      class="p-site-name">${site.name}</span></button>${add}
    <label class="row end">Between sites, one way <input class="input num" type="number" min="0" max="500" step="any"
      data-testid="between" value=${between}
        onInput=${(/** @type {any} */ event) => set((known) => ({ ...known, between: event.currentTarget.value }))}
          /> ms</label>
    ${
      wrong &&
      html`<p class="error" role="alert" id="site-name-problem"
      data-testid="site-name-problem">${wrong}</p>`
    }</div>`;
}

/** @param {Site} site @param {import("./site_paste.js").Told | null | undefined} told */
const stateOf = ({ paste }, told) =>
  !paste.text.trim() ? "empty" : told?.can_build ? plural(told.summary.brokers ?? 0, "broker") : "not used";

/**
 * A problem with the paste that it is of, where there are several.
 * @param {Site | undefined} site
 * @param {string} problem
 */
export const ofSite = (site, problem) => (site ? `${site.name || "unnamed"}: ${problem}` : problem);

/** The problem of a site's name; "" without one. @param {Site[]} sites @param {Site} site */
export function nameProblem(sites, { id, name }) {
  if (!NAME.test(name)) return "A name is a letter, then at most 31 letters, digits, - and _.";
  return sites.some((one) => one.id !== id && one.name === name) ? `There is a cluster ${name} already.` : "";
}

/** With one more site, which is looked at then. @param {Kept} kept @returns {Kept} */
export function withSite({ sites, ...kept }) {
  const free = [...NAMES, ...sites.map((_, index) => `site-${index + 1}`), `site-${sites.length + 1}`];
  const name = free.find((one) => !sites.some((site) => site.name === one)) ?? "";
  const id = String(1 + Math.max(...sites.map((one) => Number(one.id))));
  return { ...kept, sites: [...sites, { id, name, paste: NO_PASTE }], at: sites.length };
}

/** Without the site that is looked at. @param {Kept} kept @returns {Kept} */
export const withoutSite = ({ sites, at, ...kept }) => ({
  ...kept,
  sites: sites.filter((_, index) => index !== at),
  at: Math.max(0, at - 1),
});

/** The sites with these names, in order. @param {Kept} kept @param {string[]} names @returns {Kept} */
export const withNames = (kept, names) => ({
  ...kept,
  sites: kept.sites.map((one, index) => ({ ...one, name: names[index] ?? one.name })),
});

/** @param {Kept} kept @param {string} name @returns {Kept} */
const withName = (kept, name) => ({
  ...kept,
  sites: kept.sites.map((one, index) => (index === kept.at ? { ...one, name } : one)),
});
