/** A question that waits for a paste: its two runs are made on the cluster that is built, or it says why not. */
import { useEffect, useState } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { request } from "../kit/kit.js";

/** @typedef {{key: string, title: string, why_not: string}} Question */

/** The question of the address; null without one, and before it is known. @returns {Question | null} */
export function useQuestion() {
  const [found, setFound] = useState(/** @type {Question | null} */ (null));
  useEffect(() => {
    const key = new URLSearchParams(location.search).get("question");
    if (key) load(key).then(setFound, ({ message }) => setFound({ key, title: "The question", why_not: message }));
  }, []);
  return found;
}

/** @param {string} key @returns {Promise<Question>} */
async function load(key) {
  return { key, ...(await (await request(`/questions/${encodeURIComponent(key)}/mine`)).json()) };
}

/**
 * The address of both runs on a built cluster. Raises an Error that says why the question is not asked of it.
 * @param {Question} question
 * @param {string} id
 * @returns {Promise<string>}
 */
export async function askOf({ key }, id) {
  return (await (await request(`/questions/${encodeURIComponent(key)}/mine/${id}`, { method: "POST" })).json()).url;
}

/** @param {{question: Question, refusal: {reason: string, url: string} | null}} props  of the cluster that was built */
export function Asked({ question: { title, why_not: whyNot }, refusal }) {
  const reason = refusal?.reason || whyNot;
  return html`<div class=${`note ${reason ? "warn" : ""}`} role="status" data-testid="asked-of-mine"><${Icon}
    name=${reason ? "warning" : "help"} /><p><b>${title}</b> ${
      reason
        ? html`is not asked of ${refusal ? "this cluster" : "a paste"}. ${reason}`
        : `is asked of your cluster as soon as it is built: its two runs open side by side. Of several topics it takes
            the one that risks most by acks and min.insync.replicas; the runs say which one, and what they leave out.`
    }${refusal && html` <a href=${refusal.url}>Open the cluster</a>`}</p></div>`;
}
