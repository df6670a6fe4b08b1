/** The import page: one paste a cluster, what is read of each, and the document built from them. */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { html } from "../kit/html.js";
import { read, request } from "../kit/kit.js";
import { useKept } from "../kit/kept.js";
import { sitesFrom, STORE } from "./kept_paste.js";
import { MirrorsPaste } from "./mirrors_paste.js";
import { Asked, askOf, useQuestion } from "./question.js";
import { failed, NO_ANSWER, nodePlaces, Reading, sent, SitePaste } from "./site_paste.js";
import { nameProblem, ofSite, Sites, withNames } from "./sites.js";

/** @typedef {import("./site_paste.js").Answer} Answer */

function Page() {
  const [kept, setKept] = useState(() => sitesFrom(read("sessionStorage", STORE)));
  const { sites, at, between, mirrors } = kept;
  const [answers, setAnswers] = useState(/** @type {Record<string, Answer>} */ ({}));
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const question = useQuestion();
  const [refusal, setRefusal] = useState(/** @type {{reason: string, url: string} | null} */ (null));
  const site = /** @type {import("./kept_paste.js").Site} */ (sites[at]);
  const hasSeveral = sites.length > 1;
  useKept(STORE, kept);
  useEffect(() => setProblem(""), [kept]);

  const change = (
    /** @type {string} */ id,
    /** @type {(known: import("./kept_paste.js").Paste) => import("./kept_paste.js").Paste} */ next,
  ) =>
    setKept((known) => ({
      ...known,
      sites: known.sites.map((one) => (one.id === id ? { ...one, paste: next(one.paste) } : one)),
    }));
  const heard = (/** @type {string} */ id, /** @type {(known: Answer) => Answer} */ next) =>
    setAnswers((known) => ({ ...known, [id]: next(known[id] ?? NO_ANSWER) }));
  const answerOf = (/** @type {{id: string}} */ one) => answers[one.id] ?? NO_ANSWER;

  const asked = () => {
    const parts = sites.map((one) => ({
      ...sent(one.paste, nodePlaces(one.paste, answerOf(one).told)),
      ...(hasSeveral ? { name: one.name } : {}),
    }));
    return hasSeveral
      ? { sites: parts, mirrors, ...(between === "" ? {} : { between_ms: between }) }
      : (parts[0] ?? {});
  };
  /** To the question's runs on the built cluster, else to the cluster. @param {{id: string, url: string}} at */
  const go = async ({ id, url }) => {
    if (!question || question.why_not) {
      location.href = url;
      return;
    }
    try {
      location.href = await askOf(question, id);
    } catch (error) {
      setRefusal({ reason: /** @type {Error} */ (error).message, url });
      setBusy(false);
    }
  };
  const build = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      const answer = await request("/import/build", { method: "POST", json: asked() });
      await go(await answer.json());
    } catch (error) {
      const blamed = sites.find((one) => hasSeveral && one.name === /** @type {any} */ (error).body?.site);
      const wrong = blamed ?? site;
      if (/** @type {any} */ (error).body?.refused) heard(wrong.id, (known) => failed(known, error));
      else setProblem(ofSite(blamed, /** @type {Error} */ (error).message));
      setBusy(false);
    }
  };

  const shown = answerOf(site);
  const isReady = sites.every(
    (one) =>
      answerOf(one).told?.can_build &&
      !Object.keys(answerOf(one).refused).length &&
      (!hasSeveral || !nameProblem(sites, one)),
  );
  const troubled = shown.problem ? site : sites.find((one) => answerOf(one).problem);
  const said = problem || (troubled ? ofSite(hasSeveral ? troubled : undefined, answerOf(troubled).problem) : "");
  return html`${sites.map(
    (one) => html`<${Reading} key=${one.id} paste=${one.paste}
    heard=${(/** @type {any} */ next) => heard(one.id, next)} />`,
  )}
    ${question && html`<${Asked} question=${question} refusal=${refusal} />`}
    <${Sites} kept=${kept} answers=${answers} set=${setKept} />
    ${
      hasSeveral &&
      html`<${MirrorsPaste} text=${mirrors} names=${sites.map((one) => one.name)}
      asked=${isReady ? asked() : null}
        set=${(/** @type {string} */ text) => setKept((known) => ({ ...known, mirrors: text }))}
          rename=${(/** @type {string[]} */ names) => setKept((known) => withNames(known, names))} />`
    }
    <div class="p-layout"><${SitePaste} key=${site.id} paste=${site.paste}
      change=${(/** @type {any} */ next) => change(site.id, next)} answer=${shown} />
    <footer class="p-foot">
      <p class="soft">The text itself is not kept there: this tab remembers it until you close it. The cluster made of
        it stays on this server until you delete it, and so does each run you open from it. No connection to your
          cluster is made.</p>
      <label class="check"><input type="checkbox" data-testid="neutral-names"
        checked=${sites.some((one) => one.paste.assumed.neutral_names)}
        onChange=${(/** @type {any} */ event) =>
          sites.forEach((one) =>
            change(one.id, (known) => ({
              ...known,
              assumed: { ...known.assumed, neutral_names: event.target.checked },
            })),
          )}
          />Neutral topic names, for sharing</label>
      ${said && html`<p class="error" role="alert" data-testid="import-error">${said}</p>`}
      <button class="btn pri" type="button" data-testid="import-build" disabled=${busy || !isReady}
        onClick=${build}>${labelOf(shown, hasSeveral, busy)}</button>
    </footer></div>`;
}

/** @param {Answer} answer @param {boolean} hasSeveral @param {boolean} busy */
const labelOf = (answer, hasSeveral, busy) =>
  busy
    ? "Building"
    : hasSeveral
      ? "Build these clusters"
      : answer.told?.kind === "document"
        ? "Open this document"
        : "Build this cluster";

const host = document.getElementById("import");
if (host) {
  host.replaceChildren();
  render(html`<${Page} />`, host);
}
