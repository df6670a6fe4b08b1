/**
 * The bar below the header for what a person must know: no connection, another engine, the end of the run; the skeleton
 * before the first view; the pointer of the first visit.
 *
 * @import {App} from "./app.js"
 */
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { forkOtherwise } from "./actions.js";
import { must } from "./dom.js";
import { html, Icon } from "./html.js";
import { copy, toast } from "./kit.js";
import { justMade, sayFlash } from "./leaving.js";

const SKELETON_AFTER_MS = 300;
const now = signal(performance.now());
const hidden = signal("");
/** how the branch on this page was made, if it has just been */
const made = signal(/** @type {import("./leaving.js").Made | null} */ (null));

/** @param {App} app */
export function startNotices(app) {
  render(html`<${Bar} app=${app} />`, must("notices"));
  setTimeout(() => {
    if (!app.model.ready.value && !app.model.ended.value) must("skeleton").hidden = false;
  }, SKELETON_AFTER_MS);
  let wasLost = false;
  app.model.connection.subscribe(({ state }) => {
    if (state === "open" && wasLost)
      toast(
        app.live.room.unknown
          ? "Connected again. Look whether what you did last happened."
          : "Connected again. Nothing was lost.",
      );
    wasLost = state === "lost" || (wasLost && state === "connecting");
  });
  effect(() => {
    if (app.model.ended.value && !app.model.ready.value) must("skeleton").hidden = true;
  }); // once the stage is drawn it is gone
  const ready = app.model.ready.subscribe((isReady) => {
    if (!isReady) return;
    must("skeleton").hidden = true;
    sayFlash();
    made.value = justMade(app);
    queueMicrotask(() => ready?.());
  });
}

/**
 * What a new branch does with the later actions of the run that it left, and the other choice.
 * @param {{app: App}} props
 */
function Later({ app }) {
  const { later } = app.boot;
  if (!made.value || !later) return null;
  const { fresh, brief, problems, other } = later;
  return html`<div class="notice" data-testid="later" role="status"><${Icon} name="fork"
    /><span>${fresh ? "This branch " : "This branch goes on "}${brief}${problems.length > 0 && ":"}
      ${
        problems.length > 0 &&
        html`<ul
        class="problems">${problems.map((problem) => html`<li>${problem}</li>`)}</ul>`
      }</span>
    <button type="button" class="btn sm" data-testid="later-other"
      onClick=${() => made.value && forkOtherwise(app, made.value)}>${
        fresh ? "Keep what came after" : "Start afresh from here"
      }</button><span
        class="soft">${other}</span>
    <button type="button" class="btn sm ghost icon" aria-label="Close" onClick=${() => {
      made.value = null;
    }}><${Icon} name="x" /></button></div>`;
}

/** Why the run goes no further, and what can be done. @param {{app: App, kind: string, reason: string}} props */
function Ended({ app, kind, reason }) {
  const seen = app.model.ready.value;
  return html`<div class="notice warn" data-testid="ended" data-kind=${kind} role="status"><${Icon} name="info"
    /><span>${reason}</span>
    ${
      kind === "limit" &&
      html`<button type="button" class="btn sm"
      onClick=${() => app.carryOn()}>Carry on as a new run</button>`
    }
    ${
      kind === "failed" &&
      html`<button type="button" class="btn sm"
      onClick=${() => copy(`${reason}\n${app.link()}`, "Report copied.")}>Copy report</button>`
    }
    ${
      kind === "full" &&
      html`<button type="button" class="btn sm"
      onClick=${() => location.reload()}>Try again</button>`
    }
    ${!seen && html`<a class="btn sm" href="/runs">My runs</a>`}</div>`;
}

/** @param {{app: App}} props */
function Bar({ app }) {
  const { connection, ended } = app.model;
  const { state, retryAt } = connection.value;
  useEffect(() => {
    if (state !== "lost") return undefined;
    const timer = setInterval(() => {
      now.value = performance.now();
    }, 500);
    return () => clearInterval(timer);
  }, [state]);
  const stale = app.notice.value;
  const lost = state === "lost" || (state === "connecting" && app.model.ready.value);
  return html`<div data-testid="connection" data-state=${state} role="alert" aria-live="assertive">${
    lost &&
    html`<div class="notice warn"><${Icon} name="warning" />
      <span>Connection lost. You can still scrub what is
        here. ${
          state === "lost"
            ? `Trying again in ${Math.max(0, Math.ceil((retryAt - now.value) / 1000))} s.`
            : "Trying now."
        }</span>
      <button type="button" class="btn sm" onClick=${() => app.live.connect()}>Try now</button></div>`
  }</div>
    ${ended.value && html`<${Ended} app=${app} kind=${ended.value.kind} reason=${ended.value.reason} />`}
    <${Later} app=${app} />
    ${
      stale &&
      hidden.value !== "stale" &&
      html`<div class="notice" role="status"><${Icon} name="info"
        /><span>The server was updated. This run was computed by version ${stale.computed_by}.</span>
      <button type="button" class="btn sm" onClick=${() => {
        hidden.value = "stale";
      }}>Keep looking</button><a class="btn sm" href=${`${app.boot.link}/about`}>About this run</a></div>`
    }`;
}
