import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads Kafka's private fields by reflection, so that one source serves all versions from 4.0 on. */
final class Peek {
  private static final Pattern INTEGER = Pattern.compile("-?\\d+");

  private Peek() {}

  /** The value of a field of the object's class or of a class above it. */
  static Object field(Object object, String name) throws ReflectiveOperationException {
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      try {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
      } catch (NoSuchFieldException e) {
        continue;
      }
    }
    throw new NoSuchFieldException(name);
  }

  /** The result of a public method without parameters. */
  static Object call(Object object, String name) throws ReflectiveOperationException {
    Method method = object.getClass().getMethod(name);
    method.setAccessible(true);
    return method.invoke(object);
  }

  /** The content of an Option of Scala or an Optional of Java; null if it is empty; anything else as it is. */
  static Object content(Object option) {
    if (option instanceof scala.Option) {
      return ((scala.Option<?>) option).isEmpty() ? null : ((scala.Option<?>) option).get();
    }
    return option instanceof java.util.Optional ? ((java.util.Optional<?>) option).orElse(null) : option;
  }

  /** A list of Java, of Scala before 4.1. */
  static List<?> list(Object sequence) {
    if (sequence instanceof List) {
      return (List<?>) sequence;
    }
    return scala.jdk.javaapi.CollectionConverters.asJava((scala.collection.Seq<?>) sequence);
  }

  /** The broker ids in a set of Scala or Java, sorted. */
  static List<Integer> ids(Object set) {
    List<Integer> ids = new ArrayList<>();
    Matcher numbers = INTEGER.matcher(String.valueOf(set).replaceFirst("^(Hash)?Set\\d*", ""));
    while (numbers.find()) {
      ids.add(Integer.parseInt(numbers.group()));
    }
    ids.sort(null);
    return ids;
  }
}
