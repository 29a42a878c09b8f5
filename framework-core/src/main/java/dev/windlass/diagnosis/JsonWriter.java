// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import dev.windlass.logging.OneLine;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Writes records as human-readable JSON. Durations are in seconds, and empty Optionals are omitted.
 * Control characters are escaped twice. They therefore remain harmless if a program decodes the
 * JSON and prints the strings in a terminal.
 */
final class JsonWriter {

  private static final double MILLIS = 1e3;
  private static final ObjectWriter WRITER = writer();

  private JsonWriter() {}

  /** Returns a record of this package as multi-line JSON. */
  static String of(Record value) {
    try {
      return WRITER.writeValueAsString(value) + '\n';
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the records of this package can be written", e);
    }
  }

  private static ObjectWriter writer() {
    ObjectMapper mapper = new ObjectMapper();
    mapper
        .configOverride(Optional.class)
        .setInclude(
            JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, JsonInclude.Include.ALWAYS));
    mapper.registerModule(
        new SimpleModule()
            .addSerializer(Optional.class, new OptionalSerializer())
            .addSerializer(
                Duration.class,
                serializer((json, time) -> json.writeNumber(time.toMillis() / MILLIS)))
            .addSerializer(
                String.class, serializer((json, text) -> json.writeString(OneLine.of(text)))));
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
    printer.indentArraysWith(lines);
    printer.indentObjectsWith(lines);
    return mapper.writer(printer);
  }

  private interface Writing<T> {
    void write(JsonGenerator json, T value) throws IOException;
  }

  private static <T> JsonSerializer<T> serializer(Writing<T> writing) {
    return new JsonSerializer<>() {
      @Override
      public void serialize(T value, JsonGenerator json, SerializerProvider provider)
          throws IOException {
        writing.write(json, value);
      }
    };
  }

  @SuppressWarnings("rawtypes") // a class literal has no type parameter
  private static final class OptionalSerializer extends JsonSerializer<Optional> {

    @Override
    public boolean isEmpty(SerializerProvider provider, Optional value) {
      return value.isEmpty();
    }

    @Override
    public void serialize(Optional value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      provider.defaultSerializeValue(value.get(), json);
    }
  }
}
