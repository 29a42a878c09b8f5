// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/**
 * Makes {@link CachedObject}s out of JSON in one pass over its bytes.
 *
 * <p>The pass reads the machine's fields and notes where the rest stands, of which {@link
 * CompactJson} copies what the {@link Projection} keeps. Only a {@link Transform} has the JSON made
 * into a tree.
 *
 * <p>Immutable and thread safe.
 *
 * @param <T> the typed class of the objects
 */
public final class ObjectDecoder<T> {

  private final ObjectCodec<T> codec;
  private final Transform transform;

  /** A decoder for the objects of the codec's type. */
  public ObjectDecoder(ObjectCodec<T> codec) {
    this(codec, Transform.NONE);
  }

  /** A decoder that changes each object before it is cached. */
  public ObjectDecoder(ObjectCodec<T> codec, Transform transform) {
    this.codec = codec;
    this.transform = transform;
  }

  /** The codec of the type. */
  public ObjectCodec<T> codec() {
    return codec;
  }

  /**
   * Reads one object. If its content is nested too deep to be decoded, or the transform fails on
   * it, the metadata alone is kept.
   *
   * @param buffer holds the object's JSON and is not kept
   * @throws MalformedObjectException if that is not the JSON of a Kubernetes object
   */
  public CachedObject<T> decode(byte[] buffer, int offset, int length) {
    boolean full = codec.projection() == Projection.FULL;
    ObjectFields fields = new ObjectFields(buffer, offset, length, full);
    if (fields.tooDeep && codec.projection() != Projection.METADATA) {
      return metadataOf(fields, buffer, NotKept.TOO_DEEP);
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
          after.applied = fields.applied; // dropped before the transform
          byte[] kept = CompactJson.of(after, changed, false);
          return new CachedObject<>(codec, after, kept, null);
        }
      } catch (MalformedObjectException e) {
        // It took away the name: as bad as if it had thrown.
      }
    }
    return metadataOf(fields, buffer, NotKept.TRANSFORM_FAILED);
  }

  /** An object whose content can't be kept is there all the same: its key and version are known. */
  private CachedObject<T> metadataOf(ObjectFields fields, byte[] buffer, NotKept why) {
    codec.notKept(fields.key(), why);
    return new CachedObject<>(codec, fields, CompactJson.of(fields, buffer, true), why);
  }
}
