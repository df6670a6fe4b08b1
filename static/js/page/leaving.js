/**
 * The notes of a page for the one that it leads to: its greeting, how a branch was made, and whether it plays at once.
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

/**
 * @typedef {{of: string, json: {shown_us: number, do: string, later: import("../run/later.js").Choice, speed: "auto" |
 *   number}}} Made  of: the run that was left
 */

/** @param {Player} app @param {string} url @param {string} flash @param {Made} [made] a branch */
export function leaveFor(app, url, flash, made) {
  app.isLeft = true;
  write(app);
  keep("sessionStorage", FLASH, flash);
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
