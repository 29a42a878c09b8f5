// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link CachedObject}s out of JSON in one pass over its tokens.
 *
 * <p>The pass reads the machine's fields and notes where {@code metadata.managedFields} stands; the
 * bytes are then copied without it. It holds a third of a typical object and nobody reads it. Items
 * of built-in lists come without {@code kind} and {@code apiVersion}: these are put in front.
 *
 * <p>Immutable and thread safe.
 *
 * @param <T> the typed class of the objects
 */
public final class ObjectDecoder<T> {

  /** UTF-8 only: of other encodings it would report characters where bytes are cut. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .build();

  private final ObjectCodec<T> codec;
  private final byte[] typeFields;

  /** A decoder for the objects of the codec's type. */
  public ObjectDecoder(ObjectCodec<T> codec) {
    this.codec = codec;
    ResourceType type = codec.type();
    this.typeFields =
        ("\"apiVersion\":\"" + type.apiVersion() + "\",\"kind\":\"" + type.kind() + "\",")
            .getBytes(StandardCharsets.UTF_8);
  }

  /** The codec of the type. */
  public ObjectCodec<T> codec() {
    return codec;
  }

  /**
   * Reads one object.
   *
   * @param buffer holds the object's JSON and is not kept
   * @throws MalformedObjectException if that is not the JSON of a Kubernetes object
   */
  public CachedObject<T> decode(byte[] buffer, int offset, int length) {
    Pass pass = new Pass();
    try (JsonParser parser = JSON.createParser(buffer, offset, length)) {
      pass.readObject(parser);
      if (parser.nextToken() != null) {
        throw new MalformedObjectException("more than one object where one belongs");
      }
    } catch (IOException | RuntimeException e) {
      if (e instanceof MalformedObjectException malformed) {
        throw malformed;
      }
      throw new MalformedObjectException(
          "not the JSON of a " + codec.type().kind() + ": " + e.getClass().getSimpleName());
    }
    return new CachedObject<>(codec, pass.metadata(), pass.keptBytes(buffer, offset, length));
  }

  /** What one pass finds. */
  private final class Pass {
    private String name = "";
    private String namespace = "";
    private String uid = "";
    private String resourceVersion = "";
    private long generation;
    private @Nullable String deletionTimestamp;
    private Map<String, String> labels = Map.of();
    private List<OwnerRef> owners = List.of();
    private boolean hasKind;

    /** Where the name of the field managedFields begins and its value ends; -1 if it is absent. */
    private int cutFrom = -1;

    private int cutTo = -1;

    void readObject(JsonParser parser) throws IOException {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedObjectException("not a JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        if (field.equals("metadata") && value == JsonToken.START_OBJECT) {
          readMetadata(parser);
        } else {
          hasKind |= field.equals("kind");
          parser.skipChildren();
        }
      }
    }

    private void readMetadata(JsonParser parser) throws IOException {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        long fieldStart = parser.currentTokenLocation().getByteOffset();
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        switch (field) {
          case "name" -> name = text(parser);
          case "namespace" -> namespace = text(parser);
          case "uid" -> uid = text(parser);
          case "resourceVersion" -> resourceVersion = text(parser);
          case "generation" -> generation = parser.getValueAsLong();
          case "deletionTimestamp" -> deletionTimestamp = parser.getValueAsString();
          case "labels" -> labels = readLabels(parser);
          case "ownerReferences" -> owners = readOwners(parser);
          case "managedFields" -> {
            parser.skipChildren();
            if (value == JsonToken.START_ARRAY) {
              cutFrom = (int) fieldStart;
              cutTo = (int) parser.currentLocation().getByteOffset();
            }
          }
          default -> parser.skipChildren();
        }
      }
    }

    private Map<String, String> readLabels(JsonParser parser) throws IOException {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        parser.skipChildren();
        return Map.of();
      }
      Map<String, String> found = new HashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String label = parser.currentName();
        parser.nextToken();
        found.put(label, text(parser));
      }
      return Map.copyOf(found);
    }

    private List<OwnerRef> readOwners(JsonParser parser) throws IOException {
      List<OwnerRef> found = new ArrayList<>(1);
      if (parser.currentToken() == JsonToken.START_ARRAY) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          found.add(readOwner(parser));
        }
      } else {
        parser.skipChildren();
      }
      return List.copyOf(found);
    }

    private OwnerRef readOwner(JsonParser parser) throws IOException {
      Map<String, String> fields = new HashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        parser.nextToken();
        fields.put(field, text(parser));
      }
      return new OwnerRef(
          fields.getOrDefault("apiVersion", ""),
          fields.getOrDefault("kind", ""),
          fields.getOrDefault("name", ""),
          fields.getOrDefault("uid", ""),
          Boolean.parseBoolean(fields.get("controller")));
    }

    /** The text of a scalar; empty for null and for anything nested, which is skipped. */
    private String text(JsonParser parser) throws IOException {
      parser.skipChildren();
      String value = parser.getValueAsString();
      return value == null ? "" : value;
    }

    CachedObject.Metadata metadata() {
      if (name.isEmpty()) {
        throw new MalformedObjectException("a " + codec.type().kind() + " without metadata.name");
      }
      ObjectKey key;
      try {
        key = new ObjectKey(namespace, name);
      } catch (IllegalArgumentException e) {
        throw new MalformedObjectException(
            "a " + codec.type().kind() + " whose name or namespace contains a slash");
      }
      return new CachedObject.Metadata(
          key, uid, resourceVersion, generation, deletionTimestamp, labels, owners);
    }

    /** The object's bytes without managedFields and with its kind. */
    byte[] keptBytes(byte[] buffer, int offset, int length) {
      int from = cutFrom < 0 ? length : cutFrom;
      int to = cutFrom < 0 ? length : cutTo;
      if (cutFrom >= 0) {
        int next = skipSpace(buffer, offset + to) - offset;
        if (buffer[offset + next] == ',') {
          to = next + 1;
        } else {
          from = previousComma(buffer, offset, from);
        }
      }
      int start = skipSpace(buffer, offset) - offset + 1; // behind the opening brace
      byte[] added = hasKind ? new byte[0] : typeFields;
      byte[] kept = new byte[1 + added.length + (from - start) + (length - to)];
      kept[0] = '{';
      System.arraycopy(added, 0, kept, 1, added.length);
      System.arraycopy(buffer, offset + start, kept, 1 + added.length, from - start);
      System.arraycopy(buffer, offset + to, kept, 1 + added.length + from - start, length - to);
      return kept;
    }

    private int skipSpace(byte[] buffer, int from) {
      int at = from;
      while (buffer[at] == ' ' || buffer[at] == '\n' || buffer[at] == '\r' || buffer[at] == '\t') {
        at++;
      }
      return at;
    }

    /** Where the comma before a field stands, or the field itself if it is the first one. */
    private int previousComma(byte[] buffer, int offset, int field) {
      int at = field - 1;
      while (buffer[offset + at] != ',' && buffer[offset + at] != '{') {
        at--;
      }
      return buffer[offset + at] == ',' ? at : field;
    }
  }
}
