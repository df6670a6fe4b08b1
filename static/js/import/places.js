/**
 * The places of a cluster's nodes: the AZs in order, and the AZ of every broker and controller. Pure: a change
 * returns new places, the old ones stay as they are (Undo puts them back).
 */
import { natural, plural } from "../kit/wording.js";

export const ZONES_MAX = 26;
const NAME = /^[^\s,|>]{1,60}$/;

/**
 * A node is known by its key: `b1` is broker 1, `c100` is controller 100. An AZ keeps its id when it is renamed; the
 * AZ without a name holds the nodes that stand in no AZ.
 * @typedef {{id: number, name: string}} Zone
 * @typedef {{zones: Zone[], at: Record<string, number>}} Places
 * @typedef {{id: number, rack: string | null}} Node
 * @typedef {{racks: Record<string, string>, controllers: Record<string, string>}} Racks AZ names by id
 */

/** @param {string} key */
export const isController = (key) => key.startsWith("c");
/** @param {string} key */
export const idOf = (key) => Number(key.slice(1));
/** @param {string} key */
export const nodeName = (key) => `${isController(key) ? "Controller" : "Broker"} ${idOf(key)}`;

/**
 * The places of a cluster. `more` are AZs that stay although nothing stands there.
 * @param {Node[]} brokers @param {Node[]} controllers @param {string[]} [more]
 * @returns {Places}
 */
export function placesOf(brokers, controllers, more = []) {
  const nodes = [
    ...brokers.map((one) => [`b${one.id}`, one.rack ?? ""]),
    ...controllers.map((one) => [`c${one.id}`, one.rack ?? ""]),
  ];
  const names = [...new Set([...nodes.map(([, rack]) => rack), ...more])].sort(
    (a, b) => Number(!a) - Number(!b) || natural(a, b),
  );
  const zones = names.map((name, id) => ({ id, name }));
  return { zones, at: Object.fromEntries(nodes.map(([key, rack]) => [key, names.indexOf(rack)])) };
}

/**
 * The places as the server tells them, in the order of AZs and with the empty AZs of `places`.
 * @param {Places | null} places @param {{name: string, brokers: number[], controllers: number[], down: number[]}[]} azs
 * @returns {Places}
 */
export function merged(places, azs) {
  const told = placesOf(
    azs.flatMap((az) => [...new Set([...az.brokers, ...az.down])].map((id) => ({ id, rack: az.name }))),
    azs.flatMap((az) => az.controllers.map((id) => ({ id, rack: az.name }))),
    places?.zones.map((zone) => zone.name) ?? azs.map((az) => az.name),
  );
  if (!places) return told;
  const ids = new Map(places.zones.map((zone) => [zone.name, zone.id]));
  let next = Math.max(-1, ...ids.values()) + 1;
  for (const zone of told.zones) if (!ids.has(zone.name)) ids.set(zone.name, next++);
  const zones = [...ids].map(([name, id]) => ({ id, name }));
  const idIn = (/** @type {number} */ id) =>
    /** @type {number} */ (ids.get(/** @type {Zone} */ (zoneOf(told, id)).name));
  return { zones, at: Object.fromEntries(Object.entries(told.at).map(([key, id]) => [key, idIn(id)])) };
}

/**
 * The places of the nodes that a paste has now: those that were placed by hand stay, new ones stand where they are
 * told.
 * @param {Places | null} places @param {Node[]} brokers @param {Node[]} controllers @param {boolean} keepsControllers
 * @returns {Places}
 */
export function withNodes(places, brokers, controllers, keepsControllers) {
  if (!places) return placesOf(brokers, controllers);
  const byHand = (/** @type {string} */ kind, /** @type {Node} */ one) => {
    const id = places.at[`${kind}${one.id}`];
    return {
      id: one.id,
      rack: id === undefined || (kind === "c" && !keepsControllers) ? one.rack : (zoneOf(places, id)?.name ?? one.rack),
    };
  };
  const [b, c] = [brokers.map((one) => byHand("b", one)), controllers.map((one) => byHand("c", one))];
  const names = places.zones.map((zone) => zone.name);
  const azs = [...new Set([...names, ...b.map((one) => one.rack ?? ""), ...c.map((one) => one.rack ?? "")])];
  const inAz = (/** @type {Node[]} */ nodes, /** @type {string} */ name) =>
    nodes.filter((one) => (one.rack ?? "") === name).map((one) => one.id);
  return merged(
    places,
    azs.map((name) => ({ name, brokers: inAz(b, name), controllers: inAz(c, name), down: [] })),
  );
}

/**
 * The AZ of every node as the server takes it; nodes without an AZ are left out.
 * @param {Places} places
 * @returns {Racks}
 */
export function racksOf(places) {
  /** @type {Racks} */
  const racks = { racks: {}, controllers: {} };
  for (const [key, id] of Object.entries(places.at)) {
    const name = zoneOf(places, id)?.name;
    if (name) racks[isController(key) ? "controllers" : "racks"][idOf(key)] = name;
  }
  return racks;
}

/** @param {Places} places @param {number} id @returns {Zone | undefined} */
export const zoneOf = (places, id) => places.zones.find((zone) => zone.id === id);

/** The name of an AZ as people read it. @param {Zone | undefined} zone */
export const shownName = (zone) => zone?.name || "no AZ";

/**
 * Node keys of an AZ, controllers first, each kind by id.
 * @param {Places} places
 * @param {number} id
 * @returns {string[]}
 */
export const nodesIn = (places, id) => allNodes(places).filter((key) => places.at[key] === id);

/** All node keys in the order in which the arrow keys walk them. @param {Places} places @returns {string[]} */
export function allNodes(places) {
  const rank = new Map(places.zones.map((zone, index) => [zone.id, index]));
  const place = (/** @type {string} */ key) => /** @type {number} */ (rank.get(places.at[key] ?? -1) ?? -1);
  return Object.keys(places.at).sort(
    (a, b) => place(a) - place(b) || Number(isController(b)) - Number(isController(a)) || idOf(a) - idOf(b),
  );
}

/** @param {Places} places @param {number} id */
export const brokersIn = (places, id) => nodesIn(places, id).filter((key) => !isController(key));
/** @param {Places} places @param {number} id */
export const controllersIn = (places, id) => nodesIn(places, id).filter(isController);
/** @param {Places} places */
export const controllerCount = (places) => Object.keys(places.at).filter(isController).length;
/** AZs in which a broker stands. @param {Places} places */
export const zonesWithBrokers = (places) => places.zones.filter((zone) => brokersIn(places, zone.id).length);

/**
 * Nodes with those that share their process: they stand in one AZ.
 * @param {string[]} keys
 * @param {Record<string, string>} pairs controller to broker
 */
export const withPairs = (keys, pairs) => [
  ...new Set([
    ...keys,
    ...Object.entries(pairs).flatMap(([one, other]) =>
      keys.includes(one) || keys.includes(other) ? [one, other] : [],
    ),
  ]),
];

/** @param {Places} places @param {string[]} keys @param {number} to @returns {Places} */
export const moved = (places, keys, to) => ({
  ...places,
  at: { ...places.at, ...Object.fromEntries(keys.map((key) => [key, to])) },
});

/**
 * The words on a move, for `role="status"`; "" if nothing moved.
 * @param {Places} before
 * @param {string[]} keys
 * @param {number} to
 */
export function moveText(before, keys, to) {
  const went = keys.filter((key) => before.at[key] !== to);
  const name = shownName(zoneOf(before, to));
  if (!went.length) return "";
  if (went.length > 1) return `${went.length} moved to ${name}.`;
  return (
    `${nodeName(/** @type {string} */ (went[0]))} moved from ${shownName(zoneOf(before, before.at[went[0]]))} ` +
    `to ${name}.`
  );
}

/** @param {Places} places @returns {{places: Places, id: number}} */
export function withZone(places) {
  const id = Math.max(-1, ...places.zones.map((zone) => zone.id)) + 1;
  return { places: { ...places, zones: [...places.zones, { id, name: freeName(places) }] }, id };
}

/** The first of az-a to az-z that is free. @param {Places} places */
function freeName(places) {
  const names = places.zones.map((zone) => zone.name);
  const letters = Array.from({ length: ZONES_MAX }, (_, index) => `az-${String.fromCharCode(97 + index)}`);
  return letters.find((name) => !names.includes(name)) ?? `az-${places.zones.length + 1}`;
}

/** @param {Places} places @param {number} id @returns {Places} without an AZ that is empty */
export const withoutZone = (places, id) =>
  nodesIn(places, id).length ? places : { ...places, zones: places.zones.filter((zone) => zone.id !== id) };

/** The fault of a name for an AZ; "" without one. @param {Places} places @param {number} id @param {string} name */
export function nameProblem(places, id, name) {
  if (places.zones.some((zone) => zone.id !== id && zone.name === name)) return `There is an AZ ${name} already.`;
  if (!NAME.test(name) || /^\d+$/.test(name))
    return "The name of an AZ has 1 to 60 characters: no blank, comma, | or >, and not digits alone.";
  return "";
}

/** @param {Places} places @param {number} id @param {string} name @returns {Places} */
export const renamed = (places, id, name) => ({
  ...places,
  zones: places.zones.map((zone) => (zone.id === id ? { id, name } : zone)),
});

/**
 * All brokers placed anew over the AZs that have a name: "turn" (1 in a, 2 in b, …), "blocks" (1–20 in a, …), "one".
 * @param {Places} places @param {string} how @returns {Places}
 */
export function placed(places, how) {
  const zones = places.zones.filter((zone) => zone.name);
  if (!zones.length) return places;
  const brokers = Object.keys(places.at)
    .filter((key) => !isController(key))
    .sort((a, b) => idOf(a) - idOf(b));
  const at = { ...places.at };
  brokers.forEach((key, index) => {
    const place =
      how === "one" ? 0 : how === "blocks" ? Math.floor((index * zones.length) / brokers.length) : index % zones.length;
    at[key] = /** @type {Zone} */ (zones[place]).id;
  });
  return { ...places, at };
}

/**
 * The AZ that holds more than half of the controllers, if there is more than one controller.
 * @param {Places} places
 * @returns {Zone | undefined}
 */
export function majorityZone(places) {
  const all = controllerCount(places);
  return all > 1 ? places.zones.find((zone) => controllersIn(places, zone.id).length * 2 > all) : undefined;
}

/**
 * One controller of the majority moved to an AZ without controllers, a new one if need be.
 * @param {Places} places @returns {{places: Places, key: string, to: number} | null} null without a majority
 */
export function withTieBreaker(places) {
  const zone = majorityZone(places);
  if (!zone) return null;
  const free = places.zones.find((one) => one.name && !controllersIn(places, one.id).length);
  const made = free ? { places, id: free.id } : withZone(places);
  const key = /** @type {string} */ (controllersIn(places, zone.id).at(-1));
  return { places: moved(made.places, [key], made.id), key, to: made.id };
}

/** The contents of an AZ, in words. @param {Places} places @param {number} id */
export function standing(places, id) {
  const [brokers, controllers, all] = [
    brokersIn(places, id).length,
    controllersIn(places, id).length,
    controllerCount(places),
  ];
  if (!brokers && !controllers) return "empty";
  const majority = all > 1 && controllers * 2 > all ? `${controllers} of ${all} controllers: the majority` : "";
  if (!brokers) return majority || "controllers only";
  return [plural(brokers, "broker"), majority].filter(Boolean).join(", ");
}

/** Racks in a few characters: "3 AZs, 20·20·20". @param {Places} places */
export function racksText(places) {
  const zones = zonesWithBrokers(places).filter((zone) => zone.name);
  const without = places.zones
    .filter((zone) => !zone.name)
    .reduce((sum, zone) => sum + brokersIn(places, zone.id).length, 0);
  if (!zones.length) return "none";
  const counts = zones.map((zone) => brokersIn(places, zone.id).length);
  return (
    `${plural(zones.length, "AZ")}, ` +
    `${
      counts.length > 4 ? counts.reduce((sum, one) => sum + one, 0) : counts.join("·")
    }${without ? `, ${without} in none` : ""}`
  );
}

/** Controllers in a few characters: "3 in 3 AZs". @param {Places} places */
export function controllersText(places) {
  const zones = places.zones.filter((zone) => zone.name && controllersIn(places, zone.id).length).length;
  return `${controllerCount(places)} in ${plural(zones, "AZ")}`;
}
