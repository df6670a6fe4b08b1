/**
 * A row of the AZ table, opened: its causes, worst first, the list of partitions behind a cause or a figure, and its
 * runs.
 */
import { useEffect, useState } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { request } from "../kit/kit.js";
import { PartitionList } from "../partitions/list.js";
import { isFresh } from "./answer_lines.js";
import { isSame, open } from "./shown_list.js";

/** acks of a row: both of its runs */
export const BOTH = "both";
const TOGETHER = "Both on one clock";
const TOGETHER_LONG = "Open both runs of this loss, acks=all and acks=1, on one clock";
const ROWS_MAX = 20_000; // partitions of a list
const TITLES = /** @type {Record<string, string>} */ ({
  lost: "lost",
  write: "not writable",
  read: "not readable",
  until_back: "stops until it is back",
  seconds: "stops for seconds",
  hidden: "new records are hidden or at risk",
});

/** @typedef {import("./shown_list.js").List} List */

/**
 * @param {{row: import("./answer_lines.js").Row, shown: import("./answer_lines.js").Shown, routes:
 *   import("./answer.js").Routes, body: string}} props
 */
export function RowDetail({ row, shown, routes, body }) {
  const causes = shown.causes[row.key];
  const worst = causes?.[0];
  const list = open.value?.list ?? (worst ? { of: "cause", cause: worst.key } : null);
  const { items, problem } = useItems(routes.list, body, row, list, isFresh(shown, row.key));
  const title = list ? titleOf(list, causes ?? []) : "";
  return html`<div class="az-open" data-testid="az-open"><div class="az-why"><h3>Why, worst first</h3>
      ${
        !causes
          ? html`<p class="soft">Computing</p>`
          : !causes.length
            ? html`<p>Nothing stops and nothing is
        lost.</p>`
            : html`<div role="group"
          aria-label="Causes">${causes.map(
            (cause) => html`<${CauseOf} key=${cause.key} cause=${cause} row=${row.key}
            list=${list} />`,
          )}</div>`
      }
      <div class="az-runs"><p>Open this loss as a run, paused just before
        it:</p>${(shown.outline?.acks ?? []).map(
          (acks) => html`<${RunButton} key=${acks} row=${row} acks=${acks}
          action=${routes.open} body=${body} />`,
        )}${
          (shown.outline?.acks ?? []).length > 1 &&
          html`<${RunButton} row=${row} acks=${BOTH} action=${routes.open} body=${body} />`
        }</div></div>
    <div class="az-list">${
      problem
        ? html`<p class="error"
      role="alert">${problem}</p>`
        : items && list
          ? html`<${PartitionList} key=${JSON.stringify(list)} items=${items}
        title=${title} file=${`${row.key}-${list.cause ?? `${list.of}-acks-${list.acks}`}`}
          />`
          : list && html`<p class="soft" role="status">Loading the partitions</p>`
    }</div></div>`;
}

/** @param {List} list @param {import("./answer_lines.js").Cause[]} causes */
function titleOf(list, causes) {
  if (list.of === "cause") return causes.find((one) => one.key === list.cause)?.title ?? "";
  return list.of === "disks" ? "Copies on its disks" : `acks=${list.acks}, ${TITLES[list.of]}`;
}

/** @param {{cause: import("./answer_lines.js").Cause, row: string, list: List | null}} props */
function CauseOf({ cause, row, list }) {
  const own = { of: "cause", cause: cause.key };
  return html`<button type="button" class="az-cause" aria-pressed=${isSame(list, own)}
    data-testid=${`az-cause-${cause.key}`} onClick=${() => {
      open.value = { row, list: own };
    }}>
    <span class="num"><i class=${`l${cause.step}`}></i>${cause.count.toLocaleString("en")}</span>
    <span>${cause.title}</span><small>${cause.note}</small></button>`;
}

/**
 * @param {{row: import("./answer_lines.js").Row, acks: string, action: string, body: string, isIcon?: boolean}} props
 *   isIcon: its words are its title
 */
export const RunButton = ({
  row,
  acks,
  action,
  body,
  isIcon = false,
}) => html`<form method="post" action=${action}><input type="hidden" name="csrfmiddlewaretoken" value=${csrfToken()}
  /><input type="hidden" name="row" value=${row.key} /><input type="hidden" name="acks" value=${acks} /><input
    type="hidden" name="pick" value=${row.pick} /><input type="hidden" name="edits" value=${body} />
  <button type="submit" class=${`btn sm ${isIcon ? "ghost icon" : ""}`} title=${isIcon ? TOGETHER_LONG : null}
    data-testid=${isIcon ? `az-${acks}-of-${row.key}` : `az-run-${acks}`}
    aria-label=${`${acks === BOTH ? TOGETHER : `Open the run: acks=${acks}`}: ${row.label}`}><${Icon}
    name=${acks === BOTH ? "split" : "play"} />${!isIcon && nameOf(acks)}</button></form>`;

/** @param {string} acks */
const nameOf = (acks) => (acks === BOTH ? TOGETHER : `acks=${acks}`);

const csrfToken = () =>
  /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=csrf-token]"))?.content ?? "";

/**
 * The whole list from the server; the old one stays until the row was computed again.
 * @param {string} url
 * @param {string} body
 * @param {import("./answer_lines.js").Row} row
 * @param {List | null} list
 * @param {boolean} isReady
 */
function useItems(url, body, row, list, isReady) {
  const [found, setFound] = useState(
    /** @type {{items: import("../partitions/rows.js").Item[] | null, problem: string}} */ ({
      items: null,
      problem: "",
    }),
  );
  const wanted = JSON.stringify(list);
  useEffect(() => setFound({ items: null, problem: "" }), [wanted, row.key]);
  useEffect(() => {
    if (!list || !isReady) return undefined;
    const abort = new AbortController();
    const json = { ...JSON.parse(body), row: row.key, pick: row.pick, ...list, offset: 0, limit: ROWS_MAX };
    request(url, { method: "POST", json, signal: abort.signal })
      .then(async (answer) => setFound({ items: (await answer.json()).rows, problem: "" }))
      .catch((error) => !abort.signal.aborted && setFound({ items: null, problem: error.message }));
    return () => abort.abort();
  }, [url, body, row.key, row.pick, wanted, isReady]);
  return found;
}
