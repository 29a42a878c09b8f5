// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import dev.windlass.json.JsonLimits;

/**
 * Decodes JSON into {@link CachedObject}s in one pass over the bytes.
 *
 * <p>The pass reads the fields that the framework uses and records the positions of the other
 * fields. {@link CompactJson} then copies the fields that the {@link Projection} includes. The JSON
 * is parsed into a tree only if there is a {@link Transform}.
 *
 * <p>Instances are immutable and thread-safe.
 *
 * @param <T> the Java class of the objects
 */
public final class ObjectDecoder<T> {

  /**
   * The reason why the cache keeps only the metadata of one object, although it keeps the content
   * of other objects.
   */
  enum MetadataOnlyReason {
    /** A {@link Transform} threw an exception, or changed a field that identifies the object. */
    TRANSFORM_FAILED("a transform failed on it, so it was not kept"),

    /** The content has more levels than {@link JsonLimits} allows for decoding. */
    TOO_DEEP("its content is nested more than 1,000 levels deep, so it was not kept");

    /** The reason, as it appears in messages. */
    final String why;

    MetadataOnlyReason(String why) {
      this.why = why;
    }
  }

  private final ObjectCodec<T> codec;
  private final Transform transform;

  /** Creates a decoder for the objects of the codec's type. */
  public ObjectDecoder(ObjectCodec<T> codec) {
    this(codec, Transform.NONE);
  }

  /** Creates a decoder that transforms each object before it is cached. */
  public ObjectDecoder(ObjectCodec<T> codec, Transform transform) {
    this.codec = codec;
    this.transform = transform;
  }

  boolean keepsContent() {
    return transform == Transform.NONE && codec.projection() != Projection.METADATA;
  }

  /** Returns the codec of the type. */
  public ObjectCodec<T> codec() {
    return codec;
  }

  /**
   * Decodes one object. If the object is nested too deeply or the transform fails, the result
   * contains only the metadata.
   *
   * @param buffer the array that contains the object's JSON; it is not retained
   * @throws MalformedObjectException if the bytes are not the JSON of a Kubernetes object
   */
  public CachedObject<T> decode(byte[] buffer, int offset, int length) {
    boolean full = codec.projection() == Projection.FULL;
    return decode(new ObjectFields(buffer, offset, length, full), buffer);
  }

  /** Decodes a parsed object, like {@link #decode(byte[], int, int)}. */
  public CachedObject<T> decode(ParsedObject object) {
    return codec.projection() == Projection.FULL // which keeps the managedFields
        ? decode(object.json, 0, object.json.length)
        : decode(object.fields, object.json);
  }

  private CachedObject<T> decode(ObjectFields fields, byte[] buffer) {
    if (fields.tooDeep && codec.projection() != Projection.METADATA) {
      return metadataOf(fields, buffer, MetadataOnlyReason.TOO_DEEP);
    }
    byte[] kept = CompactJson.of(fields, buffer, codec.projection() == Projection.METADATA);
    CachedObject<T> object = new CachedObject<>(codec, fields, kept, null);
    return transform == Transform.NONE ? object : transformed(object, fields, buffer);
  }

  private CachedObject<T> transformed(CachedObject<T> object, ObjectFields fields, byte[] buffer) {
    byte[] changed = codec.transform(object.json(), transform);
    if (changed != null) {
      try {
        ObjectFields after = new ObjectFields(changed, 0, changed.length, true);
        if (after.isSameStateAs(fields)) {
          after.applied = fields.applied; // managedFields were dropped before the transform
          byte[] kept = CompactJson.of(after, changed, false);
          return new CachedObject<>(codec, after, kept, null);
        }
      } catch (MalformedObjectException e) {
        // The transform removed the name, which counts as a failure.
      }
    }
    return metadataOf(fields, buffer, MetadataOnlyReason.TRANSFORM_FAILED);
  }

  /** Creates an object that has only its metadata, because its content could not be kept. */
  private CachedObject<T> metadataOf(ObjectFields fields, byte[] buffer, MetadataOnlyReason why) {
    codec.notKept(fields.key(), why);
    return new CachedObject<>(codec, fields, CompactJson.of(fields, buffer, true), why);
  }
}
