/**
 * The six figures of a verdict card: counts at the left, times at the right.
 *
 * @import {App} from "../app.js"
 * @import {Figures} from "../verdictwords.js"
 */
import { html } from "../html.js";
import { TERMS } from "../terms.js";
import { backText, count, secondsText, since } from "../verdictwords.js";

/** @param {{app: App, figures: Figures}} props */
export function FigureList({ app, figures: f }) {
  const row = (/** @type {string} */ name, /** @type {string} */ text, /** @type {boolean} */ zero, /** @type {string} */ kind, hot = false, title = "", of = "") =>
    html`<div class=${`${kind} ${hot ? "hot" : zero ? "z" : ""}`} title=${title}><dt>${name}${of && html`<small>${of}</small>`}</dt><dd>${text}</dd></div>`;
  const down = f.writeDownUs ? worst(app, f.downP) : NONE;
  const read = f.readDownUs ? worst(app, f.readP) : NONE;
  return html`<dl class="vm">
    ${row("Acked but lost", count(f.lost), !f.lost, "count", f.lost > 0, "", f.recovered ? backText(f) : "")}
    ${row("Writes down", secondsText(f.writeDownUs), !f.writeDownUs, "time", false, `${TERMS["writes down"]} acks=all: ${secondsText(f.writeDownAllUs)}, acks=1: ${secondsText(f.writeDown1Us)}.${down.title}`, down.short)}
    ${row("Duplicated", count(f.duplicated), !f.duplicated, "count", f.duplicated > 0)}
    ${row("Reads down", secondsText(f.readDownUs), !f.readDownUs, "time", false, `${TERMS["reads down"]}${read.title}`, read.short)}
    ${row("Hidden", count(f.hidden), !f.hidden, "count", false, TERMS.hidden, f.hidden ? since(f).trim() : "")}
    ${row("Refused / unknown", `${count(f.refused)} / ${count(f.unknown)}`, !f.refused && !f.unknown, "count", false, TERMS.unknown)}
    ${f.handedOver > 0 && row("Vanished, acks=0", `${count(f.vanished)} / ${count(f.handedOver)}`, !f.vanished, "count whole", f.vanished > 0, TERMS.vanished)}
  </dl>`;
}

const NONE = { short: "", title: "" };

/** The partition that a time is of, the one that was out longest: its number, and its name for the tooltip. @param {App} app @param {number} p */
function worst(app, p) {
  const partition = app.model.view?.partitions[p];
  if (!partition || app.model.partitionsOf(partition.topic).length < 2) return NONE;
  return { short: `p${partition.number}`, title: ` Longest: ${app.model.partitionName(p)}.` };
}
