/** The changes by a reader on the AZ page, and their request. Pure; see the request of `/import/az/<id>`. */
import { idOf, isController, racksOf } from "./places.js";

/**
 * `fields` are values as typed, by key of the field; `places` is null until a chip or an AZ was touched, and `moved`
 * says of which kind of node one stands elsewhere.
 * @typedef {{fields: Record<string, string>, places: import("./places.js").Places | null, moved: {racks: boolean,
 *   controllers: boolean}}} Edits
 */

/** @type {Edits} */
export const NO_EDITS = { fields: {}, places: null, moved: { racks: false, controllers: false } };

const OF_THE_LOSS = ["dies", "disks", "outside"]; // which loss, and when; all other fields are of the cluster

/**
 * The body of a request: empty fields ask for the default, refused ones wait for another value.
 * @param {Edits} edits @param {Record<string, string>} [refused] sentences by key
 */
export function bodyOf(edits, refused = {}) {
  const kept = Object.entries(edits.fields).filter(([key, value]) => value !== "" && !(key in refused));
  const [loss, assumed] = [
    kept.filter(([key]) => OF_THE_LOSS.includes(key)),
    kept.filter(([key]) => !OF_THE_LOSS.includes(key)),
  ];
  return {
    ...(edits.moved.racks && !("racks" in refused) ? { racks: withoutAz(edits.places) } : {}),
    ...(edits.moved.controllers && edits.places && !("controllers" in refused)
      ? { controllers: racksOf(edits.places).controllers }
      : {}),
    ...(assumed.length ? { assumed: Object.fromEntries(assumed) } : {}),
    ...Object.fromEntries(loss),
  };
}

/**
 * The AZ of every broker; "" for none: left out it would keep its own.
 * @param {import("./places.js").Places | null} places
 */
function withoutAz(places) {
  const racks = places ? racksOf(places).racks : {};
  const brokers = Object.keys(places?.at ?? {})
    .filter((key) => !isController(key))
    .map(idOf);
  return Object.fromEntries(brokers.map((id) => [id, racks[id] ?? ""]));
}

/** True if the cluster itself was changed, and not only the loss in question. @param {Edits} edits */
export const changesCluster = (edits) =>
  edits.moved.racks ||
  edits.moved.controllers ||
  edits.fields.outside === "back" ||
  Object.entries(edits.fields).some(([key, value]) => value !== "" && !OF_THE_LOSS.includes(key));

/**
 * `undefined` gives a field up: it shows what the server has.
 * @param {Edits} edits
 * @param {string} key
 * @param {string | undefined} value
 * @returns {Edits}
 */
export function withField(edits, key, value) {
  const { [key]: _, ...fields } = edits.fields;
  // another number is placed anew
  const moved = key === "controllers" ? { ...edits.moved, controllers: false } : edits.moved;
  return { ...edits, moved, fields: value === undefined ? fields : { ...fields, [key]: value } };
}

/**
 * A chip that was moved is placed by hand: the number of controllers is then what stands there.
 * @param {Edits} edits
 * @param {import("./places.js").Places} before
 * @param {import("./places.js").Places} places
 * @returns {Edits}
 */
export function withPlaces(edits, before, places) {
  const { controllers: _, ...fields } = edits.fields;
  const differ = (/** @type {"racks" | "controllers"} */ kind) =>
    edits.moved[kind] || JSON.stringify(racksOf(before)[kind]) !== JSON.stringify(racksOf(places)[kind]);
  const moved = { racks: differ("racks"), controllers: differ("controllers") };
  return { fields: moved.controllers ? fields : edits.fields, places, moved };
}

/**
 * Edits from the text that the browser kept; none if it does not hold any.
 * @param {string | null} text
 * @returns {Edits}
 */
export function editsFrom(text) {
  try {
    const kept = JSON.parse(text ?? "");
    return kept && typeof kept.fields === "object" && kept.fields && kept.moved ? { ...NO_EDITS, ...kept } : NO_EDITS;
  } catch {
    return NO_EDITS;
  }
}
