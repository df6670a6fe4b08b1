/**
 * Why a message was sent, as far as the facts say: the decisive fact of the very moment, or the request that it
 * answers. Pure.
 *
 * @import {Row} from "./types.js"
 * @import {Flight} from "./trace.js"
 */
import { KIND, MSG } from "./facts.js";

/** The request of each answer. @type {Record<number, number>} */
const REQUESTS = {
  [MSG.PRODUCE_ANSWER]: MSG.PRODUCE,
  [MSG.FETCH_ANSWER]: MSG.FETCH,
  [MSG.HEARTBEAT_ANSWER]: MSG.HEARTBEAT,
  [MSG.ALTER_PARTITION_ANSWER]: MSG.ALTER_PARTITION,
  [MSG.METADATA_UPDATE]: MSG.METADATA_FETCH,
  [MSG.CONSUMER_ANSWER]: MSG.CONSUMER_FETCH,
  [MSG.REGISTER_ANSWER]: MSG.REGISTER,
  [MSG.CLIENT_METADATA_ANSWER]: MSG.CLIENT_METADATA,
  [MSG.OFFSETS_ANSWER]: MSG.OFFSETS,
  [MSG.COMMIT_ANSWER]: MSG.COMMIT,
  [MSG.GROUP_ANSWER]: MSG.GROUP,
};

/**
 * @param {Flight} flight
 * @param {Row[]} rows facts before it, messages included
 * @param {Row[]} decisive
 * @returns {{t: number, seq: number} | null} null where only its sender's clock made it
 */
export function causeOf(flight, rows, decisive) {
  const wanted = REQUESTS[flight.msg];
  if (wanted !== undefined) {
    const request = rows.findLast(
      ([seq, , kind, , msg, src, dst, , p]) =>
        kind === KIND.FLIGHT &&
        seq < flight.seq &&
        msg === wanted &&
        src === flight.dst &&
        dst === flight.src &&
        p === flight.p,
    );
    return request ? { t: request[1], seq: request[0] } : null;
  }
  const fact = decisive.findLast(
    ([seq, t, kind]) => t === flight.sent && seq < flight.seq && kind !== KIND.VERDICT_CHANGED,
  );
  return fact ? { t: fact[1], seq: fact[0] } : null;
}
