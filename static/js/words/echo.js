/**
 * Facts that say what the action behind them says: the log tells both in one line. Pure.
 *
 * @import {Event, Narrator} from "./narrate.js"
 * @import {Decisive} from "../facts/decisive.js"
 */
import { ofAction } from "./actionevents.js";
import { inside } from "./actionwords.js";
import { KIND } from "../facts/facts.js";

/** An action that takes its way through a controller is in effect so much later, as long as one is active, us */
const IN_EFFECT_US = 1_000_000;

/**
 * The number of the action whose line says what a fact says, 0 for none. A process or a client changes at the instant
 * of its action, a topic is deleted soon after; anything else has to be worded alike.
 * @param {Narrator} n @param {Decisive} fact @param {Partial<Event>} part what the fact says
 */
export function echoOf(n, { t, kind, cause }, part) {
  const action = n.actions.get(cause);
  if (!action) return 0;
  if (t === action.t && kind === KIND.PROCESS_CHANGED) return ofAction(action, n.words).node === part.node ? cause : 0;
  if (t === action.t && kind === KIND.CLIENT_CHANGED) return cause;
  if (t - action.t > IN_EFFECT_US) return 0;
  const said = inside(action.text, { host: n.words.host, message: () => "" });
  return kind === KIND.TOPIC_DELETED || said.toLowerCase() === part.text?.toLowerCase() ? cause : 0;
}
