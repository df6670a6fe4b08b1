/**
 * The reason why a message was sent, as far as facts say: the decisive fact of the very moment, or the request that it
 * answers. Pure.
 *
 * @import {Row} from "../facts/types.js"
 * @import {Flight} from "../fold/trace.js"
 */
import { KIND, MSG } from "../facts/facts.js";
import { kindOf, seqOf, timeOf } from "../facts/row.js";
import { readFlight } from "../facts/traffic.js";

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
      (row) => kindOf(row) === KIND.FLIGHT && seqOf(row) < flight.seq && isRequest(readFlight(row), wanted, flight),
    );
    return request ? { t: timeOf(request), seq: seqOf(request) } : null;
  }
  const fact = decisive.findLast(
    (row) => timeOf(row) === flight.sent && seqOf(row) < flight.seq && kindOf(row) !== KIND.VERDICT_CHANGED,
  );
  return fact ? { t: timeOf(fact), seq: seqOf(fact) } : null;
}

/**
 * True if a message is the request of a kind that another one answers.
 * @param {{msg: number, src: number, dst: number, p: number}} sent
 * @param {number} msg
 * @param {Flight} answer
 */
const isRequest = (sent, msg, answer) =>
  sent.msg === msg && sent.src === answer.dst && sent.dst === answer.src && sent.p === answer.p;
