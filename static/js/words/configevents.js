/**
 * The sentence of a setting that was changed, and in captions what it means. Pure.
 *
 * @import {Event, Narrator} from "./narrate.js"
 * @import {ConfigChanged} from "../facts/decisive.js"
 */
import { settingOf } from "./actionevents.js";

const UNCLEAN = "unclean.leader.election.enable";
const THROTTLED = "replication.throttled";

/** @type {Record<string, string>} */
const EFFECTS = {
  "min.insync.replicas": "So many have to be in sync for acks=all to be accepted.",
  [UNCLEAN]: "A replica that lacks records may lead where nobody in sync is left.",
  [`follower.${THROTTLED}.rate`]: "So many bytes a second it copies of replicas out of the ISR that topics list.",
  [`leader.${THROTTLED}.rate`]:
    "So many bytes a second are copied from it, of replicas out of the ISR that topics list.",
  [`follower.${THROTTLED}.replicas`]: "These copy at the throttled rate of their brokers, while they are not in sync.",
  [`leader.${THROTTLED}.replicas`]: "From these is copied at the throttled rate of their brokers.",
};
const WAITS = "Without anybody in sync a partition waits.";

/** @param {Narrator} n @param {ConfigChanged} fact @returns {Partial<Event>} */
export function configChanged({ words }, { topic, text }) {
  const subject = topic < 0 ? settingOf(topic, words) : words.topic(topic);
  const [key = "", value = ""] = text.split("=");
  const why = value === "false" && key === UNCLEAN ? WAITS : EFFECTS[key];
  return {
    icon: "gear",
    marker: "other",
    part: "set",
    text: `${subject}: ${key} = ${value}`,
    caption: why ? { lead: `${subject}: ${key} is ${value}.`, rest: why } : null,
    changes: [{ name: `${subject} ${key}`, from: "", to: String(value) }],
  };
}
