/**
 * One topic of the verdict as a row: name and settings, what it lost, how long it gave no response. Enter opens its
 * sentence, figures and partitions.
 *
 * @import {App} from "../app/app.js"
 * @import {Card} from "./verdict.js"
 * @import {Account} from "./account.js"
 * @import {Plain} from "../run/reading.js"
 */
import { html, Icon } from "../kit/html.js";
import { TERMS } from "../words/terms.js";
import { lostCell, rowNote, silentCell } from "../words/topicrows.js";
import { count, secondsText, since, unitsText } from "../words/verdictwords.js";
import { pieces } from "../kit/wording.js";
import { Details } from "./details.js";

const PARTITIONS_MAX = 8;

/** @param {{app: App, card: Card, account: Account | null}} props */
export function TopicRow({ app, card, account }) {
  const { figures: f, name } = card;
  const id = `topic-${name}`;
  const open = app.page.opened.value.has(id);
  const [lost, silent] = [lostCell(f), silentCell(f, card.isUsed)];
  return html`<details data-testid=${`verdict-${name}`} open=${open}
    onToggle=${(/** @type {any} */ event) => app.page.open(id, event.currentTarget.open)}
      data-lost=${f.lost} data-lost-before=${f.lostBefore} data-duplicated=${f.duplicated} data-hidden=${f.hidden}
        data-refused=${f.refused} data-unknown=${f.unknown} data-acked=${f.acked}
      data-write-down-ms=${Math.round(f.writeDownUs / 1000)} data-read-down-ms=${Math.round(f.readDownUs / 1000)}>
    <summary title=${card.say.sentence}><${Icon} name="right"
      /><span><b>${pieces(name).map(
        (part, i) =>
          html`${
            i > 0 &&
            html`<wbr
        />`
          }${part}`,
      )}</b><small>${rowNote(card.settings, f)}</small></span>
      <span class=${`f ${lost.weight}`} title=${lost.title}><span class="vh">lost </span>${lost.text}</span><span
        class=${`f ${silent.weight}`} title=${silent.title}><span
          class="vh">waited </span>${silent.text}</span></summary>
    ${
      open &&
      html`<div class="ex"><p class="own" aria-live="polite">${card.say.sentence}</p><p
        data-testid=${`units-${name}`}>${unitsText(f)}</p>
      <${FigureList} figures=${f} /><${Partitions} app=${app} topic=${account?.topics.find((one) => one.topic === name)}
        name=${name} />
      <${Details} app=${app} card=${card} /></div>`
    }</details>`;
}

/** @param {{figures: import("../words/verdictwords.js").Figures}} props */
function FigureList({ figures: f }) {
  const line = (/** @type {string} */ name, /** @type {string} */ value, bad = false, title = "") =>
    html`<div><dt title=${title} class=${title ? "term" : ""}>${name}</dt><dd
      class=${bad ? "d" : ""}>${value}</dd></div>`;
  return html`<dl class="vm">${line(`Acknowledged in this run${since(f)}`, count(f.acked))}
    ${line("of them lost", count(f.lost), f.lost > 0)}
    ${f.recovered > 0 && line("of them back, sent again", count(f.recovered))}
    ${line("Lost from before this run", count(f.lostBefore), f.lostBefore > 0)}
    ${line("Duplicated", count(f.duplicated), f.duplicated > 0)}${
      f.unreadable > f.hidden && line("Acknowledged, cannot be read now", count(f.unreadable))
    }${line(`Acknowledged but hidden${f.hidden ? since(f) : ""}`, count(f.hidden), false, TERMS.hidden)}
    ${
      f.handedOver > 0 &&
      line(
        "Vanished, of those sent with acks=0",
        `${count(f.vanished)} of ${count(f.handedOver)}`,
        f.vanished > 0,
        TERMS.vanished,
      )
    }
    ${line("Refused / unknown", `${count(f.refused)} / ${count(f.unknown)}`, false, TERMS.unknown)}
    ${line("Producers got no response for", secondsText(f.clientUs))}
    ${line("Readers got nothing for", secondsText(f.readClientUs))}
    ${f.groupsDownUs > 0 && line("Groups could not join or commit for", secondsText(f.groupsDownUs))}
    ${line(
      "By the servers, writes acks=all / 1",
      `${secondsText(f.writeDownAllUs)} / ${secondsText(f.writeDown1Us)}`,
      false,
      TERMS["writes down"],
    )}
    ${line("By the servers, reads", secondsText(f.readDownUs), false, TERMS["reads down"])}
    ${f.heldBack > 0 && line("Held back by the stop", count(f.heldBack))}</dl>`;
}

/** @param {{app: App, topic: Plain | undefined, name: string}} props */
function Partitions({ app, topic, name }) {
  if (!topic) return html`<p class="muted">Pause to see its partitions.</p>`;
  const rows = [...topic.partitions].sort(
    (a, b) => b.lost - a.lost || silentOf(b) - silentOf(a) || a.partition - b.partition,
  );
  return html`<h4>Waited in all, by partition</h4><dl class="vm"
    data-testid=${`silent-${name}`}>${rows.slice(0, PARTITIONS_MAX).map(
      (row) => html`<div
      key=${row.partition}><dt>${app.model.partitionName(row.partition)}${
        row.lost > 0 &&
        html`, <b
        class="d">lost ${count(row.lost)}</b>`
      }</dt><dd>${secondsText(silentOf(row))}</dd></div>`,
    )}</dl>
    ${
      rows.length > PARTITIONS_MAX &&
      html`<p>and ${count(rows.length - PARTITIONS_MAX)} more, none worse
      than ${secondsText(silentOf(rows[PARTITIONS_MAX] ?? {}))}.</p>`
    }`;
}

/** @param {Plain} row */
const silentOf = (row) => Math.max(row.write_down_client_us ?? 0, row.read_down_client_us ?? 0);
