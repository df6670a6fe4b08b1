/**
 * The event log and the changes of the current event.
 *
 * @import {App} from "../app/app.js"
 * @import {Event} from "../words/narrate.js"
 */
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { sentence } from "../words/actionwords.js";
import { KIND } from "../facts/facts.js";
import { readActionDone } from "../facts/decisive.js";
import { kindOf, timeOf } from "../facts/row.js";
import { html, Icon } from "../kit/html.js";
import { grouped } from "../words/grouping.js";
import { logTime } from "../words/narrate.js";
import { RuleLink } from "../kit/rulelink.js";
import { lastAt } from "../run/story.js";
import { plural } from "../kit/wording.js";

/** Lines shown around the current one; the rest is reached by scrolling in time. */
const BEFORE_MAX = 160;
const AFTER_MAX = 60;
const SLOW_SPEED = 100_000;
/**
 * with more partitions than this, followers that follow and ISRs that are taken over are shown only when searched for
 */
const MINOR_PARTITIONS = 12;
export const filterText = signal("");
export const filterOpen = signal(false);

/** @param {{app: App}} props */
export function EventLog({ app }) {
  app.model.pulse.value;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const events = filtered(
    app.story.events(),
    filterText.value,
    (app.model.view?.partitions.length ?? 0) > MINOR_PARTITIONS,
  );
  const now = lastAt(events, app.model.t);
  const shown = events.slice(Math.max(0, now + 1 - BEFORE_MAX), now + 1 + AFTER_MAX);
  const lines = grouped(shown);
  const current = events[now]?.seq ?? -1;
  useEffect(() => keepInSight(box.current), [current]);
  const polite = !app.model.playing.value || app.page.speedOf(app.model) <= SLOW_SPEED;
  return html`<div class="evs" role="log" aria-label="Event log" aria-live=${polite ? "polite" : "off"}
    data-testid="event-log" tabindex="0" id="event-log" ref=${box}>
    ${
      now + 1 > BEFORE_MAX &&
      html`<p class="muted note-line">${(now + 1 - BEFORE_MAX).toLocaleString("en")} earlier
      events: scrub back to read them.</p>`
    }
    ${lines.map(
      (
        { event, more, echoes },
        i,
      ) => html`<${Line} key=${event.seq} app=${app} event=${event} more=${more} look=${echoes[0] ?? event}
        current=${[event, ...more, ...echoes].some((one) => one.seq === current)}
      last=${(lines[i + 1]?.event.t ?? Infinity) > app.model.t && event.t <= app.model.t} />`,
    )}
    ${
      events.length === 0 &&
      html`<p
      class="muted note-line">${filterText.value ? "No event has these words." : "Nothing has happened yet."}</p>`
    }
  </div>`;
}

/**
 * Events that are told in one line with another: of other partitions, or more of its own.
 * @param {Event} event
 * @param {Event[]} more
 */
function moreText(event, more) {
  const others = new Set(more.map((other) => other.p).filter((p) => p !== event.p)).size;
  return others
    ? ` and ${plural(others, "more partition")}`
    : more.length
      ? ` and ${more.length.toLocaleString("en")} more like it`
      : "";
}

/**
 * An action with the fact that says the same has the look and the rule of that.
 * @param {{app: App, event: Event, more: Event[], look: Event, current: boolean, last: boolean}} props
 */
function Line({ app, event, more, look, current, last }) {
  const later = event.t > app.model.t;
  const { icon, rule, grave, minor } = look;
  const tone = `${current ? " cur" : ""}${later ? " later" : ""}${grave ? " k" : ""}${minor ? " minor" : ""}`;
  return html`<div class=${`evl${current ? " cur" : ""}`}><button type="button" class=${`ev${tone}`}
      data-testid=${`event-${event.seq}`} onClick=${() => app.travel.goTo(event.t, event.seq)}>
      <span class="num">${logTime(event.t)}</span><${Icon} name=${icon} />
      <span>${event.text}${moreText(event, more)}</span>
    </button>${rule && html`<${RuleLink} rule=${rule} />`}</div>
    ${last && html`<div class="nowl" aria-hidden="true">now</div>`}`;
}

/**
 * @param {Event[]} events
 * @param {string} words
 * @param {boolean} many in a large cluster what only accompanies another event is left out
 */
function filtered(events, words, many) {
  const wanted = words.trim().toLowerCase();
  if (!wanted) return many ? events.filter((event) => !event.minor) : events;
  return events.filter((event) => `${event.text} ${event.rule}`.toLowerCase().includes(wanted));
}

/** @param {HTMLElement | null} box */
function keepInSight(box) {
  const line = box?.querySelector(".nowl");
  if (!box || !(line instanceof HTMLElement) || box.matches(":hover")) return;
  box.scrollTop = line.offsetTop - box.clientHeight * 0.72;
}

/** @param {{app: App}} props */
export function ChangesTab({ app }) {
  app.model.pulse.value;
  const events = app.story.events();
  const t = events.slice(0, lastAt(events, app.model.t) + 1).findLast((event) => event.changes.length)?.t;
  const asked = app.model.trace.decisive
    .filter((row) => kindOf(row) === KIND.ACTION_DONE && timeOf(row) <= app.model.t && timeOf(row) > (t ?? -1))
    .map(readActionDone);
  const same = events.filter((event) => event.t === t && event.changes.length);
  return html`<div class="evs" data-testid="changes" tabindex="0">
    ${
      asked.length > 0 &&
      html`<div class="change" data-testid="asked"><p class="muted">Asked for, and not in effect
        yet${app.model.playing.value ? "" : ": time stands still"}</p>
      <ul>${asked.map(
        (action) => html`<li key=${action.seq}><span>${sentence(action.text, app.model.words)}</span><span
        class="num">${logTime(action.t)}</span></li>`,
      )}</ul></div>`
    }
    ${same.length === 0 && asked.length === 0 && html`<p class="muted note-line">Nothing has changed yet.</p>`}
    ${same.map(
      (event) => html`<div class="change" key=${event.seq}>
      <p class="muted"><span class="num">${logTime(event.t)}</span> ${event.text}</p>
      <ul>${event.changes.map(
        (change) => html`<li key=${change.name}><span>${change.name}</span><span
        class="num">${change.from && html`<s>${change.from}</s> → `}<b>${change.to}</b></span></li>`,
      )}</ul>
      ${event.cause > 0 && html`<${Cause} app=${app} event=${event} />`}
    </div>`,
    )}
  </div>`;
}

/** @param {{app: App, event: Event}} props */
function Cause({ app, event }) {
  const cause = app.story.eventOf(event.cause);
  if (!cause) return null;
  return html`<button type="button" class="link small" onClick=${() => app.travel.goTo(cause.t, cause.seq)}>because
    of <span class="num">${logTime(cause.t)}</span> ${cause.text}</button>`;
}
