package org.apache.kafka.connect.mirror;

import java.time.Duration;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Follows MirrorMaker's topics of one cluster and writes each record decoded, one JSON line. It is in MirrorMaker's
 * package to read its records. Arguments: the cluster's name, its bootstrap servers, the topic of offset syncs, the topic
 * of checkpoints.
 */
public final class LabTap {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long LOOK_MS = 500;

  private LabTap() {}

  public static void main(String[] args) throws Exception {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", args[1]);
    properties.put("auto.offset.reset", "earliest");
    properties.put("enable.auto.commit", "false");
    properties.put("allow.auto.create.topics", "false");
    properties.put("group.id", "tap");
    var bytes = new ByteArrayDeserializer();
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties, bytes, bytes)) {
      Set<String> wanted = Set.of(args[2], args[3]);
      while (true) {
        try {
          follow(consumer, wanted);
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
            System.out.println(record.topic().equals(args[2]) ? sync(args[0], record) : checkpoint(args[0], record));
          }
          System.out.flush();
        } catch (RuntimeException e) {
          Thread.sleep(LOOK_MS); // the cluster is down, or a topic is not there yet
        }
      }
    }
  }

  /** Waits for a topic to be there, and takes in the second one as soon as it is. */
  private static void follow(KafkaConsumer<byte[], byte[]> consumer, Set<String> wanted) throws InterruptedException {
    while (consumer.assignment().size() < wanted.size()) {
      Set<String> there = consumer.listTopics(LIMIT).keySet();
      Set<TopicPartition> found = new HashSet<>();
      wanted.stream().filter(there::contains).forEach(topic -> found.add(new TopicPartition(topic, 0)));
      consumer.assign(found);
      if (!found.isEmpty()) {
        return;
      }
      Thread.sleep(LOOK_MS);
    }
  }

  private static String sync(String cluster, ConsumerRecord<byte[], byte[]> record) {
    OffsetSync sync = OffsetSync.deserializeRecord(record);
    return line(cluster, record, "sync", "", sync.topicPartition(), sync.upstreamOffset(), sync.downstreamOffset());
  }

  private static String checkpoint(String cluster, ConsumerRecord<byte[], byte[]> record) {
    Checkpoint checkpoint = Checkpoint.deserializeRecord(record);
    return line(cluster, record, "checkpoint", checkpoint.consumerGroupId(), checkpoint.topicPartition(),
        checkpoint.upstreamOffset(), checkpoint.downstreamOffset());
  }

  private static String line(String cluster, ConsumerRecord<byte[], byte[]> record, String kind, String group,
      TopicPartition partition, long upstream, long downstream) {
    return String.format("{\"at\":%d,\"cluster\":\"%s\",\"kind\":\"%s\",\"topic\":\"%s\",\"offset\":%d,\"group\":\"%s\","
        + "\"partition\":\"%s\",\"up\":%d,\"down\":%d}", record.timestamp(), cluster, kind, record.topic(),
        record.offset(), group, partition, upstream, downstream);
  }
}
