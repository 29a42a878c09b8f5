// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.nio.charset.StandardCharsets;

/**
 * Makes {@link CachedObject}s out of JSON in one pass over its bytes.
 *
 * <p>The pass reads the machine's fields and notes where the parts stand that the {@link
 * Projection} keeps or cuts; these are then copied. Items of built-in lists come without {@code
 * kind} and {@code apiVersion}: these are put in front. Only a {@link Transform} has the JSON made
 * into a tree.
 *
 * <p>Immutable and thread safe.
 *
 * @param <T> the typed class of the objects
 */
public final class ObjectDecoder<T> {

  private final ObjectCodec<T> codec;
  private final Transform transform;
  private final byte[] typeFields;

  /** A decoder for the objects of the codec's type. */
  public ObjectDecoder(ObjectCodec<T> codec) {
    this(codec, Transform.NONE);
  }

  /** A decoder that changes each object before it is cached. */
  public ObjectDecoder(ObjectCodec<T> codec, Transform transform) {
    this.codec = codec;
    this.transform = transform;
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
    ObjectFields fields = new ObjectFields(buffer, offset, length);
    if (transform != Transform.NONE) {
      return transformed(fields, buffer, offset, length);
    }
    return new CachedObject<>(codec, fields, kept(fields, buffer, offset, length), false);
  }

  private CachedObject<T> transformed(ObjectFields fields, byte[] buffer, int offset, int length) {
    byte[] json = kept(fields, buffer, offset, length);
    byte[] changed = codec.transform(json, transform);
    if (changed != null) {
      try {
        ObjectFields after = new ObjectFields(changed, 0, changed.length);
        if (after.isSameStateAs(fields)) {
          return new CachedObject<>(codec, after, changed, false);
        }
      } catch (MalformedObjectException e) {
        // It took away the name: as bad as if it had thrown.
      }
    }
    codec.transformFailed(fields.key());
    return new CachedObject<>(codec, fields, metadataOf(fields, buffer), true);
  }

  private byte[] kept(ObjectFields fields, byte[] buffer, int offset, int length) {
    return switch (codec.projection()) {
      case METADATA -> metadataOf(fields, buffer);
      case STRIPPED -> without(fields, buffer, offset, length, fields.hasKind, true);
      case FULL -> without(fields, buffer, offset, length, fields.hasKind, false);
    };
  }

  /** An object of nothing but its type and its metadata. */
  private byte[] metadataOf(ObjectFields fields, byte[] buffer) {
    byte[] name = "\"metadata\":".getBytes(StandardCharsets.US_ASCII);
    int from = fields.metadataFrom;
    int to = fields.metadataTo;
    int[] cut = cut(fields, buffer, true, to);
    byte[] kept =
        new byte[1 + typeFields.length + name.length + (cut[0] - from) + (to - cut[1]) + 1];
    kept[0] = '{';
    int at = append(kept, 1, typeFields, 0, typeFields.length);
    at = append(kept, at, name, 0, name.length);
    at = append(kept, at, buffer, from, cut[0]);
    at = append(kept, at, buffer, cut[1], to);
    kept[at] = '}';
    return kept;
  }

  /** The object's bytes with its kind, and without managedFields if they are to be cut. */
  private byte[] without(
      ObjectFields fields, byte[] buffer, int offset, int length, boolean hasKind, boolean strip) {
    int end = offset + length;
    int start = skipSpace(buffer, offset) + 1; // behind the opening brace
    int[] cut = cut(fields, buffer, strip, end);
    int added = hasKind ? 0 : typeFields.length;
    byte[] kept = new byte[1 + added + (cut[0] - start) + (end - cut[1])];
    kept[0] = '{';
    int at = append(kept, 1, typeFields, 0, added);
    at = append(kept, at, buffer, start, cut[0]);
    append(kept, at, buffer, cut[1], end);
    return kept;
  }

  private static int append(byte[] target, int at, byte[] source, int from, int to) {
    System.arraycopy(source, from, target, at, to - from);
    return at + to - from;
  }

  /** From where to where managedFields is cut, with the one comma that goes with it. */
  private static int[] cut(ObjectFields fields, byte[] buffer, boolean strip, int end) {
    if (!strip || fields.managedFrom < 0) {
      return new int[] {end, end};
    }
    int next = skipSpace(buffer, fields.managedTo);
    return buffer[next] == ','
        ? new int[] {fields.managedFrom, next + 1}
        : new int[] {previousComma(buffer, fields.managedFrom), fields.managedTo};
  }

  private static int skipSpace(byte[] buffer, int from) {
    int at = from;
    while (buffer[at] == ' ' || buffer[at] == '\n' || buffer[at] == '\r' || buffer[at] == '\t') {
      at++;
    }
    return at;
  }

  /** Where the comma before a field stands, or the field itself if it is the first one. */
  private static int previousComma(byte[] buffer, int field) {
    int at = field - 1;
    while (buffer[at] != ',' && buffer[at] != '{') {
      at--;
    }
    return buffer[at] == ',' ? at : field;
  }
}
