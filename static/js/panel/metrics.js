/**
 * The Metrics tab: what the processes say over JMX at the shown moment, under Kafka's own names. Of the selected broker
 * or controller with each of its partitions, else of all processes. The server reads them off the engine; nothing is
 * computed here.
 *
 * @import {App} from "../app/app.js"
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { html, Icon } from "../kit/html.js";
import { request } from "../kit/kit.js";
import { logTime } from "../words/narrate.js";
import { RuleLink } from "../kit/rulelink.js";
import { capital } from "../kit/wording.js";

const LOOK_MS = 250;
const LIVE_MS = 1000;
const ROWS_MAX = 200;

/**
 * @typedef {{node: number, name: string, attribute: string, value: number, rule: string, process?: string}} Reading
 *   process: of MirrorMaker, which is no node
 */
/** @typedef {{node: number, t: number, rows: Reading[], problem: string}} Answer */

/** The exact meaning of each metric, by its name. @type {Record<string, string>} */
const MEANINGS = {
  UnderReplicatedPartitions:
    "Partitions led here whose ISR is smaller than their replicas (those being added not counted). A leaderless " +
    "partition is counted nowhere.",
  UnderMinIsrPartitionCount:
    "Partitions led here with fewer ISR members than min.insync.replicas: acks=all is refused.",
  AtMinIsrPartitionCount:
    "Partitions led here with exactly min.insync.replicas ISR members: one more loss and acks=all is refused.",
  PartitionCount: "Replicas hosted here.",
  LeaderCount: "Partitions this broker takes itself to lead.",
  ReassigningPartitions: "Partitions led here with replicas being added or removed.",
  OfflineReplicaCount: "Replicas in failed log directories here; not those of dead brokers.",
  IsrShrinksPerSec:
    "ISR shrinks that this leader proposed and got. Removals by the controller (fencing, shutdown) are not counted.",
  IsrExpandsPerSec: "ISR expansions that this leader proposed and got.",
  FailedIsrUpdatesPerSec: "ISR changes that the controller refused, or whose answer came too late.",
  ExpiresPerSec: "acks=all writes to a partition that ended in REQUEST_TIMED_OUT.",
  MaxLag: "The greatest ConsumerLag of this broker's fetchers.",
  ConsumerLag: "Records that the leader's high watermark is ahead of this follower's log end; against HW, not LEO.",
  LogEndOffset: "The offset that the next record here gets.",
  ActiveControllerCount: "1 on the controller that takes itself for active.",
  ActiveBrokerCount: "Brokers that are not fenced.",
  FencedBrokerCount: "Brokers that are fenced, dead ones included.",
  OfflinePartitionsCount: "Partitions without a leader.",
  PreferredReplicaImbalanceCount: "Partitions not led by the first of their replicas, leaderless ones included.",
  UncleanLeaderElectionsPerSec: "Elections of a broker that may lack committed records; the last known leader counts.",
  ElectionFromEligibleLeaderReplicasPerSec: "Elections of an eligible leader replica (ELR).",
  "record-count": "Records that the task has copied since it started.",
  "record-age-ms": "How old the newest record was when MirrorMaker read it. Stays as it is while nothing is read.",
  "replication-latency-ms":
    "Time from the append of a record at the source to the acknowledgement of its copy, of the newest copy.",
  "checkpoint-latency-ms": "Time from a checkpoint of the group to its acknowledgement by the target, of the newest.",
};

const MIRROR_ALERTS =
  "Alert on record-age-ms and replication-latency-ms above your RPO. Both keep their last value while nothing is " +
  "copied: alert as well when record-count stands still, or when a row is missing (a process that is down or paused).";

const OFFSETS_TOPIC = "__consumer_offsets";
const OFFSETS_NOTE =
  `${OFFSETS_TOPIC} has one partition here, where Kafka makes 50: gauges that count partitions ` +
  `are lower by the others.`;

/** A metric's name: a key property of its MBean, or of MirrorMaker its attribute. @param {Reading} row */
const nameOf = (row) => (row.process ? row.attribute : (/name=([^,]+)/.exec(row.name)?.[1] ?? row.name));

/** @param {{app: App}} props */
export function MetricsPanel({ app }) {
  const selection = app.page.selection.value;
  const node = selection && selection.kind !== "topic" && selection.kind !== "flight" ? selection.id : -1;
  const answer = useReadings(app, node);
  const [words, setWords] = useState("");
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const rows =
    answer.node === node
      ? answer.rows.filter((row) =>
          wanted.every((word) =>
            `${row.name} ${row.attribute} ${row.rule} ${row.process ?? row.node}`.toLowerCase().includes(word),
          ),
        )
      : [];
  return html`<div class="pane" data-testid="metrics">
    <div class="pane-head"><h3>${node < 0 ? "All processes" : capital(app.model.nodeName(node))}</h3><span
      class="muted num">${answer.node === node ? `at ${logTime(answer.t)} s` : ""}</span></div>
    <input class="input" type="search" aria-label="Words that a metric's name must have"
      placeholder="Search, e.g. UnderReplicated or orders" value=${words}
      onInput=${(/** @type {any} */ event) => setWords(event.currentTarget.value)} />
    ${answer.problem && html`<p class="muted" role="status">${answer.problem}</p>`}
    ${node < 0 && html`<p class="muted">Select a broker or a controller to see its partitions as well.</p>`}
    ${rows.some((row) => row.process) && html`<p class="muted" data-testid="mirror-alerts">${MIRROR_ALERTS}</p>`}
    ${hasOneOffsetsPartition(app) && html`<p class="muted">${OFFSETS_NOTE}</p>`}
    ${
      answer.node === node &&
      !answer.problem &&
      !rows.length &&
      html`<p
      class="muted">${answer.rows.length ? "No metric has these words." : silence(app, node)}</p>`
    }
    <table class="mx"><tbody>${mirrorsFirst(rows)
      .slice(0, ROWS_MAX)
      .map(
        (row) => html`<${Line}
      key=${`${row.node} ${row.name} ${row.attribute}`} app=${app} row=${row}
      who=${node < 0 ? (row.process ?? app.model.nodeName(row.node)) : ""}
        />`,
      )}</tbody></table>
    ${
      rows.length > ROWS_MAX &&
      html`<p class="muted">and ${(rows.length - ROWS_MAX).toLocaleString("en")} more: search
      for words of their names</p>`
    }
  </div>`;
}

/** MirrorMaker's few rows stand beside the note on them, before those of all brokers. @param {Reading[]} rows */
const mirrorsFirst = (rows) => [...rows.filter((row) => row.process), ...rows.filter((row) => !row.process)];

/** @param {App} app */
function hasOneOffsetsPartition(app) {
  const topic = app.model.names.topics.indexOf(OFFSETS_TOPIC);
  return topic >= 0 && app.model.isImplicit(topic);
}

/** The reason why a process says nothing, and who counts it as missing. @param {App} app @param {number} node */
function silence(app, node) {
  const { view } = app.model;
  const process = (view?.brokers[node] ?? view?.controllers[node])?.process ?? "";
  const state =
    {
      down: "dead",
      paused: "paused: it answers nobody",
      starting: "only just starting",
      recovering: "still recovering its logs",
    }[process] ?? "not up yet";
  const others = view?.brokers[node]
    ? " The leaders of its partitions count it as missing: press Esc to see all processes."
    : "";
  return `${capital(app.model.nodeName(node))} is ${state}, so it says nothing over JMX.${others}`;
}

/**
 * Of whom a row's metric is drawn: of its partition, where it has one, else of all.
 * @param {App} app
 * @param {Reading} row
 */
function plottedOf(app, row) {
  const key = (/** @type {string} */ name) => new RegExp(`[:,]${name}=([^,]+)`).exec(row.name)?.[1];
  if (key("topic") === undefined) return "";
  const cluster = row.process ? key("target") : /^(.*)\//.exec(String(app.model.idOf(row.node)))?.[1];
  return `${cluster ? `${cluster}/` : ""}${key("topic")}-${key("partition")}`;
}

/** @param {{app: App, row: Reading, who: string}} props */
function Line({ app, row, who }) {
  const name = nameOf(row);
  const of = plottedOf(app, row);
  return html`<tr title=${MEANINGS[name] ?? ""}><th
    scope="row"><b>${name}</b>${who && html` <span class="muted">${who}</span>`}
    ${row.rule && html` <${RuleLink} rule=${row.rule} />`}
    <code>${row.name} ${row.attribute}</code></th><td class="num">${row.value.toLocaleString("en")}</td><td><button
      type="button" class="btn ghost icon" data-testid="plot-metric-${name}" title="Over the run’s time"
      aria-label=${`Plot ${name}${of && ` of ${of}`}`} onClick=${() => {
        app.page.plot.value = { metric: name, of };
      }}><${Icon} name="chart" /></button></td></tr>`;
}

/**
 * The newest readings; asked for when the shown moment or the process changes, once a second while time runs.
 * @param {App} app
 * @param {number} node
 * @returns {Answer}
 */
function useReadings(app, node) {
  const [answer, setAnswer] = useState(/** @type {Answer} */ ({ node: -2, t: 0, rows: [], problem: "" }));
  const last = useRef({ at: -1, node: -2, wall: 0, busy: false });
  useEffect(() => {
    const look = async () => {
      const { model } = app;
      const at = Math.round(model.moment);
      const isLive = model.following.value;
      const now = performance.now();
      const known = last.current;
      if (
        known.busy ||
        (known.at === at && known.node === node) ||
        (isLive && known.node === node && now - known.wall < LIVE_MS)
      )
        return;
      last.current = { at, node, wall: now, busy: true };
      try {
        const told = await (
          await request(
            `/rooms/${encodeURIComponent(app.boot.room)}/metrics?node=${node}${isLive ? "" : `&at_us=${at}`}`,
          )
        ).json();
        setAnswer({ node, t: told.t, rows: told.metrics, problem: "" });
      } catch (problem) {
        setAnswer({ node, t: at, rows: [], problem: problem instanceof Error ? problem.message : String(problem) });
      }
      last.current = { ...last.current, busy: false };
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [node]);
  return answer;
}
