import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.metadata.MetadataJsonConverters;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.FileLogInputStream;
import org.apache.kafka.common.record.FileRecords;
import org.apache.kafka.common.record.Record;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;

/**
 * Writes the records of log folders, one JSON line each. Arguments, in threes: {@code meta} (the metadata log) or
 * {@code data}, a label for its lines, the folder.
 */
public final class LabDump {
  private static final Lines LINES = new Lines(new FileOutputStream(FileDescriptor.out));

  private LabDump() {}

  public static void main(String[] args) throws Exception {
    for (int i = 0; i + 2 < args.length; i += 3) {
      File[] segments = new File(args[i + 2]).listFiles((folder, name) -> name.endsWith(".log"));
      if (segments == null) {
        throw new IllegalArgumentException("no such folder: " + args[i + 2]);
      }
      Arrays.sort(segments);
      for (File segment : segments) {
        dump(segment, args[i].equals("meta"), args[i + 1]);
      }
    }
  }

  private static void dump(File segment, boolean meta, String label) throws Exception {
    try (FileRecords records = FileRecords.open(segment, false)) {
      for (FileLogInputStream.FileChannelRecordBatch batch : records.batches()) {
        if (!batch.isValid()) {
          return; // the tail of a log whose broker was killed while it wrote
        }
        if (batch.isControlBatch()) {
          continue;
        }
        for (Record record : batch) {
          Map<String, Object> line = new LinkedHashMap<>();
          line.put("label", label);
          line.put("offset", record.offset());
          line.put("epoch", batch.partitionLeaderEpoch());
          line.put("at", record.timestamp());
          if (meta) {
            putMetadata(line, record);
          } else {
            line.put("value", text(record));
          }
          LINES.writeAsIs(line);
        }
      }
    }
  }

  private static void putMetadata(Map<String, Object> line, Record record) throws Exception {
    ApiMessageAndVersion message =
        MetadataRecordSerde.INSTANCE.read(new ByteBufferAccessor(record.value()), record.valueSize());
    line.put("type", message.message().getClass().getSimpleName());
    line.put("data", MetadataJsonConverters.writeJson(message.message(), message.version()));
  }

  private static String text(Record record) {
    byte[] bytes = new byte[Math.max(0, record.valueSize())];
    if (record.hasValue()) {
      record.value().get(bytes);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
