/** A listing to try the page with: broker 3 has just died, one topic has two replicas in one AZ. */
const topic = (/** @type {string} */ name, /** @type {string} */ configs, /** @type {string[]} */ rows) =>
  [
    `Topic: ${name}\tPartitionCount: ${rows.length}\tReplicationFactor: ` +
      `${rows[0].split(" ")[1].split(",").length}\tConfigs: ${configs}`,
    ...rows.map((row, number) => {
      const [leader, replicas, isr] = row.split(" ");
      return (
        `\tTopic: ${name}\tPartition: ${number}\tLeader: ${leader}\tReplicas: ${replicas}\tIsr: ${isr}\tElr: ` +
        `\tLastKnownElr: `
      );
    }),
  ].join("\n");

export const EXAMPLE = `$ kafka-topics.sh --bootstrap-server localhost:9092 --describe
${topic("orders", "min.insync.replicas=2", ["1 1,2,3 1,2", "2 2,3,4 2,4", "4 4,5,6 4,5,6", "5 5,6,1 5,6,1"])}
${topic("payments", "min.insync.replicas=2", ["4 1,4,2 1,4,2", "5 2,5,3 5,2"])}
${topic("clicks", "", ["6 6,4 6,4", "1 1,6 1,6"])}
`;
