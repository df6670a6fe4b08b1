/**
 * In what the runs of a comparison differ: in partitions at the drawn moment, in events, in figures. Pure.
 *
 * @import {Model} from "../run/model.js"
 */
import { listed } from "../kit/wording.js";

/** Names of the runs. */
export const LETTERS = "ABCD";
/** an event so close to the playhead has been seen, us */
const SEEN_US = 1;

/**
 * @typedef {object} Difference  an event that some runs have, as the server tells it
 * @property {number} t_us @property {number[]} sides @property {string} text
 *
 * @typedef {object} Figure
 * @property {string} key @property {string} label @property {"records" | "s"} unit
 *
 * @typedef {{title: string, digest: string, sentence: string, severity: string,
 *   topics: ({topic: string, sentence: string} & Record<string, any>)[]} & Record<string, any>} Side
 *
 * @typedef {object} Comparison  the answer of `/compare/<ids>/figures`
 * @property {number} until_us
 * @property {Side[]} sides
 * @property {{t_us: number, lead: string, sentence: string} | null} first_difference  lead: the sentence's beginning
 * @property {string} parting  a sentence on how the runs differ
 * @property {Difference[]} differences
 * @property {{path: string, values: unknown[]}[]} settings
 * @property {Figure[]} figures
 *
 * @typedef {{name: string, keys: string[], values: (Record<string, unknown> | undefined)[]}} Mark  a partition that
 *   differs; a value is undefined in a run that lacks it
 */

/** What is compared of a partition, and how it is called. */
export const KEYS = { leader: "leader", epoch: "epoch", isr: "ISR", hw: "HW", leo: "LEO", lost: "lost records" };
/** The words where no partition has a mark. */
export const SAME = `The same now in all runs: ${listed(Object.values(KEYS))} of every partition.`;

/**
 * The partitions that differ at the drawn moment, by name; those that a run lacks are among them.
 * @param {Model[]} models
 * @returns {Mark[]}
 */
export function marksOf(models) {
  const sides = models.map(statesOf);
  const names = new Set(sides.flatMap((side) => [...side.keys()]));
  return [...names]
    .map((name) => {
      const values = sides.map((side) => side.get(name));
      const keys = Object.keys(KEYS).filter((key) => new Set(values.map((value) => String(value?.[key]))).size > 1);
      return { name, keys, values };
    })
    .filter(({ keys }) => keys.length > 0);
}

/** By partition name. @param {Model} model @returns {Map<string, Record<string, unknown>>} */
function statesOf(model) {
  const found = new Map();
  model.view?.partitions.forEach((partition, p) => {
    if (!partition || partition.topic < 0 || model.isImplicit(partition.topic)) return;
    const { leader, epoch, isr } = partition;
    const copy = partition.copies[leader];
    const lost = partition.lost.reduce((sum, [, count]) => sum + count, 0);
    found.set(model.partitionName(p), {
      leader: leader < 0 ? "none" : model.idOf(leader),
      epoch,
      isr: isr.length ? isr.map((id) => model.idOf(id)).join(" ") : "empty",
      hw: copy?.hw ?? "none",
      leo: copy?.leo ?? "none",
      lost,
    });
  });
  return found;
}

/** The words on a partition that differs: "orders-0: HW A 44, B 41", "late-0: not in B". @param {Mark} mark */
export function markText({ name, keys, values }) {
  const lacking = values.flatMap((value, i) => (value ? [] : [String(LETTERS[i])]));
  if (lacking.length) return `${name}: not in ${listed(lacking)}`;
  const told = keys.map(
    (key) =>
      `${KEYS[/** @type {keyof typeof KEYS} */ (key)]} ` +
      values.map((value, i) => `${LETTERS[i]} ${value?.[key]}`).join(", "),
  );
  return `${name}: ${told.join("; ")}`;
}

/** The first difference after a moment. @param {Comparison | null} found @param {number} t us */
export function nextDifference(found, t) {
  return found?.differences.find((one) => one.t_us > t + SEEN_US) ?? null;
}

/** Actions on one message: it is another one in each run. */
const OF_A_MESSAGE = /^(deliver|hold|drop) /;

/**
 * The sides that an action goes to.
 * @param {number} side on which it was chosen
 * @param {string} action
 * @param {boolean} isToAll
 * @param {number} number of runs
 */
export function goesTo(side, action, isToAll, number) {
  return isToAll && !OF_A_MESSAGE.test(action) ? Array.from({ length: number }, (_, i) => i) : [side];
}

/**
 * The other sides, which an action that went to some may be applied to.
 * @param {number[]} sides @param {string} action @param {number} number of runs
 */
export function leftOut(sides, action, number) {
  if (OF_A_MESSAGE.test(action)) return [];
  return Array.from({ length: number }, (_, i) => i).filter((side) => !sides.includes(side));
}

/** The sides in words, on a menu: "in A, and in B too". @param {number[]} sides @param {number} side its own */
export function whereText(sides, side) {
  const others = sides.filter((other) => other !== side).map((other) => String(LETTERS[other]));
  return others.length ? `in ${LETTERS[side]}, and in ${listed(others)} too` : `in ${LETTERS[side]} only`;
}

/**
 * The settings of one run that the others do not have, in words.
 * @param {Comparison | null} found
 * @param {number} side
 */
export function settingsOf(found, side) {
  return (found?.settings ?? []).flatMap(({ path, values }) => {
    const value = values[side];
    const name = path
      .replace(/^(topics|producers|consumers|cluster)\./, "")
      .replace(/(^|\.)config\./, " ")
      .trim();
    if (value === null || value === undefined) return [`without ${name}`];
    if (path === "profile") return [`Kafka ${value}`];
    return [typeof value === "object" ? `with ${name}` : `${name.replace(/\.acks$/, " acks")}=${value}`];
  });
}

/**
 * The figures as a table: those of the whole run, then of each topic.
 * @param {Comparison} found
 * @returns {{title: string, rows: {label: string, cells: string[], differs: boolean}[]}[]}
 */
export function tablesOf(found) {
  const topics = new Set(found.sides.flatMap((side) => side.topics.map(({ topic }) => topic)));
  const of = (/** @type {(Record<string, any> | undefined)[]} */ sides) =>
    figuresOf(found, sides).map(({ key, label, unit }) => {
      const cells = sides.map((side) => (side ? figureText(side[key], unit) : "–"));
      return { label, cells, differs: new Set(cells).size > 1 };
    });
  return [
    { title: "All topics", rows: of(found.sides) },
    ...[...topics].map((name) => ({
      title: name,
      rows: of(found.sides.map((side) => side.topics.find(({ topic }) => topic === name))),
    })),
  ];
}

/**
 * The figures that a topic or a run has: those of flows belong to the run.
 * @param {Comparison} found
 * @param {(Record<string, any> | undefined)[]} sides
 */
const figuresOf = (found, sides) => found.figures.filter(({ key }) => sides.some((side) => side && key in side));

/** 1,234; seconds with one decimal, or milliseconds below one second. @param {number} value @param {string} unit */
export function figureText(value, unit) {
  if (unit !== "s") return value.toLocaleString("en");
  return value > 0 && value < 1 ? `${(value * 1000).toFixed(0)} ms` : `${value.toFixed(1)} s`;
}

/** The figures as lines of text. @param {Comparison} found @param {string[]} names of the runs */
export function asText(found, names) {
  const lines = found.sides.map((side, i) => `${LETTERS[i]}: ${names[i]}: ${side.sentence}`);
  lines.push("", found.parting, "");
  for (const { title, rows } of tablesOf(found)) {
    lines.push(`${title.padEnd(26)}${found.sides.map((_, i) => String(LETTERS[i]).padStart(12)).join("")}`);
    for (const { label, cells, differs } of rows)
      lines.push(`${label.padEnd(26)}${cells.map((cell) => cell.padStart(12)).join("")}${differs ? "  *" : ""}`);
    lines.push("");
  }
  return lines.join("\n").trimEnd();
}

/** The figures as CSV, plain numbers. @param {Comparison} found @param {string[]} names of the runs */
export function asCsv(found, names) {
  const quote = (/** @type {unknown} */ value) => `"${String(value).replaceAll('"', '""')}"`;
  const head = ["topic", "figure", "unit", ...names.map((name, i) => `${LETTERS[i]} ${name}`)].map(quote).join(",");
  const lines = (/** @type {string} */ topic, /** @type {(Record<string, any> | undefined)[]} */ sides) =>
    figuresOf(found, sides).map(({ key, unit }) =>
      [quote(topic), quote(key), unit, ...sides.map((side) => side?.[key] ?? "")].join(","),
    );
  const topics = new Set(found.sides.flatMap((side) => side.topics.map(({ topic }) => topic)));
  return [
    head,
    ...lines("", found.sides),
    ...[...topics].flatMap((name) =>
      lines(
        name,
        found.sides.map((side) => side.topics.find(({ topic }) => topic === name)),
      ),
    ),
  ].join("\n");
}
