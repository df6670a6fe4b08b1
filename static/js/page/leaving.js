/**
 * The notes of a page for the one that it leads to: its greeting, how a branch was made, the speed that was chosen, and
 * whether it plays at once.
 *
 * @import {Player} from "./player.js"
 */
import { keep, read, toast } from "../kit/kit.js";
import { write } from "./place.js";

/** Told on the page that a fork leads to. */
const FLASH = "highwater-flash";
/** The way in which that fork was made. */
const MADE = "highwater-made";
/** Address of the run that plays as soon as its page is there. */
const PLAYS = "highwater-plays";
/** The speed of the page that was left, and its kind: a comparison has a first speed of its own. */
const SPEED = "highwater-speed";

/**
 * @typedef {"auto" | number} Speed
 * @typedef {{of: string, json: {shown_us: number, do: string, later: import("../run/later.js").Choice, speed: "auto" |
 *   number}}} Made  of: the run that was left
 */

/** @param {Player} app @param {string} url @param {string} flash @param {Made} [made] a branch */
export function leaveFor(app, url, flash, made) {
  app.isLeft = true;
  write(app);
  keep("sessionStorage", FLASH, flash);
  keepSpeed(app);
  if (made) keep("sessionStorage", MADE, JSON.stringify({ ...made, url }));
  location.href = url;
}

/**
 * Leads to a run, or to a comparison, that plays once its page is there.
 * @param {Player} app
 * @param {string} url
 * @param {string} flash
 * @param {string} [hash] the moment from which it plays
 */
export function leaveToPlay(app, url, flash, hash = "") {
  keep("sessionStorage", PLAYS, url);
  leaveFor(app, url + hash, flash);
}

/**
 * The way in which the branch of this page was made, where the page before has just made it.
 * @param {Player} app
 * @returns {Made | null}
 */
export function justMade(app) {
  const made = JSON.parse(read("sessionStorage", MADE) ?? "null");
  if (made?.url !== app.boot.link) return null;
  sessionStorage.removeItem(MADE);
  return made;
}

/** Runs and comparisons have addresses that begin otherwise. */
const kindOfPage = () => location.pathname.split("/")[1];

/** Note the speed for a page of the same kind. @param {Player} app */
export function keepSpeed(app) {
  keep("sessionStorage", SPEED, JSON.stringify({ kind: kindOfPage(), speed: app.page.speed.value }));
}

/** The speed that was chosen on a page of this kind that led here, else null; asked once. @returns {Speed | null} */
export function leftSpeed() {
  const left = JSON.parse(read("sessionStorage", SPEED) ?? "null");
  if (left) sessionStorage.removeItem(SPEED);
  return left?.kind === kindOfPage() ? left.speed : null;
}

/** Show the greeting of the page before. */
export function sayFlash() {
  const flash = read("sessionStorage", FLASH);
  if (!flash) return;
  sessionStorage.removeItem(FLASH);
  toast(flash);
}

/** True if this page is that of copies made to be played; asked once. @param {{boot: {link: string}}} page */
export function isToPlay(page) {
  if (read("sessionStorage", PLAYS) !== page.boot.link) return false;
  sessionStorage.removeItem(PLAYS);
  return true;
}
