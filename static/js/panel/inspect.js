/**
 * The Inspect tab: every field of the selected thing; what changed at the last step is marked, old struck, new bold.
 *
 * @import {App} from "../app/app.js"
 * @import {View, Partition} from "../facts/types.js"
 */
import { MSG_NAMES } from "../facts/facts.js";
import { html, Icon } from "../kit/html.js";
import { healthOf } from "../run/layout.js";
import { itemsOf } from "../run/partitionitems.js";
import { sizesNow } from "../run/throttle.js";
import { writerOf } from "../run/writers.js";
import { PartitionList } from "../partitions/list.js";
import { TERMS } from "../words/terms.js";
import { HEALTHS, HEALTH_WORDS } from "../run/mapdata.js";
import { copyingOf } from "../words/copytime.js";
import { returnOf } from "../words/rejoined.js";
import { partOf } from "../fold/sites.js";
import { capital, perSecond } from "../kit/wording.js";

const CHIPS_MAX = 120;

/** @typedef {[name: string, value: string]} Field */

/**
 * Fields of a selection in a view; the same function on the view one event earlier tells what changed.
 * @param {App} app
 * @param {View} view
 * @returns {{title: string, fields: Field[]} | null}
 */
export function fieldsOf(app, view) {
  const selection = app.page.selection.value;
  if (!selection) return null;
  if (selection.kind === "broker") return brokerFields(app, view, selection.id);
  if (selection.kind === "controller")
    return { title: capital(app.model.nodeName(selection.id)), fields: controllerFields(view, selection.id) };
  if (selection.kind === "replica") return replicaFields(app, view, selection.p ?? 0, selection.id);
  if (selection.kind === "topic") return topicFields(app, view, selection.id);
  return flightFields(app, selection.id);
}

/** @param {App} app @param {View} view @param {number} id */
function brokerFields(app, view, id) {
  const broker = view.brokers[id];
  const leads = view.partitions.filter((partition) => partition.leader === id).length;
  const inIsr = view.partitions.filter((partition) => partition.isr.includes(id)).length;
  const believes = view.partitions.filter((partition) => partition.copies[id]?.role === "leader").length;
  const age = Math.max(0, app.model.t - (broker?.heartbeat ?? 0)) / 1e6;
  const back = returnOf(app.story.events(), id, view.t);
  const isOld = app.model.words.hasOldLog;
  const run = { start: app.story.narrator.start, events: app.story.events(), view, isOld };
  const hosted = view.partitions.flatMap(({ replicas, isr }, p) =>
    replicas.includes(id) && !isr.includes(id) && isOld(p) ? [p] : [],
  );
  const copying = copyingOf(sizesNow(app.model, id, hosted), run, id);
  return {
    title: capital(app.model.nodeName(id)),
    fields: /** @type {Field[]} */ ([
      ...(back ? [["in the ISR again", back]] : []),
      ...(copying ? [["copies whole logs", copying]] : []),
      ["process", broker?.process ?? ""],
      ["registration", broker?.registration ?? ""],
      ["broker epoch", String(broker?.be ?? "")],
      ["rack", app.model.rackOf(id) ?? "none"],
      ["last heartbeat noted", `${age.toFixed(1)} s ago`],
      ["leads (controller's view)", String(leads)],
      ["leads (its own view)", String(believes)],
      ["in ISR of", String(inIsr)],
    ]),
  };
}

/** @param {View} view @param {number} id @returns {Field[]} */
function controllerFields(view, id) {
  const { active, controller_epoch, metadata_offset } = partOf(view, id);
  return [
    ["process", view.controllers[id]?.process ?? ""],
    ["active", active === id ? "yes" : "no"],
    ["controller epoch", String(controller_epoch)],
    ["metadata offset", metadata_offset.toLocaleString("en")],
  ];
}

/** @param {App} app @param {View} view @param {number} p @param {number} id */
function replicaFields(app, view, p, id) {
  const partition = /** @type {Partition} */ (view.partitions[p]);
  const copy = partition.copies[id];
  /** @type {Field[]} */ const own = copy
    ? [
        ["role (its own view)", copy.role],
        ["leader epoch", String(copy.epoch)],
        ["follows", copy.leader < 0 ? "nobody" : app.model.nodeName(copy.leader)],
        ["high watermark", String(copy.hw)],
        ["log end offset", String(copy.leo)],
        ["log start offset", String(copy.start)],
        ["epoch cache", copy.epochs.map(([epoch, start]) => `e${epoch} from ${start}`).join(", ") || "empty"],
      ]
    : [["log", "none"]];
  if (copy?.role === "leader")
    own.push(["its ISR", app.model.ids(copy.isr)], ["its maximal ISR", app.model.ids(copy.maximal)]);
  return {
    title: `${app.model.partitionName(p)} on ${app.model.nodeName(id)}`,
    fields: [...own, ...partitionFields(app, partition)],
  };
}

/** @param {App} app @param {Partition} partition @returns {Field[]} */
function partitionFields(app, partition) {
  const ids = (/** @type {number[]} */ list) => app.model.ids(list) || "empty";
  /** @type {Field[]} */ const fields = [
    ["partition state", healthOf(partition, app.model.minIsr(partition.topic))],
    ["leader (controller)", partition.leader < 0 ? "none" : String(app.model.idOf(partition.leader))],
    ["leader epoch (controller)", String(partition.epoch)],
    ["partition epoch", String(partition.pe)],
    ["replicas", ids(partition.replicas)],
    ["ISR", ids(partition.isr)],
    ["ELR", ids(partition.elr)],
    ["last known ELR", ids(partition.last_known)],
  ];
  if (partition.adding.length || partition.removing.length)
    fields.push(["adding", ids(partition.adding)], ["removing", ids(partition.removing)]);
  return fields;
}

/** @param {App} app @param {View} view @param {number} topic */
function topicFields(app, view, topic) {
  const { model } = app;
  const producers = model
    .producersOf(topic)
    .map((i) => view.clients[i])
    .filter((client) => client !== undefined);
  /** @type {Field[]} */ const fields = Object.entries(view.topics[topic]?.config ?? {}).map(([key, value]) => [
    key,
    String(value),
  ]);
  const writer = writerOf(model, topic);
  if (writer) fields.push(["written by", writer]);
  for (const client of producers) {
    fields.push(
      [`producer ${client.id}`, `acks=${client.acks}, ${perSecond(client.rate_milli / 1000)}, ${client.state}`],
      [`${client.id}: acknowledged`, client.acked.toLocaleString("en")],
      [`${client.id}: failed`, client.failed.toLocaleString("en")],
    );
  }
  return { title: model.topicName(topic), fields };
}

/** @param {App} app @param {number} seq */
function flightFields(app, seq) {
  const flight = app.model.cursor?.flights.all.get(seq);
  if (!flight) return { title: "Message", fields: /** @type {Field[]} */ ([["state", "arrived"]]) };
  const { model } = app;
  return {
    title: `${MSG_NAMES[flight.msg]} message`,
    fields: /** @type {Field[]} */ ([
      ["fact", String(seq)],
      ["from", model.nodeName(flight.src)],
      ["to", model.nodeName(flight.dst)],
      ["partition", flight.p >= 0 ? model.partitionName(flight.p) : "none"],
      ["records", String(flight.count)],
      ["sent", `${(flight.sent / 1e6).toFixed(3)} s`],
      [
        "arrives",
        flight.held >= 0
          ? "held by hand"
          : flight.arrive < 0
            ? "held at a cut"
            : `${(flight.arrive / 1e6).toFixed(3)} s`,
      ],
      [
        "state",
        flight.ended >= 0
          ? "dropped"
          : flight.held >= 0
            ? `held since ${(flight.held / 1e6).toFixed(3)} s`
            : "under way",
      ],
    ]),
  };
}

/** @param {{app: App}} props */
export function InspectPanel({ app }) {
  app.model.pulse.value;
  const { view } = app.model;
  const selection = app.page.selection.value;
  const now = view && fieldsOf(app, view);
  const list = html`<${Listed} app=${app} />`;
  if (!now || !selection)
    return html`<div class="pane" data-testid="inspector">${list}<p
      class="muted">Click a broker, a replica, a topic or a message in the stage. Its fields stand here.</p></div>`;
  const previous = app.model.previous ? new Map(fieldsOf(app, app.model.previous)?.fields ?? []) : new Map();
  return html`<div class="pane" data-testid="inspector">${list}<div class="pane-head"><h3>${now.title}</h3>
      <button type="button" class="btn sm"
        onClick=${(/** @type {any} */ event) => app.openMenuFor(selection, event.currentTarget)}>Actions</button></div>
    <dl class="fields">${now.fields.map(
      ([name, value]) => html`<${FieldLine} key=${name} name=${name} value=${value}
      before=${previous.get(name)} />`,
    )}</dl>
    ${selection.kind === "topic" && html`<${TopicPartitions} app=${app} topic=${selection.id} />`}
  </div>`;
}

/** The partitions that somebody asked for on the map. @param {{app: App}} props */
function Listed({ app }) {
  const { model, page } = app;
  const listed = page.listed.value;
  if (!listed || !model.view) return null;
  const names = {
    frames: model.frames,
    frameOf: (/** @type {number} */ id) => model.frameOf(id),
    idOf: (/** @type {number} */ id) => model.idOf(id),
    minIsr: (/** @type {number} */ i) => model.minIsr(i),
    topicName: (/** @type {number} */ i) => model.topicName(i),
  };
  return html`<div class="listed"><${PartitionList} items=${itemsOf(model.view, listed.partitions, names)}
    title=${listed.title} file=${listed.file} />
    <button type="button" class="btn sm" data-testid="close-list" onClick=${() => {
      page.listed.value = null;
    }}>Close the list</button></div>`;
}

/** @param {{name: string, value: string, before: string | undefined}} props */
function FieldLine({ name, value, before }) {
  const changed = before !== undefined && before !== value && name !== "last heartbeat noted";
  const term = Object.keys(TERMS).find((word) => name.toLowerCase().includes(word.toLowerCase()));
  return html`<div class=${changed ? "changed" : ""}><dt
    title=${term ? TERMS[/** @type {keyof typeof TERMS} */ (term)] : undefined}
      class=${term ? "term" : ""}>${name}</dt><dd
        class="num">${changed ? html`<s>${before}</s> <b>${value}</b>` : value}</dd></div>`;
}

/** The partitions of a topic as chips, the worst first. @param {{app: App, topic: number}} props */
function TopicPartitions({ app, topic }) {
  const { model, page } = app;
  const view = /** @type {View} */ (model.view);
  const minIsr = model.minIsr(topic);
  const partitions = model
    .partitionsOf(topic)
    .map((p) => ({ p, partition: /** @type {Partition} */ (view.partitions[p]) }))
    .map((entry) => ({ ...entry, health: healthOf(entry.partition, minIsr) }))
    .sort((a, b) => HEALTHS.indexOf(a.health) - HEALTHS.indexOf(b.health) || a.partition.number - b.partition.number);
  return html`<h4 class="pane-sub">${partitions.length.toLocaleString("en")} partitions, the worst first</h4>
    <div class="pch">${partitions.slice(0, CHIPS_MAX).map(
      ({ p, partition, health }) => html`<button type="button" key=${p} class=${`pc ${health}`}
      title=${
        `${model.partitionName(p)}: ${HEALTH_WORDS[health]}, replicas ${model.ids(partition.replicas)}, ISR ` +
        `${model.ids(partition.isr)}`
      }
      onClick=${() => {
        page.selection.value = {
          kind: "replica",
          id: partition.leader >= 0 ? partition.leader : (partition.replicas[0] ?? 0),
          p,
        };
      }}>
      <span class="num">${partition.number}</span><span
        class="d">${
          partition.leader >= 0
            ? html`<${Icon} name="crown" /><span
          class="num">${model.idOf(partition.leader)}</span>`
            : "no leader"
        }</span>
      <span class="d">${partition.replicas.map(
        (id) => html`<i key=${id}
        class=${partition.isr.includes(id) ? "on" : ""}></i>`,
      )}</span></button>`,
    )}</div>
    ${
      partitions.length > CHIPS_MAX &&
      html`<p
      class="muted">and ${(partitions.length - CHIPS_MAX).toLocaleString("en")} more</p>`
    }`;
}
