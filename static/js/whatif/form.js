/** The builder's fields as plain data, and what is sent to the server. Pure: runs under node. */

/** The value of an axis that changes nothing: as in the run. */
export const AS_IS = "as-is";
export const ACKS = ["0", "1", "all"];
export const DEFAULT_SEEDS = 200;

/** @param {any} start what the page was given @returns {any} */
export function startingForm(start) {
  const chosen = start.chosen;
  const axes = chosen?.axes ?? {};
  return {
    title: chosen?.title ?? "",
    topics: chosen?.topics ?? start.topics,
    seeds: String(chosen?.seeds ?? DEFAULT_SEEDS),
    first_seed: String(start.first_seed ?? 1),
    horizon: chosen?.horizon ?? start.horizon,
    latency: start.latency,
    baseline: chosen?.baseline ?? null,
    acks: (axes.acks ?? (chosen || start.mirrors ? [] : ["1", "all"])).map(String),
    min_isr: axes.min_isr ?? [],
    unclean: axes.unclean ?? [],
    rf: axes.rf ?? [],
    kafka: axes.kafka ?? [],
    lag: (axes.lag_ms ?? []).join(", "),
    load: (axes.load ?? []).join(", "),
    wan: (axes.wan_us ?? []).map((/** @type {any} */ value) => (value === AS_IS ? value : us(value))).join(", "),
    ...Object.fromEntries(
      Object.keys(MIRROR_AXES).map((name) => [
        name,
        (axes[name] ?? (chosen || !start.mirrors ? [] : (FIRST[name] ?? []))).join(", "),
      ]),
    ),
    left_out: [],
    ...startingFaults(start, axes.fault),
  };
}

/** Axes of MirrorMaker, and the key that each sets. @type {Record<string, string>} */
export const MIRROR_AXES = {
  checkpoints_s: "emit.checkpoints.interval.seconds",
  group_sync_s: "sync.group.offsets.interval.seconds",
  offset_lag: "offset.lag.max",
  flush_ms: "offset.flush.interval.ms",
};

/** The axes that a new experiment on a run with MirrorMaker varies. @type {Record<string, number[]>} */
const FIRST = { checkpoints_s: [5, 60] };

const UNITS_US = /** @type {Record<string, number>} */ ({ us: 1, ms: 1000, s: 1e6, m: 6e7, h: 3.6e9 });

/** A duration as one writes it ("15s", "1.5m") in microseconds; null where it is none. @param {string} text */
export function durationUs(text) {
  const found = /^(\d+(?:\.\d+)?)\s*(us|ms|s|m|h)$/.exec(text.trim());
  return found ? Math.round(Number(found[1]) * UNITS_US[found[2]]) : null;
}

/**
 * The default moments of a rack's death: between 5 s and 15 s, in a short run between its first quarter and
 * its half, so that the loss and what follows it fit.
 * @param {string} horizon
 */
export function deathWindow(horizon) {
  const end = durationUs(horizon) ?? 60e6;
  const share = (/** @type {number} */ part, /** @type {number} */ most) =>
    us(Math.min(most, Math.floor((end * part) / 1000) * 1000));
  return { rack_from: share(0.25, 5e6), rack_to: share(0.5, 15e6) };
}

/**
 * The changes by a new horizon: the window follows it until somebody has set one.
 * @param {any} form
 * @param {string} horizon
 */
export function withHorizon(form, horizon) {
  const follows = !form.window_set && durationUs(horizon) !== null;
  return { horizon, left_out: [], ...(follows ? deathWindow(horizon) : {}) };
}

/** @param {any} start @param {any[] | undefined} faults */
function startingFaults(start, faults) {
  const of = (/** @type {string} */ kind) => faults?.find((fault) => fault.kind === kind);
  const rack = of("rack"),
    broker = of("broker"),
    roll = of("roll"),
    rates = faults?.filter((fault) => fault.kind === "rates") ?? [];
  const racks = start.racks.length > 0 && !start.sites?.length;
  const timed = rack ?? broker ?? roll;
  return {
    several: new Set(faults?.map((fault) => fault.kind)).size > 1,
    as_is: faults ? Boolean(of("as-is")) : !racks,
    rack_on: faults ? Boolean(rack) : racks,
    rack: rack?.rack ?? (start.rack || start.racks[0] || ""),
    rack_how: rack?.how ?? "kill",
    window_set: Boolean(timed),
    ...(timed ? { rack_from: us(timed.from_us), rack_to: us(timed.to_us) } : deathWindow(start.horizon)),
    rack_back: rack?.back_us ? us(rack.back_us) : "",
    broker_on: Boolean(broker),
    broker: broker?.broker ?? "any",
    broker_how: broker?.how ?? "disk-lost",
    broker_back: broker ? (broker.back_us ? us(broker.back_us) : "") : "10s",
    roll_on: Boolean(roll),
    roll_back: roll ? us(roll.back_us) : "5s",
    ...startingLoss(start, of("site")),
    rates_on: rates.length > 0,
    mttf: rates.map((fault) => us(fault.mttf_us)).join(", ") || "1m",
    mttr: rates.length ? us(rates[0].mttr_us) : "10s",
  };
}

/** The failures of the form, each a flag. */
export const FAULTS = ["as_is", "rack_on", "broker_on", "roll_on", "site_on", "rates_on"];

/**
 * The changes by a failure that is chosen: the others go, unless several are to be compared.
 * @param {any} form @param {string} name @param {boolean} isOn
 */
export function withFault(form, name, isOn) {
  const others = form.several ? {} : Object.fromEntries(FAULTS.map((one) => [one, false]));
  return { ...others, [name]: isOn, left_out: [] };
}

/** The changes by comparing several failures, or one only: the first that is chosen. @param {any} form */
export function withSeveral(form) {
  const first = FAULTS.find((name) => form[name]) ?? "as_is";
  const only = withFault({ several: false }, first, true);
  return form.several ? { ...only, several: false } : { several: true };
}

/** Racks and groups of racks that can be struck, with their words. @param {string[]} racks */
export function rackChoices(racks) {
  const pairs = racks.length > 2 ? racks.flatMap((a, i) => racks.slice(i + 1).map((b) => [a, b])) : [];
  return [
    ...racks.map((rack) => [rack, rack]),
    ...(racks.length > 1 ? [["any", "any rack, by seed"]] : []),
    ...pairs.slice(0, PAIRS_MAX).map((pair) => [pair.join(","), pair.join(" and ")]),
  ];
}

const PAIRS_MAX = 10;

/**
 * The loss of a cluster: of the one that the run loses itself, up to 30 s earlier than it does.
 * @param {any} start @param {any} fault
 */
function startingLoss(start, fault) {
  const sites = start.sites ?? [];
  const known = sites.find((/** @type {any} */ site) => site.lost) ?? sites[0];
  const lost = durationUs(known?.lost ?? "");
  const early = lost === null ? null : Math.floor(Math.max(lost / 2, lost - 30e6) / 1000) * 1000;
  const window = lost === null || early === null ? Object.values(deathWindow(start.horizon)) : [us(early), us(lost)];
  return {
    site_on: Boolean(fault),
    site: fault?.site ?? known?.name ?? "",
    site_from: fault ? us(fault.from_us) : window[0],
    site_to: fault ? us(fault.to_us) : window[1],
    site_back: fault ? (fault.back_us ? us(fault.back_us) : "") : (known?.back ?? ""),
  };
}

/** Microseconds as the server reads them. @param {number} value */
export const us = (value) =>
  value % 1e6 === 0 ? `${value / 1e6}s` : value % 1000 === 0 ? `${value / 1000}ms` : `${value}us`;

/** @param {string} value */
const how = (value) => (value === "kill" ? {} : { how: value });

/** @param {any} form */
const window = (form) => ({ from: form.rack_from, to: form.rack_to || form.rack_from });

/** @param {any} form */
function faults(form) {
  const list = [];
  if (form.as_is) list.push({ kind: "as-is" });
  if (form.rack_on)
    list.push({
      kind: "rack",
      rack: form.rack,
      ...how(form.rack_how),
      ...window(form),
      back: form.rack_back,
    });
  if (form.broker_on)
    list.push({
      kind: "broker",
      broker: form.broker,
      ...how(form.broker_how),
      ...window(form),
      back: form.broker_back,
    });
  if (form.roll_on) list.push({ kind: "roll", ...window(form), back: form.roll_back });
  if (form.site_on)
    list.push({
      kind: "site",
      site: form.site,
      from: form.site_from,
      to: form.site_to || form.site_from,
      back: form.site_back,
    });
  if (form.rates_on) for (const mttf of split(form.mttf)) list.push({ kind: "rates", mttf, mttr: form.mttr });
  return list;
}

/** @param {string} text */
const split = (text) => text.split(/[,\s]+/).filter(Boolean);

/** Numbers as they were typed; what is none stays a text, which the server names. @param {string} text */
const numbers = (text) => split(text).map((part) => (/^\d+$/.test(part) ? Number(part) : part));

/**
 * The seeds of an experiment as a range, "1 to 200"; "" while a field holds no number.
 * @param {{first_seed: string, seeds: string}} form
 */
export function seedRange(form) {
  const [first, seeds] = [form.first_seed, form.seeds].map((text) => Number(text.replaceAll(",", "")));
  if (!Number.isInteger(first) || !Number.isInteger(seeds) || seeds < 1) return "";
  return `${first.toLocaleString("en")} to ${(first + seeds - 1).toLocaleString("en")}`;
}

/** @param {any} form @param {any} start */
export function toBody(form, start) {
  return {
    doc: start.doc,
    from: start.from,
    title: form.title,
    topics: form.topics,
    seeds: form.seeds,
    first_seed: form.first_seed,
    horizon: form.horizon,
    latency: form.latency,
    baseline: form.baseline,
    left_out: form.left_out,
    axes: {
      acks: form.acks,
      min_isr: form.min_isr,
      unclean: form.unclean,
      rf: form.rf,
      kafka: form.kafka,
      lag_ms: numbers(form.lag),
      load: split(form.load),
      fault: faults(form),
      ...(start.mirrors && {
        wan_us: split(form.wan),
        ...Object.fromEntries(Object.keys(MIRROR_AXES).map((name) => [name, numbers(form[name])])),
      }),
    },
  };
}

/**
 * The letter of the baseline: what was chosen is a configuration, whatever letter it has by now; the server says which
 * one it is where the settings on the page have changed.
 * @param {any} form @param {any} told @returns {string}
 */
export function baselineOf(form, told) {
  const chosen = form.baseline && written(form.baseline);
  const found = told.variants?.find((/** @type {any} */ v) =>
    v.settings.some((/** @type {any} */ one) => written(one) === chosen),
  );
  return found?.letter ?? told.baseline;
}

/** Settings as text, the same for equal ones. @param {Record<string, any>} settings */
const written = (settings) => JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * A list with a value put in or taken out, in the order of `all`.
 * @param {any[]} list
 * @param {any} value
 * @param {any[]} all
 */
export function toggled(list, value, all) {
  return list.includes(value) ? list.filter((v) => v !== value) : all.filter((v) => v === value || list.includes(v));
}
