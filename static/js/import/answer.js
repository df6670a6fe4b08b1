/**
 * The answer after a paste: a headline with its facts, what it rests on, and the table of losses. A change of a field
 * or of a chip asks again at once; the old figures stay until the new ones come. Nothing is stored until the cluster is
 * opened.
 */
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { useKept } from "../kit/kept.js";
import { read, request } from "../kit/kit.js";
import { plural } from "../kit/wording.js";
import { AnswerCard } from "./answer_card.js";
import { AzTable } from "./az_table.js";
import { bodyOf, changesCluster, editsFrom, withField, withPlaces } from "./edits.js";
import { NOTHING } from "./answer_lines.js";
import { askedAgain, isHeadlineComing, momentOf, NO_MOMENTS, withMomentLine } from "./moments.js";
import { ndjson } from "./ndjson.js";
import { merged } from "./places.js";

const TYPING_MS = 350; // quiet after a key, before another answer is asked

/** @typedef {{lines: string, list: string, open: string, keep: string, id: string}} Routes */

/** @param {{routes: Routes}} props */
function AzAnswer({ routes }) {
  const store = `az-edits ${routes.id}`;
  const [edits, setEdits] = useState(() => editsFrom(read("sessionStorage", store)));
  const [refused, setRefused] = useState(/** @type {Record<string, string>} */ ({}));
  const [isStopped, setStopped] = useState(false);
  const [problem, setProblem] = useState("");
  const [places, setPlaces] = useState(edits.places);
  const [chosen, choose] = useState(""); // the moment whose table the reader wants to see
  const wait = useRef(0); // ms of quiet before the next request
  const body = JSON.stringify(bodyOf(edits, refused));
  const all = useAnswer(routes.lines, body, isStopped, wait, (error) =>
    setRefused((known) => ({ ...known, ...error })),
  );
  const moment = momentOf(all, chosen);
  const shown = all.tables[moment] ?? NOTHING;
  useKept(store, edits);
  useEffect(() => {
    if (shown.outline) setPlaces((known) => merged(known, /** @type {any} */ (shown.outline).azs));
  }, [shown.outline]);

  const change = (
    /** @type {import("./edits.js").Edits} */ next,
    /** @type {string[]} */ keys,
    /** @type {number} */ ms,
  ) => {
    wait.current = ms;
    setStopped(false);
    setRefused((known) => Object.fromEntries(Object.entries(known).filter(([key]) => !keys.includes(key))));
    setEdits(next);
  };
  const edit = (/** @type {string} */ key, /** @type {string | undefined} */ value, /** @type {boolean} */ isTyped) =>
    change(withField(edits, key, value), [key], isTyped ? TYPING_MS : 0);
  const move = (/** @type {import("./places.js").Places} */ next) => {
    setPlaces(next);
    change(withPlaces(edits, places ?? next, next), ["racks", "controllers"], 0);
  };
  /** Opens the cluster as edited, which is stored first if it was changed. */
  const go = async (/** @type {MouseEvent} */ event, /** @type {(kept: {id: string, url: string}) => string} */ to) => {
    if (!changesCluster(edits)) return;
    event.preventDefault();
    try {
      location.href = to(await (await request(routes.keep, { method: "POST", json: JSON.parse(body) })).json());
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
    }
  };

  const { outline } = shown;
  return html`<div class="az" data-testid="az-answer" data-done=${shown.isDone} data-computing=${isHeadlineComing(all)}>
    <header class="az-head"><span class="eyebrow">Answer</span><span
      class="soft">${outline && countsText(outline.counts)}</span><span class="grow"></span>
      <a class="btn" href=${`/what-if/new?doc=${routes.id}`} data-testid="open-whatif"
        onClick=${(/** @type {any} */ event) => go(event, (kept) => `/what-if/new?doc=${kept.id}`)}><${Icon}
          name="chart" />What-if</a>
      <a class="btn pri" href=${`/s/${routes.id}`} data-testid="open-built"
        onClick=${(/** @type {any} */ event) => go(event, (kept) => kept.url)}><${Icon} name="play"
          />Open the cluster</a></header>
    ${
      (problem || shown.error) &&
      html`<p class="note danger" role="alert"><${Icon} name="warning"
      />${problem || shown.error}</p>`
    }
    <${AnswerCard} all=${all} choose=${choose} edits=${edits} refused=${refused} places=${places} edit=${edit}
      move=${move} isStopped=${isStopped} setStopped=${setStopped} />
    ${
      outline &&
      html`<${AzTable} all=${all} moment=${moment} choose=${choose} routes=${routes}
      body=${JSON.stringify({ ...JSON.parse(body), outside: moment })} />`
    }</div>`;
}

/**
 * The server's answer for the cluster with some edits, line by line; asked again when the edits change.
 * @param {string} url @param {string} body JSON of the edits @param {boolean} isStopped @param {{current: number}} wait
 * @param {(refused: Record<string, string>) => void} refuse
 */
function useAnswer(url, body, isStopped, wait, refuse) {
  const [all, setAll] = useState(NO_MOMENTS);
  useEffect(() => {
    if (isStopped) return undefined;
    const abort = new AbortController();
    setAll(askedAgain);
    const timer = setTimeout(async () => {
      try {
        for await (const line of ndjson(
          await request(url, { method: "POST", json: JSON.parse(body), signal: abort.signal }),
        )) {
          if (abort.signal.aborted) return;
          setAll((known) => withMomentLine(known, line));
        }
      } catch (error) {
        const { body: told, message } = /** @type {any} */ (error);
        if (abort.signal.aborted) return;
        if (told?.refused) refuse(told.refused);
        else setAll((known) => withMomentLine(known, { error: message }));
      }
    }, wait.current);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [url, body, isStopped]);
  return all;
}

/** @param {{partitions: number, coordinators: number}} counts */
const countsText = ({ partitions, coordinators }) =>
  `${plural(partitions, "partition")}${coordinators ? ` and ${coordinators} of __consumer_offsets` : ""}`;

const host = document.getElementById("az");
if (host) {
  const { lines = "", list = "", open = "", keep = "", id = "" } = host.dataset;
  host.replaceChildren();
  render(html`<${AzAnswer} routes=${{ lines, list, open, keep, id }} />`, host);
}
