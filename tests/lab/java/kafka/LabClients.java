import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;

/**
 * All clients of a script: producers, consumers and an admin client. Reads commands as JSON lines from stdin ({@code op}
 * says which) and writes each outcome as a JSON line to stdout. Ends when stdin ends.
 */
public final class LabClients {
  private final Lines lines = new Lines(new FileOutputStream(FileDescriptor.out));
  private final Map<String, LabProducer> producers = new ConcurrentHashMap<>();
  private final Map<String, LabConsumer> consumers = new ConcurrentHashMap<>();
  private final Map<String, Admin> admins = new ConcurrentHashMap<>();
  private final ExecutorService blocking = Executors.newCachedThreadPool();
  private final Map<String, Consumer<JsonNode>> operations = new HashMap<>();

  private LabClients() {
    operations.put("producer", command -> producers.put(id(command), new LabProducer(id(command),
        properties(command, "Serializer"), lines)));
    operations.put("consumer", command -> consumers.put(id(command), new LabConsumer(command,
        properties(command, "Deserializer"), lines)));
    operations.put("send", command -> producers.get(id(command)).send(command));
    operations.put("rate", command -> producers.get(id(command)).rate(command));
    operations.put("commit", command -> consumers.get(id(command)).commit(command));
    operations.put("close", this::close);
    operations.put("admin", command -> blocking.execute(() -> admin(command)));
  }

  public static void main(String[] args) throws Exception {
    LabClients clients = new LabClients();
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      clients.run(line);
    }
    System.exit(0);
  }

  private void run(String line) {
    try {
      JsonNode command = Lines.JSON.readTree(line);
      operations.get(command.get("op").asText()).accept(command);
    } catch (Exception error) {
      lines.write("event", "bad-command", "line", line, "error", String.valueOf(error));
    }
  }

  private static String id(JsonNode command) {
    return command.get("id").asText();
  }

  private static Properties properties(JsonNode command, String kind) {
    Properties properties = new Properties();
    for (String part : List.of("key.", "value.")) {
      properties.put(part + kind.toLowerCase(Locale.ROOT), "org.apache.kafka.common.serialization.String" + kind);
    }
    properties.put("client.id", id(command));
    command.get("config").fields().forEachRemaining(entry -> properties.put(entry.getKey(), entry.getValue().asText()));
    return properties;
  }

  private void close(JsonNode command) {
    LabProducer producer = producers.remove(id(command));
    if (producer != null) {
      blocking.execute(producer::close);
    }
    LabConsumer consumer = consumers.remove(id(command));
    if (consumer != null) {
      consumer.close(command.path("crash").asBoolean(false));
    }
  }

  private void admin(JsonNode command) {
    String tag = command.get("tag").asText();
    try {
      Admin admin = admins.computeIfAbsent(command.get("bootstrap").asText(), LabClients::newAdmin);
      Object result = LabAdmin.CALLS.get(command.get("call").asText()).of(admin, command);
      lines.write("event", "admin", "tag", tag, "ok", true, "result", result);
    } catch (Exception error) {
      Throwable cause = error instanceof ExecutionException && error.getCause() != null ? error.getCause() : error;
      lines.write("event", "admin", "tag", tag, "ok", false, "error", cause.getClass().getSimpleName(),
          "message", String.valueOf(cause.getMessage()));
    }
  }

  private static Admin newAdmin(String bootstrap) {
    return Admin.create(Map.of("bootstrap.servers", bootstrap, "client.id", "admin",
        "default.api.timeout.ms", "60000", "request.timeout.ms", "10000"));
  }
}
