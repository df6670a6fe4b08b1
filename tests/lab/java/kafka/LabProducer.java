import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A producer of text records. One thread of its own calls send(), so a call that blocks delays those after it. */
final class LabProducer {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
  private static final ScheduledExecutorService CLOCK = Executors.newScheduledThreadPool(4);
  private final String id;
  private final Lines lines;
  private final KafkaProducer<String, String> producer;
  private final ExecutorService application = Executors.newSingleThreadExecutor();
  private final Map<String, ScheduledFuture<?>> rates = new ConcurrentHashMap<>();
  private final Map<String, Integer> next = new ConcurrentHashMap<>();

  LabProducer(String id, Properties properties, Lines lines) {
    this.id = id;
    this.lines = lines;
    this.producer = new KafkaProducer<>(properties);
  }

  /** Calls send() once for each value of the command. */
  void send(JsonNode command) {
    for (JsonNode value : command.get("values")) {
      send(command.get("topic").asText(), command.path("partition").asInt(0), value.asText());
    }
  }

  /** From now on calls send() {@code per_s} times a second for one partition; 0 stops. Values go on counting. */
  void rate(JsonNode command) {
    String topic = command.get("topic").asText();
    int partition = command.path("partition").asInt(0);
    double perSecond = command.get("per_s").asDouble();
    String prefix = command.path("prefix").asText(id);
    String name = topic + "-" + partition;
    ScheduledFuture<?> before = rates.remove(name);
    if (before != null) {
      before.cancel(false);
    }
    if (perSecond > 0) {
      Runnable one = () -> send(topic, partition, prefix + "-" + (next.merge(name, 1, Integer::sum) - 1));
      rates.put(name, CLOCK.scheduleAtFixedRate(one, 0, (long) (1e6 / perSecond), TimeUnit.MICROSECONDS));
    }
  }

  /** Stops all rates and closes the producer: 2 s for what is under way. */
  void close() {
    rates.values().forEach(rate -> rate.cancel(false));
    producer.close(CLOSE_LIMIT);
    lines.write("client", id, "event", "closed");
  }

  private void send(String topic, int partition, String value) {
    application.execute(() -> {
      lines.write("client", id, "event", "send", "topic", topic, "partition", partition, "value", value);
      try {
        producer.send(new ProducerRecord<>(topic, partition, null, value), (metadata, error) -> {
          if (error == null) {
            lines.write("client", id, "event", "ack", "topic", topic, "partition", partition, "value", value,
                "offset", metadata.offset());
          } else {
            fail(topic, partition, value, error);
          }
        });
      } catch (RuntimeException error) {
        fail(topic, partition, value, error);
      }
    });
  }

  private void fail(String topic, int partition, String value, Exception error) {
    lines.write("client", id, "event", "fail", "topic", topic, "partition", partition, "value", value,
        "error", error.getClass().getSimpleName());
  }
}
