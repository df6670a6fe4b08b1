/**
 * The caption: the last event that has one, until the next; never by a timer. At its right what changed.
 *
 * @import {App} from "../app.js"
 * @import {Event} from "../narrate.js"
 */
import { el, setText } from "../dom.js";
import { logTime } from "../narrate.js";
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
    /** what stands there now: an event, else a caption of the document @type {string | number} */ this.shown = NaN;
  }

  /** @param {number} t us */
  draw(t) {
    const events = this.app.events();
    const event = this.pick(events, lastAt(events, t));
    const written = this.app.script.captionAt(t);
    const coming = this.app.opening.coming;
    const useEvent = !coming && event?.caption && (!written || event.t > written.t) ? event.caption : null;
    const key = useEvent && event ? event.seq : `${coming ? "coming" : ""} ${written?.t}`;
    if (key === this.shown) return;
    this.shown = key;
    const rest = written?.text ?? (coming ? opened(coming) : "Nothing has happened yet.");
    setText(this.lead, coming ? "Press Play (Space)." : useEvent?.lead ?? "");
    setText(this.rest, useEvent ? useEvent.rest : rest);
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

/** What comes first in a run that was opened and not played yet. @param {import("../coming.js").Coming} coming */
function opened({ about, steps }) {
  const [next] = steps;
  return next ? `At ${logTime(next.t)} s: ${next.text}` : about.split(/(?<=[.:;])\s/)[0] || "The run goes on from here.";
}

/** @param {{name: string, from: string, to: string}} change @param {number} i */
function chip(change, i) {
  return el("span", { class: i ? "chip opt" : "chip" }, `${change.name} `, change.from ? el("s", { text: change.from }) : null, change.from ? " → " : null, el("b", { text: change.to }));
}
