/**
 * The caption: the last event that has one, until the next; never by a timer. At its right what changed.
 *
 * @import {App} from "../app.js"
 * @import {Event} from "../narrate.js"
 */
import { el, setText } from "../dom.js";
import { lastAt } from "../panel/events.js";

const CHIPS_MAX = 3;

export class Caption {
  /** @param {App} app @param {HTMLElement} root */
  constructor(app, root) {
    this.app = app;
    this.lead = el("b");
    this.rest = el("span");
    this.chips = el("div", { class: "chips" });
    root.append(el("p", { "aria-live": "polite" }, this.lead, " ", this.rest), this.chips);
    /** what stands there now: an event, a caption of the document, -1 for neither */ this.shown = NaN;
  }

  /** @param {number} t us */
  draw(t) {
    const events = this.app.events();
    const event = this.pick(events, lastAt(events, t));
    const written = this.app.script.captionAt(t);
    const key = event && (!written || event.t > written.t) ? event.seq : written ? -2 - written.t : -1;
    if (key === this.shown) return;
    this.shown = key;
    const useEvent = key >= 0 && event?.caption;
    setText(this.lead, useEvent ? useEvent.lead : "");
    setText(this.rest, useEvent ? useEvent.rest : written && key < -1 ? written.text : "Nothing has happened yet.");
    this.chips.replaceChildren(...(useEvent && event ? event.changes.slice(0, CHIPS_MAX).map(chip) : []));
  }

  /** The newest captioned event; of several at one instant the one nearest the selection, then the gravest. @param {Event[]} events @param {number} at */
  pick(events, at) {
    let i = at;
    while (i >= 0 && !events[i]?.caption) i--;
    const newest = events[i];
    if (!newest) return null;
    const selection = this.app.model.selection.peek();
    const same = [];
    for (let k = i; k >= 0 && events[k]?.t === newest.t; k--) if (events[k]?.caption) same.push(/** @type {Event} */ (events[k]));
    const near = same.find((event) => selection && (event.p === selection.p || (selection.kind === "broker" && event.node === selection.id)));
    const rack = same.find((event) => event.icon === "zap");
    return rack ?? near ?? same.find((event) => event.grave && event.icon === "x") ?? same.find((event) => event.grave) ?? newest;
  }
}

/** @param {{name: string, from: string, to: string}} change @param {number} i */
function chip(change, i) {
  return el("span", { class: i ? "chip opt" : "chip" }, `${change.name} `, change.from ? el("s", { text: change.from }) : null, change.from ? " → " : null, el("b", { text: change.to }));
}
