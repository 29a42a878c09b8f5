// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import dev.windlass.logging.OneLine;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes object in the form in which the cache stores it. An instance holds the object's JSON
 * in {@linkplain CompactJson compact form}, and the fields that the framework uses.
 *
 * <p>Instances are immutable and can be shared. Reading the fields is cheap. {@link #decode()}
 * parses the JSON on each call and returns a new typed object, which the caller can modify.
 *
 * <p>Instances must be small, because a cache can contain a million of them. Fields that most
 * objects have are stored as numbers: a uid as two longs, and a version as one. Fields that few
 * objects have are stored in {@link Rare}. Repeated strings are shared.
 *
 * @param <T> the Java class of the objects
 */
public final class CachedObject<T> {

  private final ObjectCodec<T> codec;
  private final ObjectKey key;
  private final byte[] kept;
  private final Map<String, String> labels;
  private final List<OwnerRef> owners;
  private final @Nullable Rare rare;

  /** The upper half of the uid. Not used if {@code rare} contains the uid as a string. */
  private final long uidHigh;

  private final long uidLow;

  /** The {@code resourceVersion} as a number, or -1 if it is not a number. */
  private final long version;

  private final long generation;

  /**
   * The last result of {@link #readOnly()}. The garbage collector clears it when memory is short.
   */
  private volatile @Nullable SoftReference<T> shared;

  /**
   * The fields that few objects have.
   *
   * @param uid the uid, if it is not a UUID in canonical form; otherwise null
   * @param resourceVersion the version, if it is not a number in its usual form; otherwise null
   * @param deletionTimestamp the {@code metadata.deletionTimestamp}; null until deletion of the
   *     object is requested
   * @param notKept the reason why the content is not kept; null if it is kept
   * @param applied the {@link AppliedEntries}; null if there are none
   */
  record Rare(
      @Nullable String uid,
      @Nullable String resourceVersion,
      @Nullable String deletionTimestamp,
      ObjectDecoder.@Nullable MetadataOnlyReason notKept,
      @Nullable AppliedEntries applied) {

    static @Nullable Rare of(
        @Nullable String uid,
        @Nullable String resourceVersion,
        @Nullable String deletionTimestamp,
        ObjectDecoder.@Nullable MetadataOnlyReason notKept,
        @Nullable AppliedEntries applied) {
      return uid == null
              && resourceVersion == null
              && deletionTimestamp == null
              && notKept == null
              && applied == null
          ? null
          : new Rare(uid, resourceVersion, deletionTimestamp, notKept, applied);
    }
  }

  CachedObject(
      ObjectCodec<T> codec,
      ObjectFields fields,
      byte[] kept,
      ObjectDecoder.@Nullable MetadataOnlyReason notKept) {
    this.codec = codec;
    this.key = fields.key();
    this.kept = kept;
    this.labels = fields.labels;
    this.owners = fields.owners;
    this.generation = fields.generation;
    this.uidHigh = fields.uidHigh;
    this.uidLow = fields.uidLow;
    this.version = fields.version;
    this.rare =
        Rare.of(
            fields.uidText, fields.versionText, fields.deletionTimestamp, notKept, fields.applied);
  }

  private CachedObject(ObjectCodec<T> codec, CachedObject<?> same) {
    this.codec = codec;
    this.key = same.key;
    this.kept = same.kept;
    this.labels = same.labels;
    this.owners = same.owners;
    this.generation = same.generation;
    this.uidHigh = same.uidHigh;
    this.uidLow = same.uidLow;
    this.version = same.version;
    this.rare = same.rare;
  }

  /**
   * Returns this object with the given codec, so that it can be decoded into another class. The
   * codec must be for the same type.
   */
  @SuppressWarnings("unchecked") // equal codecs have the same class
  public <S> CachedObject<S> as(ObjectCodec<S> other) {
    return codec.equals(other) ? (CachedObject<S>) this : new CachedObject<>(other, this);
  }

  /** Returns the object's namespace and name. */
  public ObjectKey key() {
    return key;
  }

  /** Returns {@code metadata.uid}, or an empty string if it is missing. */
  public String uid() {
    String text = uidText();
    return text == null ? new UUID(uidHigh, uidLow).toString() : text;
  }

  /** Returns {@code metadata.resourceVersion}, or an empty string if it is missing. */
  public String resourceVersion() {
    String text = versionText();
    return text == null ? Long.toString(version) : text;
  }

  private @Nullable String versionText() {
    return rare == null ? null : rare.resourceVersion();
  }

  /**
   * Returns {@code metadata.resourceVersion} as a number, or -1 if it is not a number. A higher
   * number means a later version, even of another object of the same type.
   */
  public long version() {
    return version;
  }

  /** Returns {@code metadata.generation}, or 0 for types without a generation. */
  public long generation() {
    return generation;
  }

  /**
   * Returns {@code metadata.deletionTimestamp} as the server wrote it. The result is empty until
   * the deletion of the object has been requested.
   */
  public Optional<String> deletionTimestamp() {
    return rare == null ? Optional.empty() : Optional.ofNullable(rare.deletionTimestamp());
  }

  /** Returns {@code metadata.labels} as an unmodifiable map. */
  public Map<String, String> labels() {
    return labels;
  }

  /** Returns {@code metadata.ownerReferences} as an unmodifiable list. */
  public List<OwnerRef> owners() {
    return owners;
  }

  /** Returns the owner reference that is marked as the controller, or empty if there is none. */
  public Optional<OwnerRef> controllerOwner() {
    return owners().stream().filter(OwnerRef::controller).findFirst();
  }

  /**
   * Returns the {@code managedFields} entry for the server-side apply requests of a field manager,
   * or empty if there is none. The entry is available even if {@code managedFields} are not stored.
   *
   * @param subresource the subresource to which the manager applies; empty for the object itself
   */
  public Optional<AppliedEntry> appliedBy(String manager, String subresource) {
    return applied().flatMap(entries -> entries.appliedBy(manager, subresource));
  }

  private Optional<AppliedEntries> applied() {
    return rare == null ? Optional.empty() : Optional.ofNullable(rare.applied());
  }

  /** Returns the object's type. */
  public ResourceType type() {
    return codec.type();
  }

  /** Returns the number of bytes that this object's JSON occupies in the cache. */
  public int sizeInBytes() {
    return kept.length;
  }

  /**
   * Returns the JSON of this object. The fields can be in a different order than in the server's
   * response. Fields that the {@link Projection} omits are missing.
   */
  public byte[] json() {
    return CompactJson.expand(this, kept);
  }

  /**
   * Returns whether the cache contains the object's content in addition to its metadata. The
   * content is missing if the type is watched with {@link Projection#METADATA}, if a {@link
   * Transform} failed on this object, or if the object is nested too deeply.
   */
  public boolean hasContent() {
    return codec.projection() != Projection.METADATA && notKept() == null;
  }

  UndecodableException.Log undecodableLog() {
    return codec.undecodableLog();
  }

  private ObjectDecoder.@Nullable MetadataOnlyReason notKept() {
    return rare == null ? null : rare.notKept();
  }

  /**
   * Decodes this object into a new typed object, which the caller can modify. If this object cannot
   * be decoded, other objects of the type are not affected.
   *
   * @throws UndecodableException if the JSON cannot be decoded into the class, if it is nested more
   *     than 1,000 levels deep, or if a transform failed on this object
   * @throws NotCachedException if the type is watched with {@link Projection#METADATA}
   */
  public T decode() {
    if (codec.refusesMetadata()) {
      throw new NotCachedException(this);
    }
    ObjectDecoder.MetadataOnlyReason missing = notKept();
    if (missing != null) {
      throw new UndecodableException(this, missing.why);
    }
    return codec.decode(this, json());
  }

  /**
   * Returns a typed object that is decoded once and shared by all callers. Callers must not modify
   * it. Use this method in code that frequently reads many objects. The shared object occupies
   * additional memory until the garbage collector reclaims it.
   *
   * <p>If {@link ObjectCodec#detectMutations} is enabled, this method detects changes to the shared
   * object.
   *
   * @throws UndecodableException as {@link #decode()}
   * @throws NotCachedException as {@link #decode()}
   * @throws IllegalStateException if mutation detection is enabled and the shared object has been
   *     changed
   */
  public T readOnly() {
    SoftReference<T> last = shared;
    T known = last == null ? null : last.get();
    if (known != null) {
      codec.checkUnchanged(this, known);
      return known;
    }
    T decoded = decode();
    shared = new SoftReference<>(decoded);
    return decoded;
  }

  /**
   * Decodes only the metadata, such as labels, annotations, finalizers and owners. Each call
   * returns a new object. This method is cheaper than {@link #decode()}. It also succeeds for
   * objects whose content cannot be decoded.
   *
   * @throws UndecodableException if the metadata cannot be decoded into {@link ObjectMeta}
   */
  public ObjectMeta metadata() {
    return codec.decodeMetadata(this, json());
  }

  /**
   * Returns whether this is an older version of the given object. This is the case if both have the
   * same uid and this version has the lower resourceVersion. The result is false if a
   * resourceVersion is not a number.
   */
  public boolean isOlderThan(CachedObject<T> other) {
    return version >= 0 && other.version >= 0 && version < other.version && isSameObject(other);
  }

  /**
   * Returns whether both instances represent the same Kubernetes object, that is, whether they have
   * the same uid. An object that was deleted and created again has a different uid.
   */
  public boolean isSameObject(CachedObject<T> other) {
    return uidHigh == other.uidHigh
        && uidLow == other.uidLow
        && Objects.equals(uidText(), other.uidText());
  }

  private @Nullable String uidText() {
    return rare == null ? null : rare.uid();
  }

  /**
   * Returns whether both instances have the same uid, resourceVersion and content. Two instances
   * with the same resourceVersion have different content if the API server has begun to convert the
   * object to the watched API version in a different way.
   */
  public boolean isSameState(CachedObject<T> other) {
    return this == other
        || (version == other.version
            && isSameObject(other)
            && Objects.equals(versionText(), other.versionText())
            && labels.equals(other.labels)
            && Arrays.equals(kept, other.kept));
  }

  /**
   * Returns the kind, key and version. The result never contains the content, which may be secret.
   */
  @Override
  public String toString() {
    return type().kind() + " " + key + " (version " + OneLine.of(resourceVersion(), 64) + ")";
  }
}
