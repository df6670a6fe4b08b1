/**
 * The verdict as text to paste elsewhere. Pure.
 *
 * @import {Figures, Say} from "./verdictwords.js"
 */
import {
  THETA_US,
  backText,
  chainHead,
  goesBack,
  lossCheck,
  secondsText,
  since,
  thetaText,
  unitsText,
} from "./verdictwords.js";

/**
 * The verdict as text to paste elsewhere.
 * @typedef {{name: string, settings: string, figures: Figures, say: Say, deciding: string, loss: Loss | null}}
 *   TopicText
 * @typedef {NonNullable<ReturnType<import("../run/reading.js").Reading["lossOf"]>>} Loss
 * @param {{title: string, t: number, link: string, topics: TopicText[], assumed: string[], notSimulated: string[],
 *   incidents: import("../run/reading.js").Incident[], pager?: string}} run  pager: the sentence on alerts
 */
export function verdictText(run) {
  const lines = [`${run.title}, at ${(run.t / 1e6).toFixed(3)} s`];
  for (const topic of run.topics) lines.push("", ...topicLines(topic, run.t));
  lines.push("", thetaText(THETA_US));
  for (const { at_us: at, text, words } of run.incidents)
    if (at <= run.t) lines.push("", `${(at / 1e6).toFixed(3)} s ${text}`, ...words.map((line) => `  ${line}`));
  if (run.pager) lines.push("", run.pager);
  if (run.assumed.length)
    lines.push("", "Assumed, since the paste did not say:", ...run.assumed.map((line) => `  ${line}`));
  if (run.notSimulated.length) lines.push("", "Not simulated:", ...run.notSimulated.map((line) => `  ${line}`));
  return `${lines.join("\n")}\n\n${run.link}\n`;
}

/** @param {TopicText} topic @param {number} t @returns {string[]} */
function topicLines({ name, settings, figures: f, say, deciding, loss }, t) {
  const units = unitsText(f);
  const lines = [
    `${name} (${settings}): ${say.sentence}`,
    ...(units ? [`  ${units}`] : []),
    `  ${f.ackedAtUs === -1 ? "" : `acknowledged ${f.acked}${since(f)}, of them `}lost ` +
      `${f.lost}${f.recovered ? ` (${backText(f)})` : ""}, duplicated ${f.duplicated}, hidden ${f.hidden}, refused ` +
      `${f.refused}, unknown ` +
      `${f.unknown}${
        f.handedOver ? `; handed over with acks=0 ${f.handedOver}, of them vanished ${f.vanished}` : ""
      }${f.unread ? `, not readable yet ${f.unread}` : ""}`,
    `  producers got no response for ${secondsText(Math.max(f.clientUs, f.clientWaitsUs))}${
      f.vainUs ? `; for ${secondsText(f.vainUs)} every record acknowledged to a producer was already lost` : ""
    }; readers got nothing for ${secondsText(Math.max(f.readClientUs, f.readWaitsUs))}`,
    `  by the servers: not writable ${secondsText(f.writeDownAllUs)} (acks=all), ${secondsText(f.writeDown1Us)} ` +
      `(acks=1); not readable ${secondsText(f.readDownUs)}`,
    ...(f.groupsDownUs ? [`  groups could not join or commit for ${secondsText(f.groupsDownUs)}`] : []),
  ];
  if (!f.lost) return [...lines, ...(deciding ? [`  ${harmText(f)} back to: ${deciding}`] : [])];
  if (loss?.decision)
    lines.push(
      `  decided by: ${(loss.decision.at_us / 1e6).toFixed(3)} s ` +
        `${loss.decision.text}. ${lossCheck(loss.decision)}`,
    );
  else
    lines.push(
      ...(deciding ? [`  lost by: ${deciding}`] : []),
      ...(goesBack(f) ? [`  ${goesBack(f)}`] : []),
      `  ${loss?.undecided || "Not checked which action decided it."}`,
    );
  return [...lines, ...(loss?.chains ?? []).flatMap((chain) => storyLines(chainHead(chain), chain.links, t))];
}

/** The harm that goes back to an event where no record of the run was lost. @param {Figures} f */
function harmText(f) {
  if (f.groupsLost) return "the lost offsets go";
  if (f.lostBefore) return "the lost records go";
  return f.duplicated ? "the duplicates go" : f.hidden ? "the hidden records go" : "the stop goes";
}

/**
 * A chain as far as it has happened.
 * @param {string} head
 * @param {import("../run/reading.js").ChainLink[]} links
 * @param {number} t
 */
const storyLines = (head, links, t) => [
  `  why, ${head}:`,
  ...links
    .filter((link) => link.t <= t)
    .map(
      (link) =>
        `    ${(link.t / 1e6).toFixed(3)} s ${link.text}${link.rules.length ? ` [${link.rules.join(", ")}]` : ""}`,
    ),
];
