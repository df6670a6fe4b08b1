/**
 * The engine's whole verdict, fetched where somebody looks at it: of the drawn moment where time stands still; while it
 * passes slowly, of the newest moment once a second, since the engine states its figures once a simulated second only.
 */
import { useEffect, useState } from "preact/hooks";
import { request } from "../kit/kit.js";

/**
 * @typedef {{at_us: number, digest: string, theta_us: number, topics: Record<string, any>[]} & Record<string, any>}
 *   Account
 */

/** partitions up to which the exact figures are asked for by themselves when time stands */
export const EXACT_PARTITIONS_MAX = 64;
/** how long time has to stand before the server is asked: a hand that scrubs passes many moments */
const STILL_MS = 200;
const RECENT_MS = 1000;
/** at this speed and faster the engine's own statements come often enough, us/s */
const OFTEN_SPEED = 1_000_000;

/**
 * `account` is null while there is none of this very moment; `recent` is one of a moment before it, while time passes.
 * @typedef {{account: Account | null, recent: Account | null, problem: string, still: boolean, at: number, address:
 *   string}} Told
 * @param {import("../page/player.js").Player} app
 * @param {boolean} isWanted
 * @returns {Told}
 */
export function useAccount(app, isWanted) {
  app.model.pulse.value;
  const { model, page } = app;
  const isAsked = isWanted && model.ready.value; // a run that is refused has no view, and no verdict
  const [account, setAccount] = useState(/** @type {Account | null} */ (null));
  const [problem, setProblem] = useState("");
  const still = !model.playing.value && !model.waiting.value;
  const at = Math.round(Math.min(model.moment, model.trace.end));
  const guest = app.boot.guest ? `&guest=${encodeURIComponent(app.boot.guest)}` : "";
  const address = `/rooms/${encodeURIComponent(app.boot.room)}/verdict?at_us=${at}${guest}`;
  useEffect(() => {
    if (!isAsked || !still) return undefined;
    const abort = new AbortController();
    const ask = () =>
      request(address, { signal: abort.signal })
        .then((answer) => answer.json())
        .then((told) => {
          setAccount(told);
          setProblem("");
        })
        .catch((error) => {
          if (!abort.signal.aborted) setProblem(error.message);
        });
    const timer = setTimeout(ask, STILL_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [isAsked, still, address]);
  const recent = useRecent(app, isAsked && !still && model.following.value && page.speedOf(model) < OFTEN_SPEED);
  return {
    account: still && account?.at_us === at ? account : null,
    recent: !still && recent && recent.at_us <= model.t ? recent : null,
    problem,
    still,
    at,
    address,
  };
}

/**
 * The verdict of the newest moment, asked for once a second; it is shown when the picture has come there.
 * @param {import("../page/player.js").Player} app
 * @param {boolean} isWanted
 * @returns {Account | null}
 */
function useRecent(app, isWanted) {
  const [recent, setRecent] = useState(/** @type {Account | null} */ (null));
  useEffect(() => {
    if (!isWanted) return undefined;
    const abort = new AbortController();
    const ask = () =>
      request(`/rooms/${encodeURIComponent(app.boot.room)}/verdict`, { signal: abort.signal })
        .then((answer) => answer.json())
        .then(setRecent)
        .catch(() => undefined); // the next second asks again, and the engine's own statements come besides
    ask();
    const timer = setInterval(ask, RECENT_MS);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [isWanted]);
  return isWanted ? recent : null;
}
