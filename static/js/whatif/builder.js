/** The experiment builder: fields on the left of the sentence, the server says what they come to. */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { request } from "../kit/kit.js";
import { Faults } from "./faults.js";
import { Axis, Numbers, Topics } from "./fields.js";
import { baselineOf, startingForm, toBody } from "./form.js";
import { Also, AsInRun } from "./alike.js";
import { Key } from "./shapes.js";
import { count, seconds, span } from "./words.js";

const QUIET_MS = 250;

/** @param {{start: any}} props */
function Builder({ start }) {
  const [form, setForm] = useState(() => startingForm(start));
  const [told, setTold] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const change = (/** @type {any} */ part) => setForm({ ...form, ...part });
  useEffect(() => {
    let isStale = false;
    const timer = setTimeout(async () => {
      setBusy(true);
      try {
        for (const quick of [true, false]) {
          // the configurations at once, then what they cost: that takes a measured run
          if (isStale) break;
          const answer = await (
            await request("/what-if/preview", { method: "POST", json: { ...toBody(form, start), quick } })
          ).json();
          if (!isStale) {
            setTold(answer);
            setProblem("");
          }
          if (answer.problems.length) break;
        }
      } catch (error) {
        if (!isStale) setProblem(/** @type {Error} */ (error).message);
      }
      if (!isStale) setBusy(false);
    }, QUIET_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [form]);
  const run = async () => {
    setBusy(true);
    try {
      const answer = await (await request("/what-if/run", { method: "POST", json: toBody(form, start) })).json();
      location.href = answer.url;
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
      setBusy(false);
    }
  };
  return html`<div class="w-builder" data-testid="whatif-builder">
    <section class="card"><h2 class="w-sentence">What happens to acknowledged records of <${Topics} start=${start}
      form=${form} change=${change} /> when</h2>
      <${Faults} start=${start} form=${form} change=${change} /></section>
    <section class="card"><h3>Vary</h3><${Axis} start=${start} form=${form} change=${change} /></section>
    <${Configurations} told=${told} form=${form} change=${change} />
    <section class="card w-run"><${Numbers} start=${start} form=${form} change=${change}
      title=${told?.title ?? start.title} />
      <div class="row"><${Cost} told=${told} busy=${busy} form=${form} />
        <button class="btn pri end" type="button" data-testid="whatif-run"
          disabled=${busy || !told?.seconds || told.problems.length > 0} onClick=${run}>Run on Spark</button></div>
      ${[...(told?.problems ?? []).map((/** @type {any} */ p) => p.message), problem].filter(Boolean).map(
        (text) => html`<p
        class="error" role="alert" data-testid="whatif-problem">${text}</p>`,
      )}
    </section></div>`;
}

/** @param {{told: any, busy: boolean, form: any}} props */
function Cost({ told, busy, form }) {
  if (!told?.seconds)
    return html`<p class="soft" data-testid="whatif-estimate">${busy ? "Measuring one run on this machine." : ""}</p>`;
  const rate =
    told.seconds_per_run < 0.1
      ? `${(told.seconds_per_run * 1000).toFixed(0)} ms`
      : `${told.seconds_per_run.toFixed(2)} s`;
  const simulated = seconds(told.horizon_us / 1e6).replace(".0 s", " s");
  return html`<p data-testid="whatif-estimate" data-runs=${told.runs} data-seconds=${told.seconds}
    data-seconds-max=${told.seconds_max}><b>${count(told.runs)} runs
      · ${span(told.seconds, told.seconds_min, told.seconds_max)}</b>
    <span class="soft"> Each run simulates ${simulated} and goes on until its calls have ended. One run takes
      ${" "}${rate}, measured here, ${told.processes} at a time. The start of Spark is included${
        told.learned_from
          ? `, as in the last ${told.learned_from === 1 ? "experiment" : `${told.learned_from} experiments`} here.`
          : ". It is a guess until an experiment has run here."
      }</span></p>`;
}

/** @param {{told: any, form: any, change: (part: any) => void}} props */
function Configurations({ told, form, change }) {
  const variants = told?.variants ?? [];
  const gone = form.left_out.length;
  const baseline = told && baselineOf(form, told);
  return html`<section class="card"><div class="row"><h3>Configurations</h3>
      ${
        gone > 0 &&
        html`<button class="link end" type="button"
        onClick=${() => change({ left_out: [] })}>bring ${gone} back</button>`
      }</div>
    <ul class="w-configs">${variants.map(
      (/** @type {any} */ v) => html`<li key=${v.letter} data-testid=${`configuration-${v.letter}`}>
      <${Key} letter=${v.letter} /><div><b>${v.name}</b> <span class="soft">${v.detail}</span><${AsInRun} variant=${v}
        />
        <${Also} variant=${v} />
        ${
          v.removed.length > 0 &&
          html`<p class="help" data-testid=${`removed-${v.letter}`}>Taken out of the
          timeline: ${v.removed.join(" · ")}</p>`
        }
        ${v.warnings.map(
          (/** @type {string} */ text) => html`<p class="help w-warn" data-testid=${`warning-${v.letter}`}><${Icon}
          name="warning" /> ${text}</p>`,
        )}</div>
      <label class="check"><input type="radio" name="baseline" checked=${baseline === v.letter}
        onChange=${() => change({ baseline: v.settings[0] })} />baseline</label>
      <button class="btn ghost icon" type="button" aria-label=${`Leave ${v.letter} out`} disabled=${variants.length < 2}
        onClick=${() => change({ left_out: [...form.left_out, ...v.settings] })}><${Icon} name="x" /></button></li>`,
    )}</ul>
    ${told?.note && html`<p class="help" role="status" data-testid="baseline-note">${told.note}</p>`}
    ${
      variants.length === 0 &&
      html`<p class="soft">What you choose above is listed here, one configuration a
      line.</p>`
    }</section>`;
}

const root = /** @type {HTMLElement} */ (document.getElementById("whatif"));
render(
  html`<${Builder} start=${JSON.parse(/** @type {HTMLElement} */ (document.getElementById("start")).textContent ?? "")}
    />`,
  root,
);
