/**
 * The engine's whole verdict at the drawn moment, fetched where somebody looks at it and time stands still.
 *
 * @import {App} from "../app.js"
 */
import { useEffect, useState } from "preact/hooks";
import { request } from "../kit.js";

/** @typedef {{at_us: number, digest: string, theta_us: number, topics: Record<string, any>[]} & Record<string, any>} Account */

/** how long time has to stand before the server is asked: a hand that scrubs passes many moments */
const STILL_MS = 200;

/**
 * `account` is null while there is none of this very moment.
 * @typedef {{account: Account | null, problem: string, still: boolean, at: number, address: string}} Told
 * @param {App} app
 * @param {boolean} isWanted
 * @returns {Told}
 */
export function useAccount(app, isWanted) {
  app.model.pulse.value;
  const { model } = app;
  const [account, setAccount] = useState(/** @type {Account | null} */ (null));
  const [problem, setProblem] = useState("");
  const still = !model.playing.value && !model.waiting.value;
  const at = Math.round(Math.min(model.moment, model.trace.end));
  const address = `/rooms/${encodeURIComponent(app.boot.room)}/verdict?at_us=${at}`;
  useEffect(() => {
    if (!isWanted || !still) return undefined;
    const abort = new AbortController();
    const ask = () => request(address, { signal: abort.signal }).then((answer) => answer.json()).then((told) => { setAccount(told); setProblem(""); })
      .catch((error) => { if (!abort.signal.aborted) setProblem(error.message); });
    const timer = setTimeout(ask, STILL_MS);
    return () => { clearTimeout(timer); abort.abort(); };
  }, [isWanted, still, address]);
  return { account: still && account?.at_us === at ? account : null, problem, still, at, address };
}
