/**
 * What a run of a comparison comes to in words, on all sides by one rule and in one order: the graver first, as in the
 * verdict of a run, and lost records before all. Pure.
 *
 * @import {Figures} from "../words/verdictwords.js"
 */
import { byHarm } from "../words/topicrows.js";

const NOTHING = "Nothing has happened yet.";

/**
 * @typedef {object} ToldTopic
 * @property {string} name
 * @property {boolean} isOwn  one of Kafka's own
 * @property {Record<string, any>} counted  its figures, under the names that the engine gives them
 * @property {Figures} figures
 */

/**
 * The sentence of the worst topic, which is named where others have another sentence, and that of groups that lost
 * offsets or can do nothing now.
 * @param {ToldTopic[]} topics
 * @returns {{sentence: string, severity: string}}
 */
export function saidOf(topics) {
  const users = topics.filter((one) => !one.isOwn).sort((a, b) => byHarm(a.figures, b.figures));
  const { severity = "", sentence = "" } = users[0]?.figures ?? {};
  const isAlike = users.every(({ figures }) => figures.sentence === sentence);
  const said = sentence && !isAlike ? `${users[0]?.name}: ${sentence}` : sentence;
  const groups = topics.filter(({ counted }) => areGroupsOut(counted)).map(({ figures }) => figures);
  const parts = groups.map((figures) => ({ figures, text: figures.sentence }));
  if (users[0]) parts.unshift({ figures: users[0].figures, text: said });
  const told = parts
    .sort((a, b) => byHarm(a.figures, b.figures))
    .map(({ text }) => text)
    .filter(Boolean)
    .join(" ");
  return { sentence: told || NOTHING, severity: groups[0]?.severity || severity };
}

/** True if groups have lost offsets, or can neither join nor commit now. @param {Record<string, any>} counted */
function areGroupsOut(counted) {
  if (!counted["coordinators"]) return false;
  const isOut = counted["groups_down"] > 0 && counted["waits_all_us"] > 0;
  return isOut || counted["groups_lost"] > 0 || counted["lost_before"] > 0;
}
