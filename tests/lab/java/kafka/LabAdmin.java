import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;

/** The calls of the admin client that a script may make. Each takes the command and returns what is recorded. */
final class LabAdmin {
  /** One call: blocks until the cluster responded; throws what the future threw. */
  interface Call {
    Object of(Admin admin, JsonNode command) throws Exception;
  }

  static final Map<String, Call> CALLS = new HashMap<>();

  static {
    CALLS.put("create", LabAdmin::create);
    CALLS.put("create-auto", LabAdmin::createPlacedByCluster);
    CALLS.put("delete", (admin, command) -> admin.deleteTopics(List.of(topic(command))).all().get());
    CALLS.put("config", LabAdmin::config);
    CALLS.put("elect", LabAdmin::elect);
    CALLS.put("reassign", LabAdmin::reassign);
    CALLS.put("describe", LabAdmin::describe);
    CALLS.put("offsets", LabAdmin::endOffset);
    CALLS.put("group-offsets", LabAdmin::groupOffsets);
    CALLS.put("brokers", (admin, command) -> ids(new ArrayList<>(admin.describeCluster().nodes().get())));
  }

  private LabAdmin() {}

  private static String topic(JsonNode command) {
    return command.get("topic").asText();
  }

  private static TopicPartition partition(JsonNode command) {
    return new TopicPartition(topic(command), command.path("partition").asInt(0));
  }

  private static List<Integer> numbers(JsonNode list) {
    List<Integer> numbers = new ArrayList<>();
    list.forEach(number -> numbers.add(number.asInt()));
    return numbers;
  }

  private static List<Integer> ids(List<Node> nodes) {
    return nodes == null ? List.of() : nodes.stream().map(Node::id).sorted().toList();
  }

  private static Object create(Admin admin, JsonNode command) throws Exception {
    Map<Integer, List<Integer>> assignment = new TreeMap<>();
    command.get("assignment").forEach(replicas -> assignment.put(assignment.size(), numbers(replicas)));
    Map<String, String> config = new HashMap<>();
    command.path("config").fields().forEachRemaining(entry -> config.put(entry.getKey(), entry.getValue().asText()));
    return admin.createTopics(List.of(new NewTopic(topic(command), assignment).configs(config))).all().get();
  }

  private static Object createPlacedByCluster(Admin admin, JsonNode command) throws Exception {
    short replicationFactor = (short) command.get("rf").asInt();
    NewTopic topic = new NewTopic(topic(command), command.get("partitions").asInt(), replicationFactor);
    return admin.createTopics(List.of(topic)).all().get();
  }

  private static Object config(Admin admin, JsonNode command) throws Exception {
    ConfigResource resource = command.has("broker")
        ? new ConfigResource(ConfigResource.Type.BROKER, command.get("broker").asText())
        : new ConfigResource(ConfigResource.Type.TOPIC, topic(command));
    List<AlterConfigOp> changes = new ArrayList<>();
    command.get("set").fields().forEachRemaining(entry -> {
      ConfigEntry value = new ConfigEntry(entry.getKey(), entry.getValue().asText());
      boolean removed = entry.getValue().isNull();
      changes.add(new AlterConfigOp(value, removed ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET));
    });
    return admin.incrementalAlterConfigs(Map.of(resource, changes)).all().get();
  }

  private static Object elect(Admin admin, JsonNode command) throws Exception {
    ElectionType type = ElectionType.valueOf(command.get("type").asText().toUpperCase(java.util.Locale.ROOT));
    Set<TopicPartition> partitions = command.has("partition") ? Set.of(partition(command)) : null;
    Map<String, String> results = new TreeMap<>();
    admin.electLeaders(type, partitions).partitions().get().forEach((partition, error) ->
        results.put(partition.toString(), error.map(e -> e.getClass().getSimpleName()).orElse("ok")));
    return results;
  }

  private static Object reassign(Admin admin, JsonNode command) throws Exception {
    Optional<NewPartitionReassignment> target = command.get("to").isNull()
        ? Optional.empty()
        : Optional.of(new NewPartitionReassignment(numbers(command.get("to"))));
    return admin.alterPartitionReassignments(Map.of(partition(command), target)).all().get();
  }

  private static Object describe(Admin admin, JsonNode command) throws Exception {
    String name = topic(command);
    TopicDescription description = admin.describeTopics(List.of(name)).allTopicNames().get().get(name);
    List<Object> partitions = new ArrayList<>();
    for (TopicPartitionInfo info : description.partitions()) {
      Map<String, Object> partition = new LinkedHashMap<>();
      partition.put("partition", info.partition());
      partition.put("leader", info.leader() == null ? -1 : info.leader().id());
      partition.put("replicas", info.replicas().stream().map(Node::id).toList());
      partition.put("isr", ids(info.isr()));
      partition.put("elr", ids(info.elr()));
      partition.put("lastKnownElr", ids(info.lastKnownElr()));
      partitions.add(partition);
    }
    return partitions;
  }

  private static Object endOffset(Admin admin, JsonNode command) throws Exception {
    TopicPartition partition = partition(command);
    return admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition).get().offset();
  }

  private static Object groupOffsets(Admin admin, JsonNode command) throws Exception {
    Map<String, Object> offsets = new TreeMap<>();
    admin.listConsumerGroupOffsets(command.get("group").asText()).partitionsToOffsetAndMetadata().get()
        .forEach((partition, offset) -> offsets.put(partition.toString(), offset == null ? null : offset.offset()));
    return offsets;
  }
}
