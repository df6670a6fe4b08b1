/**
 * Every figure of the verdict at the drawn moment, with the digest of all facts up to then: what a row of an experiment
 * or another computation of the same run is compared with. Asked for when opened; time has to stand still for it.
 *
 * @import {App} from "../app/app.js"
 * @import {Account, Told} from "./account.js"
 */
import { seconds } from "../run/captions.js";
import { html } from "../kit/html.js";
import { logTime } from "../words/narrate.js";
import { figureName, figureText, isEmpty } from "./figurewords.js";

const TOPICS_MAX = 12;

/** @param {{app: App, told: Told, setOpen: (open: boolean) => void}} props */
export function AllFigures({ app, told, setOpen }) {
  const { account: shown, problem, still, at, address } = told;
  return html`<div class="account"><${EndOfRun} app=${app} />
    <details data-testid="all-figures" data-at-us=${shown?.at_us}
      onToggle=${(/** @type {any} */ event) => setOpen(event.currentTarget.open)}>
      <summary>Every figure, and the digest of this run</summary>
      ${problem && html`<p class="muted" role="alert">${problem}</p>`}
      ${
        !still
          ? html`<p class="muted">Pause to see
        them.</p>`
          : shown
            ? html`<${Whole} account=${shown} address=${address}
          />`
            : html`<p class="muted">Fetching ${logTime(at)} s</p>`
      }
    </details></div>`;
}

/** A run of an experiment: where its row was read. @param {{app: App}} props */
function EndOfRun({ app }) {
  const end = app.boot.row && app.model.document.until ? Math.round(seconds(app.model.document.until)) : null;
  if (end === null || Math.round(app.model.moment) === end) return null;
  return html`<p class="muted" data-testid="row-moment">The row of this run was read at ${logTime(end)} s, after
    healing, restarting and draining.${" "}
    <button type="button" class="link" data-testid="go-to-row"
      onClick=${() => app.live.open(end)}>Go there</button></p>`;
}

/** @param {{account: Account, address: string}} props */
function Whole({ account, address }) {
  const topics = account.topics.slice(0, TOPICS_MAX);
  const more = account.topics.length - topics.length;
  const { topics: _, ...whole } = account;
  return html`<p class="digest">Digest at ${logTime(account.at_us)} s: <code
    data-testid="digest">${account.digest}</code></p>
    <${List} topic="" figures=${Object.entries(whole).filter(([name]) => name !== "digest")} />
    ${topics.map(
      (topic) => html`<h4 key=${topic.topic}>${topic.topic}</h4><${List} topic=${topic.topic}
      figures=${Object.entries(topic)} />`,
    )}
    <p class="muted">${more > 0 && `${more} more topics are in the file. `}<a href=${address}
      download="">The same as JSON</a></p>`;
}

/**
 * The figures that say something by themselves, then in one line those that are zero.
 * @param {{topic: string, figures: [string, any][]}} props
 */
function List({ topic, figures }) {
  const zero = figures.filter(([, value]) => isEmpty(value));
  const mark = (/** @type {string} */ name, /** @type {any} */ value) => ({
    "data-topic": topic,
    "data-field": name,
    "data-value": JSON.stringify(value),
  });
  return html`<dl class="fields">${figures
    .filter(([, value]) => !isEmpty(value))
    .map(
      ([name, value]) => html`<div
    key=${name} ...${mark(name, value)}><dt>${figureName(name)}</dt><dd>${figureText(name, value)}</dd></div>`,
    )}</dl>
    ${
      zero.length > 0 &&
      html`<p class="muted">Nothing to
      count: ${zero.map(
        ([name, value], i) => html`${i ? "; " : ""}<span key=${name}
        ...${mark(name, value)}>${figureName(name)}</span>`,
      )}.</p>`
    }`;
}
