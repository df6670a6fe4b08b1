import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kafka.cluster.Partition;
import kafka.server.KafkaRaftServer;

/** Looks at a node every few milliseconds and writes a line for each change: of its role, its state, its replicas. */
final class Sampler implements Runnable {
  private static final Pattern EPOCH = Pattern.compile("epoch=(\\d+), startOffset=(\\d+)");
  private static final long PAUSE_AFTER_ERROR_MS = 500;
  private final KafkaRaftServer server;
  private final int node;
  private final Lines lines;
  private final long everyMs;
  private final Map<String, Map<String, Object>> replicas = new HashMap<>();
  private boolean active = false;
  private String state = "";

  Sampler(KafkaRaftServer server, int node, Lines lines, long everyMs) {
    this.server = server;
    this.node = node;
    this.lines = lines;
    this.everyMs = everyMs;
  }

  @Override
  public void run() {
    long pause = everyMs;
    while (true) {
      try {
        Thread.sleep(pause);
        pause = everyMs;
        sampleController();
        sampleBroker();
      } catch (InterruptedException e) {
        return;
      } catch (NullPointerException e) {
        continue; // a part of the node that does not exist yet, or no longer
      } catch (Throwable e) {
        event("sampler:" + e);
        pause = PAUSE_AFTER_ERROR_MS;
      }
    }
  }

  private void event(String what) {
    lines.write("node", node, "event", what);
  }

  private void sampleController() throws ReflectiveOperationException {
    Object controllerServer = Peek.content(Peek.field(server, "controller"));
    Object controller = controllerServer == null ? null : Peek.field(controllerServer, "controller");
    if (controller == null) {
      return;
    }
    boolean now = (Boolean) Peek.call(controller, "isActive");
    if (now != active) {
      event(now ? "active" : "inactive");
      active = now;
    }
  }

  private void sampleBroker() throws ReflectiveOperationException {
    Object broker = Peek.content(Peek.field(server, "broker"));
    if (broker == null) {
      return;
    }
    Object lifecycle = Peek.field(broker, "lifecycleManager");
    if (lifecycle != null) {
      String now = String.valueOf(Peek.call(lifecycle, "state"));
      if (!now.equals(state)) {
        event("state:" + now);
        state = now;
      }
    }
    Object manager = Peek.field(broker, "_replicaManager");
    if (manager != null) {
      Object partitions = Peek.field(manager, "allPartitions");
      boolean isMap = partitions instanceof Map; // Kafka 4.0 has a pool around it
      sampleReplicas((Map<?, ?>) (isMap ? partitions : Peek.field(partitions, "kafka$utils$Pool$$pool")));
    }
  }

  private void sampleReplicas(Map<?, ?> partitions) throws ReflectiveOperationException {
    Set<String> seen = new HashSet<>();
    for (Map.Entry<?, ?> entry : partitions.entrySet()) {
      String name = entry.getKey().toString();
      boolean online = entry.getValue().getClass().getName().endsWith("Online");
      if (name.startsWith("__") || !online) {
        continue;
      }
      Partition partition = (Partition) Peek.call(entry.getValue(), "partition");
      Object log = Peek.content(partition.log());
      if (log == null) {
        continue;
      }
      seen.add(name);
      Map<String, Object> now = stateOf(partition, log);
      if (!now.equals(replicas.put(name, now))) {
        writeReplica(name, now);
      }
    }
    for (String name : new ArrayList<>(replicas.keySet())) {
      if (!seen.contains(name)) {
        replicas.remove(name);
        writeReplica(name, Map.of("gone", true));
      }
    }
  }

  private void writeReplica(String name, Map<String, Object> values) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("at", System.currentTimeMillis());
    line.put("node", node);
    line.put("replica", name);
    line.putAll(values);
    lines.writeAsIs(line);
  }

  private static Map<String, Object> stateOf(Partition partition, Object log) throws ReflectiveOperationException {
    Object isrState = Peek.call(partition, "partitionState");
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("leads", partition.isLeader());
    state.put("epoch", partition.getLeaderEpoch());
    state.put("partitionEpoch", partition.getPartitionEpoch());
    state.put("start", Peek.call(log, "logStartOffset"));
    state.put("leo", Peek.call(log, "logEndOffset"));
    state.put("hw", Peek.call(log, "highWatermark"));
    state.put("isr", Peek.ids(Peek.call(isrState, "isr")));
    state.put("maximalIsr", Peek.ids(Peek.call(isrState, "maximalIsr")));
    state.put("pending", Peek.call(isrState, "isInflight"));
    state.put("epochs", epochs(log));
    return state;
  }

  private static List<List<Long>> epochs(Object log) throws ReflectiveOperationException {
    Object cache = Peek.content(Peek.call(log, "leaderEpochCache"));
    List<List<Long>> epochs = new ArrayList<>();
    for (Object entry : Peek.list(Peek.call(cache, "epochEntries"))) {
      Matcher found = EPOCH.matcher(entry.toString());
      if (found.find()) {
        epochs.add(List.of(Long.parseLong(found.group(1)), Long.parseLong(found.group(2))));
      }
    }
    return epochs;
  }
}
