/**
 * The head of every row: a fact as it comes over the wire. Its fields are read by decisive.js and traffic.js.
 *
 * @import {Row} from "./types.js"
 */

/** The number of the fact. @param {Row} row @returns {number} */
export const seqOf = (row) => /** @type {any} */ (row)[0];

/** The moment of the fact, us. @param {Row} row @returns {number} */
export const timeOf = (row) => /** @type {any} */ (row)[1];

/** Its kind, one of KIND. @param {Row} row @returns {number} */
export const kindOf = (row) => /** @type {any} */ (row)[2];
