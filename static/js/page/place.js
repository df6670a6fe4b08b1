/**
 * The place of a person: moment in the address (#t=21.160), selection, speed, tab in the session, so that reload, Back
 * and a link to a moment all come to the same place.
 *
 * @import {Player} from "./player.js"
 */
import { keep, read } from "../kit/kit.js";
import { hashOf, levelOf, momentOf } from "./moment.js";

const WRITE_MS = 250;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {Player} app */
const key = (app) => `highwater-place-${app.boot.scenario}`;

/** Notes the place, soon. @param {Player} app */
export function remember(app) {
  clearTimeout(timer);
  timer = setTimeout(() => write(app), WRITE_MS);
}

/** Notes the place now: the page is about to be left. @param {Player} app */
export function write(app) {
  clearTimeout(timer);
  const { model, page } = app;
  if (!model.ready.value) return;
  const hash = model.following.value ? "" : hashOf(model.loose.t, page.levelChoice.value);
  if (location.hash !== hash) history.replaceState(history.state, "", `${location.pathname}${location.search}${hash}`);
  const place = {
    selection: page.selection.value,
    speed: page.speed.value,
    tab: app.page.tab.value,
    lowerTab: app.page.lowerTab.value,
    level: page.levelChoice.value,
  };
  keep("sessionStorage", key(app), JSON.stringify(place));
}

/** @param {Player} app */
export function restore(app) {
  // `/play` is another run for everybody: the address that a person copies names this one
  if (location.pathname === "/play") history.replaceState(history.state, "", `/s/${app.boot.scenario}${location.hash}`);
  app.travel.wantedStart = momentOf(location.hash);
  addEventListener("hashchange", () => {
    const t = momentOf(location.hash);
    if (t !== null && t !== Math.round(app.model.t)) app.live.open(t);
  });
  addEventListener("pagehide", () => write(app));
  app.page.levelChoice.value = levelOf(location.hash);
  const stored = read("sessionStorage", key(app));
  if (!stored) return;
  const place = JSON.parse(stored);
  app.page.selection.value = place.selection ?? null;
  app.page.levelChoice.value ??= place.level ?? null;
  app.page.tab.value = place.tab ?? "verdict";
  app.page.lowerTab.value = place.lowerTab ?? "events";
  app.travel.wantedSpeed = place.speed ?? null;
}
