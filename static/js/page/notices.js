/**
 * The bar below the header for what a person must know: no connection, another engine, the end of the run; the skeleton
 * before the first view; the pointer of the first visit.
 *
 * @import {App} from "../app/app.js"
 */
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { forkOtherwise } from "./actions.js";
import { must } from "../kit/dom.js";
import { html, Icon } from "../kit/html.js";
import { copy, toast } from "../kit/kit.js";
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
    const { isUnopened } = app.model;
    document.body.toggleAttribute("data-unopened", isUnopened);
    if (isUnopened) must("skeleton").hidden = true; // once the stage is drawn it is gone
  });
  const ready = app.model.ready.subscribe((isReady) => {
    if (!isReady) return;
    must("skeleton").hidden = true;
    sayFlash();
    made.value = justMade(app);
    queueMicrotask(() => ready?.());
  });
}

/**
 * The later actions of the run that a new branch left: kept or left out by the branch, and the other choice.
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

/** The reason why the run goes no further, and the cure. @param {{app: App, kind: string, reason: string}} props */
function Ended({ app, kind, reason }) {
  return html`<div class="notice warn" data-testid="ended" data-kind=${kind} role="status"><${Icon} name="info"
    /><span>${reason}</span>
    ${
      kind === "limit" &&
      html`<button type="button" class="btn sm"
      onClick=${() => app.carryOn()}>Carry on as a new run</button>`
    }
    ${kind === "failed" && html`<${CopyReport} app=${app} reason=${reason} />`}
    ${kind === "full" && html`<${TryAgain} />`}</div>`;
}

/**
 * A run that never opened: why, and what can be done. Nothing else of the page can work.
 * @param {{app: App, kind: string, reason: string}} props
 */
function Unopened({ app, kind, reason }) {
  const sentences = reason.split(/(?<=[.]) (?=[A-Z])/);
  return html`<section class="card unopened" data-testid="ended" data-kind=${kind} role="alert">
    <h2>This run is not opened</h2>
    ${sentences.map((sentence) => html`<p>${sentence} </p>`)}
    <p class="row">
      ${kind !== "refused" && kind !== "deleted" && html`<${TryAgain} />`}
      ${kind === "failed" && html`<${CopyReport} app=${app} reason=${reason} />`}
      ${kind !== "deleted" && html`<a class="btn sm" href=${app.aboutUrl}>About this run</a>`}
      <a class="btn sm" href="/runs">My runs</a></p></section>`;
}

function TryAgain() {
  return html`<button type="button" class="btn sm" onClick=${() => location.reload()}>Try again</button>`;
}

/** @param {{app: App, reason: string}} props */
function CopyReport({ app, reason }) {
  return html`<button type="button" class="btn sm"
    onClick=${() => copy(`${reason}\n${app.link()}`, "Report copied.")}>Copy report</button>`;
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
    ${ended.value && html`<${app.model.isUnopened ? Unopened : Ended} app=${app} ...${ended.value} />`}
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
