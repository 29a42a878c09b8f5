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
 * An object in the form in which the cache stores it: its JSON in {@linkplain CompactJson compact
 * form}, and the fields that the framework uses.
 *
 * <p>Instances are immutable and can be shared. The accessors are cheap. {@link #decode()} parses
 * the whole JSON each time and returns a new typed object, which the caller can modify.
 *
 * <p>A cache can contain a million instances. For this reason, fields that most objects have are
 * stored as plain numbers (a uid as two longs, a version as one), fields that few objects have are
 * stored in {@link Rare}, and repeated strings are shared.
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

  /** The uid, unless {@code rare} contains it as a string. */
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
      @Nullable MetadataOnlyReason notKept,
      @Nullable AppliedEntries applied) {

    static @Nullable Rare of(
        @Nullable String uid,
        @Nullable String resourceVersion,
        @Nullable String deletionTimestamp,
        @Nullable MetadataOnlyReason notKept,
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
      @Nullable MetadataOnlyReason notKept) {
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
   * Returns the same state with the given codec of the same type, so that it can be decoded into
   * another class.
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
   * Returns {@code metadata.resourceVersion} as a number, which orders the versions of one type.
   * Returns -1 if the version is not a number.
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
   * deletion of the object is requested.
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

  /** Returns the owner reference that is marked as the controller, if there is one. */
  public Optional<OwnerRef> controllerOwner() {
    return owners().stream().filter(OwnerRef::controller).findFirst();
  }

  /**
   * Returns the {@code managedFields} entry for the server-side applies of a field manager, or
   * empty if the manager does not own fields through an apply. The entry is available even if
   * managedFields are not kept.
   *
   * @param subresource the subresource through which the manager applies; empty for the object
   *     itself
   */
  public Optional<AppliedEntry> appliedBy(String manager, String subresource) {
    return applied().flatMap(entries -> entries.appliedBy(manager, subresource));
  }

  /**
   * Returns the {@code managedFields} entry for the creation of the object by a field manager of
   * this process ({@link AppliedEntry#keepFields}), or empty if there is none. The entry is
   * available even if managedFields are not kept.
   *
   * @param manager the prefix of the manager's name, without the hyphen and the ten hexadecimal
   *     digits that follow it
   */
  public Optional<AppliedEntry> createdBy(String manager) {
    return applied().flatMap(entries -> entries.createdBy(manager));
  }

  private Optional<AppliedEntries> applied() {
    return rare == null ? Optional.empty() : Optional.ofNullable(rare.applied());
  }

  /** Returns the object's type. */
  public ResourceType type() {
    return codec.type();
  }

  /** Returns how many bytes of this object's JSON the cache stores. */
  public int sizeInBytes() {
    return kept.length;
  }

  /**
   * Returns the JSON of the cached part of the object. The order of the fields differs from the
   * order in which the server sent them, and fields that the {@link Projection} omits are missing.
   */
  public byte[] json() {
    return CompactJson.expand(this, kept);
  }

  /**
   * Returns whether the cache contains the content, rather than only the metadata. The content is
   * missing if the type is watched with {@link Projection#METADATA}, if a {@link Transform} failed
   * on this object, or if the object is nested too deeply.
   */
  public boolean hasContent() {
    return codec.projection() != Projection.METADATA && notKept() == null;
  }

  private @Nullable MetadataOnlyReason notKept() {
    return rare == null ? null : rare.notKept();
  }

  /**
   * Decodes a new typed object, which the caller can modify.
   *
   * @throws UndecodableException if the JSON cannot be decoded into the class, if it is nested more
   *     than 1,000 levels deep, or if a transform failed on it; other objects of the type are not
   *     affected
   * @throws NotCachedException if the type is watched with {@link Projection#METADATA}
   */
  public T decode() {
    if (codec.refusesMetadata()) {
      throw new NotCachedException(this);
    }
    MetadataOnlyReason missing = notKept();
    if (missing != null) {
      throw new UndecodableException(this, missing.why);
    }
    return codec.decode(this, json());
  }

  /**
   * Returns the typed object, which is decoded once and shared by all callers. Callers must not
   * modify it. This method is intended for code that often reads many objects. Until the garbage
   * collector needs the memory, the shared object occupies the memory that the cache otherwise
   * saves.
   *
   * <p>While {@link ObjectCodec#detectMutations} is enabled, this method detects changes to the
   * shared object.
   *
   * @throws UndecodableException as {@link #decode()}
   * @throws NotCachedException as {@link #decode()}
   * @throws IllegalStateException if mutation detection is enabled and the shared object was
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
   * Decodes only the metadata: labels, annotations, finalizers, owners. Returns a new object each
   * time. This method is cheaper than {@link #decode()}, and available for every object, even if
   * its content cannot be decoded.
   *
   * @throws UndecodableException if the metadata cannot be decoded into {@link ObjectMeta}
   */
  public ObjectMeta metadata() {
    return codec.decodeMetadata(this, json());
  }

  /**
   * Returns whether this state is certainly older than the given state: both states belong to the
   * same object (by uid), and this state has a lower resourceVersion. The result is always false if
   * a version is not a number.
   */
  public boolean isOlderThan(CachedObject<T> other) {
    return version >= 0 && other.version >= 0 && version < other.version && isSameObject(other);
  }

  /**
   * Returns whether both states belong to the same object, identified by uid, rather than to two
   * successive objects with the same name.
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
   * Returns whether both states have the same resourceVersion, belong to the same object and have
   * the same content. The content can differ although the version is the same, if the API server
   * has begun to convert the object to the watched type version in a different way.
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
