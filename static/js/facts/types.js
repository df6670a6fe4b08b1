/**
 * Shapes shared by the modules. The view is what simengine/world/view.py calls a snapshot; the same JSON in both
 * languages.
 *
 * @typedef {{readonly _opaque: never}} Row  a fact as it comes over the wire; only the modules of facts/ look inside
 * @typedef {[base: number, count: number, epoch: number]} Run  records base .. base+count-1 of one leader epoch
 *
 * @typedef {object} Broker
 * @property {string} process  running | down | starting | recovering | stopping | paused
 * @property {boolean} left  it is down because it was shut down
 * @property {string} registration  active | fenced | shutting down | unregistered
 * @property {number} be  broker epoch
 * @property {number} heartbeat  when the active controller last noted one, or gave a fresh session, in us
 *
 * @typedef {object} Copy  what one broker believes and holds of one partition
 * @property {string} role  leader | follower | none
 * @property {number} epoch
 * @property {number} leader
 * @property {number} hw
 * @property {number} leo
 * @property {number} start
 * @property {[epoch: number, start: number][]} epochs
 * @property {number[]} isr
 * @property {number[]} maximal
 *
 * @typedef {object} Partition
 * @property {number} topic  index of its topic
 * @property {number} number
 * @property {number[]} replicas
 * @property {number} leader
 * @property {number} epoch
 * @property {number} pe
 * @property {number[]} isr
 * @property {number[]} elr
 * @property {number[]} last_known
 * @property {number[]} adding
 * @property {number[]} removing
 * @property {number[]} [observers]  brokers whose copies never enter the ISR (OBS-1)
 * @property {Record<string, Copy>} copies
 * @property {Run[]} acked
 * @property {Run[]} lost
 *
 * @typedef {object} Client
 * @property {string} id
 * @property {string} kind  producer | consumer; mirror: a part of MirrorMaker
 * @property {string[]} [topics]  of one that joined the run
 * @property {string} [group]  of one that joined the run; "" without one
 * @property {string} state  open | closed | crashed
 * @property {string} acks  0 | 1 | all
 * @property {number} rate_milli
 * @property {Record<string, number>} queued
 * @property {Record<string, number>} inflight
 * @property {number} acked
 * @property {number} failed
 * @property {Record<string, number>} position
 * @property {Record<string, number>} committed
 *
 * @typedef {Partial<Omit<import("./decisive.js").VerdictChanged, "seq" | "t" | "kind" | "cause" | "topic">>}
 *   Verdict  figures of a topic, and the sentence on them
 *
 * @typedef {object} ClusterPart  what a cluster has only one of
 * @property {number} active  number of the active controller, -1: none
 * @property {number} controller_epoch
 * @property {number} metadata_offset
 * @property {Record<string, Record<string, string>>} broker_configs  what was set while it runs: by broker, "" for all
 * @property {string} sentence  on the whole cluster, "" where the topics are few
 *
 * @typedef {ClusterPart & ViewOfAll} View  with `clusters` the parts stand there, else the only cluster's on top
 *
 * @typedef {object} ViewOfAll
 * @property {number} t
 * @property {number} seq
 * @property {Record<string, Broker>} brokers
 * @property {Record<string, {process: string}>} controllers
 * @property {Record<string, {cut: number, slow_us: number}>} links
 * @property {{name: string, config: Record<string, any>, cluster?: number, deleted?: boolean}[]} topics
 * @property {Partition[]} partitions
 * @property {Client[]} clients
 * @property {Record<string, Verdict>} verdict  by topic
 * @property {(ClusterPart & {name: string, base: number})[]} [clusters]
 * @property {{processes: string[], flows: MirrorFlow[]}} [mirrors]  of MirrorMaker, by the indices of its names
 *
 * @typedef {object} MirrorFlow  by the indices of source and of remote partitions
 * @property {{state: string, until: number}} tasks  whether its worker has them; until: us, when it gets them back, -1:
 *   unknown
 * @property {Record<string, CopiedSoFar>} partitions
 * @property {Record<string, Record<string, [upstream: number, downstream: number]>>} checkpoints  the newest, by group
 * @property {Record<string, Record<string, [offset: number, error: number]>>} synced  the newest try, by group
 *
 * @typedef {object} CopiedSoFar  of one source partition
 * @property {number} upstream  offset of the newest copied record; -1: none
 * @property {number} downstream  of its copy
 * @property {number} count  copies in all
 * @property {number} at  us, when the newest was acknowledged
 * @property {number} skipped  records that were gone before they were copied
 * @property {number} syncs  offset syncs written
 *
 * @typedef {object} Names
 * @property {string[]} topics
 * @property {[topic: number, number: number][]} partitions
 * @property {{id: string, kind: string, topic?: number, topics?: number[], group?: string, process?: string}[]} clients
 *   process: of a part of MirrorMaker
 * @property {{name: string, base: number}[]} [clusters]
 * @property {{processes: {name: string, cluster: number}[], flows: FlowNames[], own: number[]}} [mirrors]  own: topics
 *   that MirrorMaker keeps for itself
 * @property {number[]} [topic_clusters]  the cluster of each topic
 * @property {{id: number, rack: string | null}[]} brokers
 * @property {{id: number, rack: string | null}[]} controllers
 *
 * @typedef {object} FlowNames
 * @property {string} name  as MirrorMaker writes it: "east->west"
 * @property {string} process
 * @property {number} source  place of the cluster
 * @property {number} target
 * @property {Record<string, number>} remote  remote partition by source partition
 *
 * @typedef {object} RoomClock
 * @property {boolean} playing
 * @property {"auto" | number} speed  us of simulated time per second of the viewer's
 * @property {number} t
 * @property {number} true_speed
 * @property {number} [now_speed]  what an automatic speed is at the moment
 */
export {};
