/**
 * The applications of a cluster, as far as they can move to another: open producers, groups, and the topics they need.
 * Pure.
 *
 * @import {Model} from "./model.js"
 */

/**
 * Applications of a cluster that are open: producers by their names, groups (or consumers without one) by theirs.
 * @param {Model} model
 * @param {string} site
 */
export function applicationsOf(model, site) {
  const open = (model.view?.clients ?? []).flatMap((client, i) =>
    client.state === "open" && client.id.startsWith(`${site}/`)
      ? [{ id: client.id, kind: client.kind, group: model.clientCalled(i)?.group ?? "" }]
      : [],
  );
  const readers = open
    .filter(({ kind }) => kind === "consumer")
    .map(({ id, group }) => (group ? `${site}/${group}` : id));
  return {
    producers: open.filter(({ kind }) => kind === "producer").map(({ id }) => id),
    groups: [...new Set(readers)],
  };
}

/**
 * Topics that producers of a cluster write to and the other does not have: each as it would be created there.
 * @param {Model} model
 * @param {string} from
 * @param {string} to
 */
export function missingTopics(model, from, to) {
  const topics = (model.view?.topics ?? []).map((topic, i) => ({
    index: i,
    name: model.topicName(i),
    isThere: Boolean(topic.name) && !topic.deleted,
  }));
  const has = (/** @type {string} */ name) => topics.some((topic) => topic.isThere && topic.name === name);
  return topics.flatMap(({ index, name, isThere }) => {
    const local = original(model, from, name.slice(from.length + 1));
    const written =
      isThere &&
      name.startsWith(`${from}/`) &&
      model.producersOf(index).some((i) => model.view?.clients[i]?.state === "open");
    if (!written || has(`${to}/${local}`)) return [];
    const brokers = model.brokerIds.filter((id) => model.siteOf(id)?.name === to).length;
    return [
      {
        name: `${to}/${local}`,
        action: `create ${to}/${local} ${Math.min(3, brokers)} ${model.partitionsOf(index).length}`,
      },
    ];
  });
}

/**
 * A topic's name without the cluster that MirrorMaker wrote before it.
 * @param {Model} model
 * @param {string} site
 * @param {string} name
 */
function original(model, site, name) {
  const source = model.sites.find((one) => one.name !== site && name.startsWith(`${one.name}.`));
  return source ? name.slice(source.name.length + 1) : name;
}
