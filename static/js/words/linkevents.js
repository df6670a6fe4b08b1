/**
 * Sentences of links: cut, slow, healed.
 *
 * @import {Event, Narrator} from "./narrate.js"
 * @import {LinkChanged} from "../facts/decisive.js"
 */
import { capital } from "../kit/wording.js";

/** @param {Narrator} n @param {LinkChanged} fact @returns {Partial<Event>} */
export function linkChanged({ words }, { src, dst, cut, slow_us: slow }) {
  const names = `${words.node(src)} → ${words.node(dst)}`;
  const text = cut
    ? `Link ${names} is cut`
    : slow
      ? `Link ${names} is slower by ${Math.round(slow / 1000)} ms`
      : `Link ${names} is healthy`;
  return {
    icon: cut ? "cut" : "link",
    part: cut ? "cut" : slow ? "" : "healed",
    ends: [src, dst],
    grave: Boolean(cut),
    marker: cut || slow ? "fault" : "other",
    rule: cut ? "FLT-4" : "",
    text,
    caption: cut
      ? {
          lead: `${capital(words.node(src))} cannot reach ${words.node(dst)}.`,
          rest: "Nothing tells either side; what was on the way is gone.",
        }
      : slow
        ? null
        : {
            lead: `${capital(words.node(src))} reaches ${words.node(dst)} again.`,
            rest: src < 0 || dst < 0 ? "Requests between them go on." : "Fetches and heartbeats between them go on.",
          },
    changes: [
      { name: `link ${names}`, from: "", to: cut ? "cut" : slow ? `+${Math.round(slow / 1000)} ms` : "healthy" },
    ],
  };
}
