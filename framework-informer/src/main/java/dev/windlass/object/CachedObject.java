// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object as the cache holds it: its JSON, and beside that the fields on which the machine acts.
 *
 * <p>Immutable and safe to share. The accessors cost nothing; {@link #decode()} parses the whole
 * JSON each time and hands out a fresh typed object, which the caller owns and may change.
 *
 * @param <T> the typed class
 */
public final class CachedObject<T> {

  private final ObjectCodec<T> codec;
  private final Metadata metadata;
  private final byte[] json;

  /** {@code resourceVersion} as a number; -1 if it is none. */
  private final long version;

  CachedObject(ObjectCodec<T> codec, Metadata metadata, byte[] json) {
    this.codec = codec;
    this.metadata = metadata;
    this.json = json;
    this.version = parseVersion(metadata.resourceVersion());
  }

  /** The fields that the machine needs, as parsed. */
  record Metadata(
      ObjectKey key,
      String uid,
      String resourceVersion,
      long generation,
      @Nullable String deletionTimestamp,
      Map<String, String> labels,
      List<OwnerRef> owners) {}

  /** Namespace and name. */
  public ObjectKey key() {
    return metadata.key();
  }

  /** {@code metadata.uid}; empty if the object has none. */
  public String uid() {
    return metadata.uid();
  }

  /** {@code metadata.resourceVersion}; empty if the object has none. */
  public String resourceVersion() {
    return metadata.resourceVersion();
  }

  /** {@code metadata.generation}; 0 for types that have none. */
  public long generation() {
    return metadata.generation();
  }

  /** When the object is to go, as the server wrote it; empty while nobody asked to delete it. */
  public Optional<String> deletionTimestamp() {
    return Optional.ofNullable(metadata.deletionTimestamp());
  }

  /** {@code metadata.labels}; unmodifiable. */
  public Map<String, String> labels() {
    return metadata.labels();
  }

  /** {@code metadata.ownerReferences}; unmodifiable. */
  public List<OwnerRef> owners() {
    return metadata.owners();
  }

  /** The owner that is marked as the controller, if there is one. */
  public Optional<OwnerRef> controllerOwner() {
    return owners().stream().filter(OwnerRef::controller).findFirst();
  }

  /** The type of the object. */
  public ResourceType type() {
    return codec.type();
  }

  /** How many bytes of JSON the cache holds for this object. */
  public int sizeInBytes() {
    return json.length;
  }

  /**
   * A fresh typed object, which belongs to the caller.
   *
   * @throws UndecodableException if the JSON does not fit the class; other objects of the type are
   *     not affected
   */
  public T decode() {
    return codec.decode(this, json);
  }

  /**
   * Whether this state is certainly older than the other: the same object (by uid), with a lower
   * resourceVersion. States whose versions are no numbers are never called older.
   */
  public boolean isOlderThan(CachedObject<T> other) {
    return version >= 0 && other.version >= 0 && version < other.version && isSameObject(other);
  }

  /** Whether both are states of one object, not of two that had the same name in succession. */
  public boolean isSameObject(CachedObject<T> other) {
    return uid().equals(other.uid());
  }

  /** Whether both are the same state of the same object. */
  public boolean isSameVersion(CachedObject<T> other) {
    return isSameObject(other) && resourceVersion().equals(other.resourceVersion());
  }

  private static long parseVersion(String text) {
    try {
      return text.isEmpty() ? -1 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1; // an opaque version: accepted in the order of arrival
    }
  }

  /** Kind, key and version; never the content, which may be secret. */
  @Override
  public String toString() {
    return type().kind() + " " + key() + " (version " + resourceVersion() + ")";
  }
}
