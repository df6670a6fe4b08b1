import java.io.FileOutputStream;
import java.io.FileReader;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/**
 * One node of a Kafka cluster, a broker or a controller, which also writes down its own life and what it believes about
 * its replicas. Arguments: the properties file, the file of lines, milliseconds between two samples.
 */
public final class LabNode {
  private LabNode() {}

  public static void main(String[] args) throws Exception {
    Properties properties = new Properties();
    try (FileReader reader = new FileReader(args[0])) {
      properties.load(reader);
    }
    int node = Integer.parseInt(properties.getProperty("node.id"));
    Lines lines = new Lines(new FileOutputStream(args[1], true));
    KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
    Thread sampler = new Thread(new Sampler(server, node, lines, Long.parseLong(args[2])), "lab-sampler");
    sampler.setDaemon(true);
    sampler.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      lines.write("node", node, "event", "stopping");
      server.shutdown();
      lines.write("node", node, "event", "stopped");
    }));
    lines.write("node", node, "event", "starting");
    server.startup();
    lines.write("node", node, "event", "started");
    server.awaitShutdown();
  }
}
