// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.protobuf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts request bodies in Kubernetes's protobuf encoding to JSON. */
public final class ProtobufBody {
  /** The media type of bodies in Kubernetes's protobuf encoding. */
  public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private ProtobufBody() {}

  private static boolean isOne(byte[] body) {
    return body.length >= MAGIC.length
        && Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /**
   * Parses the object in a request body. The body is parsed as JSON unless it starts with the
   * prefix of Kubernetes's protobuf encoding.
   */
  public static ObjectNode parseOrJson(byte[] body) {
    return isOne(body) ? parse(body) : Json.parseObject(body);
  }

  /**
   * Parses the object in a request body in Kubernetes's protobuf encoding.
   *
   * @throws StatusException 400 if the body is malformed, or contains an unknown kind
   */
  public static ObjectNode parse(byte[] body) {
    try {
      if (!isOne(body)) {
        throw new IllegalArgumentException("no envelope");
      }
      return envelope(new WireReader(ByteBuffer.wrap(body).position(MAGIC.length)));
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw StatusException.badRequest("the body of the request is no valid protobuf message");
    }
  }

  private static ObjectNode envelope(WireReader envelope) {
    String apiVersion = "";
    String kind = "";
    ByteBuffer raw = ByteBuffer.allocate(0);
    for (int field = envelope.next(); field != 0; field = envelope.next()) {
      if (field == 1) {
        WireReader type = envelope.message();
        for (int part = type.next(); part != 0; part = type.next()) {
          String text = type.text();
          apiVersion = part == 1 ? text : apiVersion;
          kind = part == 2 ? text : kind;
        }
      } else if (field == 2) {
        raw = envelope.bytes();
      } else {
        envelope.skip();
      }
    }
    ObjectNode object = Json.object().put("apiVersion", apiVersion).put("kind", kind);
    String message = message(apiVersion, kind);
    var fields = MessageFields.of(message);
    if (fields.isEmpty()) {
      throw StatusException.badRequest(
          "the embedded server can't read %s of %s in protobuf".formatted(kind, apiVersion));
    }
    read(new WireReader(raw), fields.get(), object);
    return object;
  }

  private static String message(String apiVersion, String kind) {
    if (kind.equals("DeleteOptions")) {
      return "apis.meta.v1.DeleteOptions";
    }
    String qualified = apiVersion.contains("/") ? apiVersion : "core/" + apiVersion;
    return qualified.replaceFirst("[./].*/|/", ".") + "." + kind;
  }

  private static ObjectNode object(String message, WireReader reader) {
    ObjectNode object = Json.object();
    read(reader, MessageFields.of(message).orElse(Map.of()), object);
    return object;
  }

  private static void read(
      WireReader reader, Map<Integer, MessageFields.Field> fields, ObjectNode object) {
    for (int number = reader.next(); number != 0; number = reader.next()) {
      MessageFields.Field field = fields.get(number);
      if (field == null) {
        reader.skip();
      } else if (field.map()) {
        entry(reader.message(), field, object.withObjectProperty(field.name()));
      } else if (field.name().isEmpty()) {
        object.setAll(object(field.type(), reader.message()));
      } else {
        JsonNode value = value(reader, field.type());
        if (field.repeated()) {
          object.withArrayProperty(field.name()).add(value);
        } else if (value != null && !(field.omitted() && isZero(value))) {
          object.set(field.name(), value);
        }
      }
    }
  }

  private static void entry(WireReader entry, MessageFields.Field field, ObjectNode map) {
    String key = "";
    JsonNode value = TextNode.valueOf("");
    for (int part = entry.next(); part != 0; part = entry.next()) {
      if (part == 1) {
        key = entry.text();
      } else {
        value = value(entry, field.type());
      }
    }
    map.set(key, value);
  }

  private static boolean isZero(JsonNode value) {
    return (value.isTextual() && value.asText().isEmpty())
        || (value.isNumber() && value.asLong() == 0)
        || (value.isBoolean() && !value.asBoolean())
        || (value instanceof ArrayNode && value.isEmpty());
  }

  /**
   * Reads the value of a field. Returns null if the value is a time or embedded JSON, and is not
   * set.
   */
  private static @Nullable JsonNode value(WireReader reader, String type) {
    return switch (type) {
      case "string" -> TextNode.valueOf(reader.text());
      case "bool" -> BooleanNode.valueOf(reader.integer() != 0);
      case "int32", "int64" -> LongNode.valueOf(reader.integer());
      case "bytes" -> TextNode.valueOf(Base64.getEncoder().encodeToString(array(reader.bytes())));
      case "api.resource.Quantity" -> object(type, reader.message()).path("string");
      case "util.intstr.IntOrString" -> textOrNumber(object(type, reader.message()));
      case "apis.meta.v1.Time", "apis.meta.v1.MicroTime" -> time(object(type, reader.message()));
      case "runtime.RawExtension", "apis.meta.v1.FieldsV1" -> json(reader.message());
      default -> {
        ObjectNode message = object(type, reader.message());
        yield type.endsWith(".ExtraValue") ? message.path("items") : message;
      }
    };
  }

  private static byte[] array(ByteBuffer bytes) {
    byte[] array = new byte[bytes.remaining()];
    bytes.get(array);
    return array;
  }

  private static JsonNode textOrNumber(ObjectNode message) {
    boolean text = message.path("type").asInt() == 1;
    return text
        ? TextNode.valueOf(message.path("strVal").asText())
        : LongNode.valueOf(message.path("intVal").asLong());
  }

  private static @Nullable JsonNode time(ObjectNode time) {
    return time.isEmpty()
        ? null
        : TextNode.valueOf(
            Instant.ofEpochSecond(time.path("seconds").asLong(), time.path("nanos").asLong())
                .toString());
  }

  private static @Nullable JsonNode json(WireReader wrapper) {
    JsonNode json = null;
    for (int field = wrapper.next(); field != 0; field = wrapper.next()) {
      json = Json.parse(array(wrapper.bytes()));
    }
    return json;
  }
}
