// Written by tools/verbs_js.py from simengine/scenario/verbs.py. Do not edit.

/**
 * What stands behind a verb, such as "<node> after <duration>", its clause, and its label in a menu, if it has one.
 * @typedef {readonly [string, string, string?]} Form
 * @typedef {{noun: readonly [string, string], forms: Form[]}} Verb  noun: of one and of several actions
 */

/** @type {Record<string, Verb>} */
export const VERBS = {
  "kill": {
    noun: ["kill", "kills"],
    forms: [
      ["<node>", "{node} is killed", "Kill (hard)"],
    ],
  },
  "stop": {
    noun: ["clean stop", "clean stops"],
    forms: [
      ["<node>", "{node} shuts down", "Shut down cleanly"],
    ],
  },
  "start": {
    noun: ["start", "starts"],
    forms: [
      ["<node>", "{node} starts", "Start"],
      ["<host> empty", "{host} starts with an empty disk", "Start with a new, empty disk"],
      ["<host> wiped", "{host} starts with its data wiped", "Start with its data wiped"],
      ["<node> after <duration>", "{node} starts, which takes {duration}"],
      ["<host> empty after <duration>", "{host} starts with an empty disk, which takes {duration}"],
      ["<host> wiped after <duration>", "{host} starts with its data wiped, which takes {duration}"],
    ],
  },
  "pause": {
    noun: ["pause", "pauses"],
    forms: [
      ["<node>", "{node} is paused", "Pause the process"],
    ],
  },
  "resume": {
    noun: ["resume", "resumes"],
    forms: [
      ["<node>", "{node} goes on", "Let the process go on"],
      ["<host> fast", "{host} goes on"],
      ["<host> slow", "{host} goes on"],
    ],
  },
  "kill-rack": {
    noun: ["rack taken down", "racks taken down"],
    forms: [
      ["<rack>", "{rack} is taken down", "Take all of {rack} down"],
    ],
  },
  "start-rack": {
    noun: ["rack brought back", "racks brought back"],
    forms: [
      ["<rack>", "{rack} is brought back", "Bring all of {rack} back"],
    ],
  },
  "kill-site": {
    noun: ["cluster taken down", "clusters taken down"],
    forms: [
      ["<site>", "{site} is taken down", "Take all of {site} down"],
    ],
  },
  "start-site": {
    noun: ["cluster brought back", "clusters brought back"],
    forms: [
      ["<site>", "{site} is brought back", "Bring all of {site} back"],
    ],
  },
  "power-loss": {
    noun: ["power loss", "power losses"],
    forms: [
      ["<hosts:all>", "all brokers lose their power"],
      ["<hosts:all> <records:0>", "all brokers go dark"],
      ["<hosts:all> <records>", "all brokers lose their power"],
      ["<hosts>", "{hosts} {hosts?lose:loses} power", "Cut the power: unwritten records are lost"],
      ["<hosts> <records:0>", "{hosts} {hosts?go:goes} dark", "Go dark: no answer, and no connection closes"],
      ["<hosts> <records>", "{hosts} {hosts?lose:loses} power"],
    ],
  },
  "cut": {
    noun: ["cut", "cuts"],
    forms: [
      ["<link>", "the links {link} are cut"],
    ],
  },
  "heal": {
    noun: ["heal", "heals"],
    forms: [
      ["", "all links are healed", "Heal all links"],
      ["<link>", "the links {link} are healed", "Heal"],
    ],
  },
  "slow-link": {
    noun: ["other action", "other actions"],
    forms: [
      ["<link> <latency:0s>", "the links {link} are at full speed"],
      ["<link> <latency>", "the links {link} are slower by {latency}"],
    ],
  },
  "slow": {
    noun: ["other action", "other actions"],
    forms: [
      ["<broker> off", "{broker} fetches at full speed", "Full speed"],
      ["<broker> <limit>", "{broker} fetches at most {limit}", "At most {limit}"],
      ["<broker> serving off", "{broker} serves fetches at full speed", "Full speed"],
      ["<broker> serving <limit>", "{broker} serves fetches with at most {limit}", "At most {limit}"],
    ],
  },
  "acks": {
    noun: ["change of acks", "changes of acks"],
    forms: [
      ["<topic> <acks>", "{topic} is now written with acks={acks}", "acks={acks}"],
    ],
  },
  "rate": {
    noun: ["change of rate", "changes of rate"],
    forms: [
      ["<producer> <rate>", "{producer} sends {rate}"],
      ["<producer> <rate> <partition>", "{producer} sends {rate} to {partition}"],
    ],
  },
  "send": {
    noun: ["other action", "other actions"],
    forms: [
      ["<producer> <partition> <count:1>", "{producer} sends 1 record to {partition}"],
      ["<producer> <partition> <count>", "{producer} sends {count} records to {partition}"],
    ],
  },
  "resend": {
    noun: ["other action", "other actions"],
    forms: [
      ["<producer> <partition> <call> <count:1>", "{producer} sends the record of call {call} to {partition} again"],
      [
        "<producer> <partition> <call> <count=1>",
        "{producer} sends the records of calls {call}–{call+count} to {partition} again",
      ],
    ],
  },
  "config": {
    noun: ["change of a setting", "changes of settings"],
    forms: [
      ["<subject> <key> <value>", "{subject}: {key} = {value}", "{key} = {value}"],
    ],
  },
  "elect": {
    noun: ["requested election", "requested elections"],
    forms: [
      ["preferred <scope>", "a preferred election is requested for {scope}", "Elect the preferred leader"],
      ["unclean <scope>", "an unclean election is requested for {scope}", "Unclean election"],
    ],
  },
  "reassign": {
    noun: ["reassignment", "reassignments"],
    forms: [
      ["off <broker>", "all replicas are to move off {broker}", "Move all its replicas to other brokers"],
      ["<partition> cancel", "the reassignment of {partition} is cancelled", "Cancel the reassignment"],
      ["<partition> <replicas>", "{partition} is to be on {replicas}"],
      [
        "<topic> replication-factor <factor>",
        "the replication factor of {topic} is to be {factor}",
        "Replication factor = {factor}",
      ],
    ],
  },
  "create": {
    noun: ["new topic", "new topics"],
    forms: [
      ["<new_topic> <factor> <partitions>", "topic {new_topic} is created"],
      ["<new_topic> <assignment>", "topic {new_topic} is created"],
    ],
  },
  "delete": {
    noun: ["deleted topic", "deleted topics"],
    forms: [
      ["<whole_topic>", "topic {whole_topic} is deleted", "Delete the topic with all its records"],
    ],
  },
  "partitions": {
    noun: ["change of partitions", "changes of partitions"],
    forms: [
      ["<whole_topic> <size>", "topic {whole_topic} is to have {size} partitions", "Add partitions: {size} in all"],
    ],
  },
  "open": {
    noun: ["other action", "other actions"],
    forms: [
      ["<client>", "{client} is opened"],
    ],
  },
  "close": {
    noun: ["other action", "other actions"],
    forms: [
      ["<client>", "{client} is closed"],
    ],
  },
  "crash": {
    noun: ["other action", "other actions"],
    forms: [
      ["<client>", "{client} crashes"],
    ],
  },
  "move": {
    noun: ["move", "moves"],
    forms: [
      ["<mover> <target>", "{mover} moves to {target}"],
      ["<mover> <target> <topics>", "{mover} moves to {target} ({topics})"],
    ],
  },
  "commit": {
    noun: ["other action", "other actions"],
    forms: [
      ["<consumer>", "{consumer} commits what it has read"],
      ["<consumer> <partition> <offset>", "{consumer} commits {offset} of {partition}"],
    ],
  },
  "late-heartbeat": {
    noun: ["other action", "other actions"],
    forms: [
      ["<broker>", "a heartbeat that {broker} had sent arrives after all"],
    ],
  },
  "intercept": {
    noun: ["other action", "other actions"],
    forms: [
      [
        "<new_name> <producer> <partition> <call> hold-request <duration=0s>",
        "the request with call {call} of {producer} to {partition} will be held",
      ],
      [
        "<new_name> <producer> <partition> <call> drop-response <duration=0s>",
        "the answer to call {call} of {producer} to {partition} will be lost",
      ],
      [
        "<new_name> <producer> <partition> <call> delay-response <duration=0s>",
        "the answer to call {call} of {producer} to {partition} will be late by {duration}",
      ],
    ],
  },
  "release": {
    noun: ["other action", "other actions"],
    forms: [
      ["<interception>", "a held request goes on"],
    ],
  },
  "hold": {
    noun: ["other action", "other actions"],
    forms: [
      ["<message>", "{message} is held", "Hold"],
    ],
  },
  "deliver": {
    noun: ["other action", "other actions"],
    forms: [
      ["<message>", "{message} arrives now", "Deliver now"],
    ],
  },
  "drop": {
    noun: ["other action", "other actions"],
    forms: [
      ["<message>", "{message} is lost with its connection", "Drop: its connection breaks"],
    ],
  },
};
