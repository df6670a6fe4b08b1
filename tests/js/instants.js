/** Facts of one instant, and what is told of them. */
import assert from "node:assert/strict";
import { ELECTION, KIND, PROCESS, REASON } from "../../static/js/facts/facts.js";
import { captionOf } from "../../static/js/words/instant.js";
import { Narrator } from "../../static/js/words/narrate.js";
import { emptyView, Teller, WORDS } from "./generator.js";

export const PARTITIONS = 12;

export const LISTS = { replicas: [1, 2, 3], elr: [], last_known: [], adding: [], removing: [] };

/** A cluster of many partitions, all led by broker 1, and what is said of one instant. */
export function told(tell, selected = -1, start = {}) {
  const view = { ...emptyView(), ...start };
  view.partitions = Array.from({ length: PARTITIONS }, (_, number) => ({ ...view.partitions[0], number }));
  const narrator = new Narrator(WORDS);
  narrator.seed(view);
  const teller = new Teller();
  tell((kind, values) => teller.say(5e6, kind, values));
  narrator.take(teller.rows);
  const caption = captionOf(narrator.events.filter((event) => event.caption).reverse(), WORDS, selected);
  if (caption) assert.ok(`${caption.lead} ${caption.rest}`.length <= 140, `${caption.lead} ${caption.rest}`);
  return caption;
}

export const text = (caption) => `${caption.lead} ${caption.rest}`;

export const moves = (say, p, leader, isr = [2, 3]) =>
  say(KIND.PARTITION_CHANGED, {
    p,
    leader,
    epoch: 1,
    pe: 1,
    reason: REASON.FENCED,
    election: leader < 0 ? ELECTION.OFFLINE : ELECTION.CLEAN,
    ...LISTS,
    isr,
  });

export const dies = (say, ...nodes) =>
  nodes.forEach((node) => say(KIND.PROCESS_CHANGED, { node, state: PROCESS.DOWN }));
