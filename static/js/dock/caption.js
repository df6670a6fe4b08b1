/**
 * The caption: the last event that has one, until the next; never by a timer. An event at which time stands, as after a
 * step, is told in any case. At its right what changed.
 *
 * @import {App} from "../app/app.js"
 */
import { el, setText } from "../kit/dom.js";
import { captionOf, newestOf, stoodAt } from "../words/instant.js";
import { PHONE_WIDTH } from "../run/layout.js";
import { logTime } from "../words/narrate.js";
import { lastAt } from "../run/story.js";
import { partsOf } from "../run/captions.js";

const CHIPS_MAX = 3;

export class Caption {
  /** @param {App} app @param {HTMLElement} root */
  constructor(app, root) {
    this.app = app;
    this.lead = el("b");
    this.rest = el("span");
    this.chips = el("div", { class: "chips" });
    root.append(el("p", { "aria-live": "polite" }, this.lead, " ", this.rest), this.chips);
    /** what stands there now: an instant, else a caption of the document */ this.shown = "";
  }

  /** @param {number} t us */
  draw(t) {
    const events = this.app.story.events();
    const at = lastAt(events, t);
    const newest = newestOf(events, at);
    const written = this.app.script.captionAt(t);
    const coming = this.app.opening.coming;
    const isTold = newest[0] && (!written || newest[0].t > written.t);
    const still = coming || written?.t === t || this.app.model.playing.peek() ? null : stoodAt(events, at, t);
    const selected = this.app.page.selection.peek()?.p ?? -1;
    const key =
      `${coming ? "coming" : ""} ${still?.seq} ` +
      `${isTold ? `${newest[0]?.seq} ${newest.length} ${selected}` : `${written?.t} ${events[at]?.seq}`}`;
    if (key === this.shown) return;
    this.shown = key;
    const told = still
      ? { lead: `${still.text}.`, rest: "", changes: still.changes }
      : isTold
        ? captionOf(newest, this.app.story.narrator.words, selected)
        : null;
    const text = written?.text ?? (coming ? opened(coming) : (events[at]?.text ?? "Nothing has happened yet."));
    const start = howToPlay(this.app.control.peek());
    const own = coming ? { lead: start, rest: text } : written ? partsOf(text) : { lead: "", rest: text };
    const follows = coming && told ? nextOf(coming, start) : "";
    setText(this.lead, told?.lead ?? own.lead);
    setText(this.rest, `${told ? told.rest : own.rest}${follows}`);
    this.chips.replaceChildren(...(told?.changes.slice(0, CHIPS_MAX).map(chip) ?? []));
  }
}

/** The way to start time: a phone has no key for it, and a visitor has a button for a copy beside this. */
const howToPlay = (/** @type {boolean} */ isMine) =>
  isMine ? (innerWidth <= PHONE_WIDTH ? "Press Play." : "Press Play (Space).") : "";

/**
 * Behind what happened last, in a run that was opened at a later moment.
 * @param {import("../run/coming.js").Coming} coming
 * @param {string} start
 */
const nextOf = ({ steps: [next] }, start) => ` ${start}${next ? ` Next, at ${logTime(next.t)} s: ${next.text}` : ""}`;

/** The first words of a run that was opened and not played yet. @param {import("../run/coming.js").Coming} coming */
function opened({ about, steps }) {
  const [next] = steps;
  return next
    ? `At ${logTime(next.t)} s: ${next.text}`
    : about.split(/(?<=[.:;])\s/)[0] || "The run goes on from here.";
}

/** @param {{name: string, from: string, to: string}} change @param {number} i */
function chip(change, i) {
  return el(
    "span",
    { class: i ? "chip opt" : "chip" },
    `${change.name} `,
    change.from ? el("s", { text: change.from }) : null,
    change.from ? " → " : null,
    el("b", { text: change.to }),
  );
}
