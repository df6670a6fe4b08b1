import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;

/** A consumer that polls in a thread of its own and writes each record and each new exception. */
final class LabConsumer implements Runnable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long PAUSE_AFTER_ERROR_MS = 200;
  private static final long BYTES_EVERY_MS = 500;
  private final String id;
  private final Lines lines;
  private final KafkaConsumer<String, String> consumer;
  private final boolean inRack;
  private final Queue<Map<TopicPartition, OffsetAndMetadata>> commits = new ConcurrentLinkedQueue<>();
  private final Map<String, Object> metrics = new HashMap<>();
  private volatile boolean open = true;
  private volatile boolean crashed = false;
  private long bytesAt = 0;
  private String lastError = "";

  LabConsumer(JsonNode command, Properties properties, Lines lines) {
    this.id = command.get("id").asText();
    this.lines = lines;
    this.inRack = properties.containsKey("client.rack");
    this.consumer = new KafkaConsumer<>(properties);
    if (command.has("subscribe")) {
      List<String> topics = new ArrayList<>();
      command.get("subscribe").forEach(topic -> topics.add(topic.asText()));
      consumer.subscribe(topics);
    } else {
      List<TopicPartition> partitions = new ArrayList<>();
      command.get("assign").forEach(pair -> partitions.add(new TopicPartition(pair.get(0).asText(), pair.get(1).asInt())));
      consumer.assign(partitions);
    }
    Thread thread = new Thread(this, "consumer-" + id);
    thread.setDaemon(true);
    thread.start();
  }

  /** Commits an offset of a partition between two polls. */
  void commit(JsonNode command) {
    TopicPartition partition = new TopicPartition(command.get("topic").asText(), command.path("partition").asInt(0));
    commits.add(Map.of(partition, new OffsetAndMetadata(command.get("offset").asLong())));
  }

  /** Ends the consumer; a crash tells the group nothing. */
  void close(boolean crash) {
    crashed = crash;
    open = false;
  }

  @Override
  public void run() {
    while (open) {
      try {
        commitWaiting();
        for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
          lines.write("client", id, "event", "read", "topic", record.topic(), "partition", record.partition(),
              "offset", record.offset(), "epoch", record.leaderEpoch().orElse(-1), "value", record.value());
        }
        lastError = "";
        if (inRack) {
          watch();
        }
      } catch (RuntimeException error) {
        note(error);
      }
    }
    if (crashed) {
      silence();
    } else {
      consumer.close();
    }
    lines.write("client", id, "event", "closed");
  }

  /**
   * Ends the heartbeats of the classic protocol as a crash does: the group waits for {@code session.timeout.ms}. A
   * consumer of the new protocol writes an error: its heartbeats go on until {@code max.poll.interval.ms}.
   */
  private void silence() {
    try {
      Object coordinator = Peek.field(Peek.field(consumer, "delegate"), "coordinator");
      Object heartbeats = coordinator == null ? null : Peek.field(coordinator, "heartbeatThread");
      if (heartbeats != null) {
        Peek.call(heartbeats, "close");
      }
    } catch (ReflectiveOperationException error) {
      lines.write("client", id, "event", "error", "error", error.getClass().getSimpleName(),
          "message", String.valueOf(error.getMessage()));
    }
  }

  private void commitWaiting() {
    for (var offsets = commits.poll(); offsets != null; offsets = commits.poll()) {
      consumer.commitSync(offsets, LIMIT);
      lines.write("client", id, "event", "committed", "offset", offsets.values().iterator().next().offset());
    }
  }

  /** Writes an exception that differs from the one before, and rests a moment. */
  private void note(RuntimeException error) {
    String name = error.getClass().getSimpleName();
    if (!name.equals(lastError)) {
      lines.write("client", id, "event", "error", "error", name, "message", String.valueOf(error.getMessage()));
      lastError = name;
    }
    try {
      Thread.sleep(PAUSE_AFTER_ERROR_MS);
    } catch (InterruptedException e) {
      open = false;
    }
  }

  /** Writes the preferred read replica of each partition and, each half second, the bytes received from each broker. */
  private void watch() {
    long now = System.currentTimeMillis();
    boolean withBytes = now - bytesAt >= BYTES_EVERY_MS;
    bytesAt = withBytes ? now : bytesAt;
    for (Map.Entry<MetricName, ? extends Metric> entry : consumer.metrics().entrySet()) {
      Map<String, String> tags = entry.getKey().tags();
      Object value = entry.getValue().metricValue();
      if (entry.getKey().name().equals("preferred-read-replica")) {
        writeChange("preferred", "replica", tags.get("topic") + "-" + tags.get("partition"), value);
      } else if (withBytes && entry.getKey().name().equals("incoming-byte-total") && tags.containsKey("node-id")) {
        writeChange("bytes", "node", tags.get("node-id"), value);
      }
    }
  }

  private void writeChange(String event, String key, String name, Object value) {
    if (!value.equals(metrics.put(event + name, value))) {
      lines.write("client", id, "event", event, key, name, "value", value);
    }
  }
}
