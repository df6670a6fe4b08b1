/**
 * The panel at the right: Verdict, Inspect, Metrics, Settings above, Events and Changes below, a splitter between them.
 * On phones one row of tabs, in a sheet.
 *
 * @import {App} from "../app/app.js"
 */
import { signal } from "@preact/signals";
import { render } from "preact";
import { html, Icon } from "../kit/html.js";
import { hasOneRow, PHONE_WIDTH } from "../run/layout.js";
import { ChangesTab, EventLog, filterOpen, filterText } from "./events.js";
import { InspectPanel } from "./inspect.js";
import { MetricsPanel } from "./metrics.js";
import { SettingsPanel } from "./settings.js";
import { SheetHead } from "./sheet.js";
import { VerdictPanel } from "./verdict.js";

const SPLIT_STEP = 16;
const SPLIT_MIN = 120;
export const phone = signal(innerWidth <= PHONE_WIDTH);
const oneRow = signal(hasOneRow(innerWidth, innerHeight));
/** height of the upper half in px, 0 = by its content */
const split = signal(0);

/** @param {HTMLElement} root @param {App} app */
export function startPanel(root, app) {
  addEventListener("resize", () => {
    phone.value = innerWidth <= PHONE_WIDTH;
    oneRow.value = hasOneRow(innerWidth, innerHeight);
  });
  render(html`<${Panel} app=${app} />`, root);
}

/** @param {{app: App}} props */
function Panel({ app }) {
  const upper = app.page.tab.value;
  const lower = app.page.lowerTab.value;
  const one = oneRow.value;
  /** @type {[string, string][]} */ const tabs = [
    ["verdict", "Verdict"],
    ["inspect", "Inspect"],
    ["metrics", "Metrics"],
    ["settings", "Settings"],
  ];
  if (one) tabs.push(["events", "Events"], ["changes", "Changes"]);
  const content =
    one || upper === "verdict" || upper === "inspect" || upper === "metrics" || upper === "settings"
      ? upper
      : "verdict";
  const head = html`<${Tabs} label="Panel" tabs=${tabs} current=${content}
    choose=${(/** @type {any} */ tab) => app.showTab(tab)} />`;
  return html`
    ${phone.value ? html`<${SheetHead}>${head}<//>` : head}
    <div class="upper" id="panel-${content}" role="tabpanel" aria-labelledby="tab-${content}"
      style=${!one && split.value ? { flex: `0 0 ${split.value}px` } : {}}>
      <h2 class="vh">${tabs.find(([id]) => id === content)?.[1]}</h2>
      ${content === "verdict" && html`<${VerdictPanel} app=${app} />`}
      ${content === "inspect" && html`<${InspectPanel} app=${app} />`}
      ${content === "metrics" && html`<${MetricsPanel} app=${app} />`}
      ${content === "settings" && html`<${SettingsPanel} app=${app} />`}
      ${content === "events" && html`<${EventLog} app=${app} />`}
      ${content === "changes" && html`<${ChangesTab} app=${app} />`}
    </div>
    ${
      (one ? content : lower) !== "events" &&
      html`<span id="event-log" class="vh" tabindex="-1"
      onFocus=${() => app.showTab("events")}></span>`
    }
    ${
      !one &&
      html`<${Splitter} />
      <div class="lower"><${Tabs} label="Log" tabs=${[["events", "Events"], ["changes", "Changes"]]} current=${lower}
        choose=${(/** @type {any} */ tab) => {
          app.page.lowerTab.value = tab;
        }}>
        <button type="button" class="btn ghost icon sm end" aria-label="Filter events" aria-pressed=${filterOpen.value}
          onClick=${toggleFilter}><${Icon} name="search" /></button></${Tabs}>
        ${filterOpen.value && html`<${Filter} />`}
        <div class="lower-body" role="tabpanel"
          aria-labelledby="tab-${lower}">${
            lower === "events"
              ? html`<${EventLog} app=${app}
            />`
              : html`<${ChangesTab} app=${app} />`
          }</div></div>`
    }`;
}

function toggleFilter() {
  filterOpen.value = !filterOpen.value;
  if (!filterOpen.value) filterText.value = "";
}

function Filter() {
  return html`<div class="filter"><input class="input" type="search" aria-label="Words that an event must have"
    placeholder="Filter events, e.g. orders-0 or ELEC"
    value=${filterText.value} onInput=${(/** @type {any} */ event) => {
      filterText.value = event.currentTarget.value;
    }} /></div>`;
}

/**
 * @param {{label: string, tabs: [string, string][], current: string, choose: (tab: string) => void, children?: any}}
 *   props
 */
function Tabs({ label, tabs, current, choose, children }) {
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const at = tabs.findIndex(([id]) => id === current);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next) choose(next[0]);
    const list = /** @type {HTMLElement} */ (event.currentTarget);
    requestAnimationFrame(() =>
      /** @type {HTMLElement | null} */ (list.querySelector("[aria-selected=true]"))?.focus(),
    );
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<div class="tabs"><div class="tablist" role="tablist" aria-label=${label} onKeyDown=${onKey}>${tabs.map(
    ([id, text]) => html`<button type="button" role="tab" key=${id} id="tab-${id}"
    data-testid="tab-${id}" aria-selected=${id === current} tabindex=${id === current ? 0 : -1}
      onClick=${() => choose(id)}>${text}</button>`,
  )}</div>${children}</div>`;
}

function Splitter() {
  const move = (/** @type {number} */ height) => {
    split.value = Math.max(SPLIT_MIN, Math.min(innerHeight - 330, height));
  };
  const here = (/** @type {Element} */ bar) => bar.previousElementSibling?.getBoundingClientRect().height ?? 300;
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const step = event.key === "ArrowUp" ? -SPLIT_STEP : event.key === "ArrowDown" ? SPLIT_STEP : 0;
    if (!step) return;
    move(here(/** @type {Element} */ (event.currentTarget)) + step);
    event.preventDefault();
    event.stopPropagation();
  };
  const onMove = (/** @type {PointerEvent} */ event) => {
    const bar = /** @type {HTMLElement} */ (event.currentTarget);
    if (!bar.hasPointerCapture(event.pointerId)) return;
    move(event.clientY - (bar.previousElementSibling?.getBoundingClientRect().top ?? 0));
  };
  return html`<div class="splitter" role="separator" aria-orientation="horizontal"
    aria-label="Height of the upper panel" aria-valuemin=${SPLIT_MIN}
      aria-valuemax=${Math.max(SPLIT_MIN, innerHeight - 330)} aria-valuenow=${split.value || SPLIT_MIN} tabindex="0"
        onKeyDown=${onKey}
    onPointerDown=${(/** @type {any} */ event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove=${onMove}></div>`;
}
