/** The meaning of Kafka's words, for readers who meet them here first. One sentence or two each; shown as a tooltip. */
export const TERMS = {
  "leader epoch":
    "A number raised each time a partition gets a leader, or loses it. Records carry the epoch they were written in.",
  "high watermark": "Consumers can read up to here, not including it. Records before it are on every in-sync replica.",
  "log end offset": "The next offset this replica will write.",
  ISR: "In-sync replicas: those that must have a record before acks=all is answered.",
  "min.insync.replicas": "Fewest in-sync replicas with which acks=all is accepted and the high watermark may move.",
  acks: "When the leader answers: 0 never, 1 after its own write, all after every in-sync replica has it.",
  fenced: "The controller has not heard from this broker for 9 s; it may neither lead nor be in an ISR.",
  unclean:
    "unclean.leader.election.enable: a replica outside the ISR may become leader; what only others had is cut off.",
  "preferred leader": "The first broker in the partition's replica list.",
  hidden: "Acknowledged, but above the high watermark, so no consumer can read it.",
  zombie: "A broker that still thinks it leads after another was elected.",
  ELR:
    "Eligible leader replicas: they left the ISR below min.insync.replicas, yet have every committed record, and " +
    "may lead.",
  vanished: "Handed over with acks=0 and not in the leader’s log: the producer was never told.",
  unknown: "The client got no answer. The record may or may not be in the log.",
  "writes down":
    "Time in which some partition took no writes with these acks, by the state of the servers; counted from 1 s on.",
  "reads down": "Time in which some partition could not be read, by the state of the servers; counted from 1 s on.",
};
