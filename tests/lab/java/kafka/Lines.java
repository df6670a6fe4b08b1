import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes one JSON object a line, each with {@code at}: milliseconds since 1970. Threads may share it. */
final class Lines {
  static final ObjectMapper JSON = new ObjectMapper();
  private final PrintStream out;

  Lines(java.io.OutputStream out) {
    this.out = new PrintStream(out, false, StandardCharsets.UTF_8);
  }

  /** Writes a line of the given keys and values, which alternate. */
  void write(Object... keysAndValues) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("at", System.currentTimeMillis());
    for (int i = 0; i < keysAndValues.length; i += 2) {
      line.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    writeAsIs(line);
  }

  /** Writes a line of exactly these values, without a time of its own. */
  synchronized void writeAsIs(Map<String, Object> line) {
    try {
      out.println(JSON.writeValueAsString(line));
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
