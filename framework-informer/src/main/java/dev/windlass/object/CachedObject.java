// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.lang.ref.SoftReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An object as the cache holds it: its JSON in {@linkplain CompactJson compact form}, and beside
 * that the fields on which the machine acts.
 *
 * <p>Immutable and safe to share. The accessors cost nothing or little; {@link #decode()} parses
 * the whole JSON each time and hands out a fresh typed object, which the caller owns and may
 * change.
 *
 * <p>There may be a million of these. So what most objects have stands in plain numbers (a uid is
 * two longs, a version one), what few have stands in {@link Rare}, and strings that repeat are
 * shared.
 *
 * @param <T> the typed class
 */
public final class CachedObject<T> {

  private final ObjectCodec<T> codec;
  private final ObjectKey key;
  private final byte[] kept;
  private final Map<String, String> labels;
  private final List<OwnerRef> owners;
  private final @Nullable Rare rare;

  /** The uid, unless {@code rare} has its text. */
  private final long uidHigh;

  private final long uidLow;

  /** {@code resourceVersion} as a number; -1 if it is none. */
  private final long version;

  private final long generation;

  /** What {@link #readOnly()} handed out last; the collector takes it when memory is short. */
  private volatile @Nullable SoftReference<T> shared;

  /**
   * What few objects have.
   *
   * @param uid that is no UUID in its canonical form; null if it is one
   * @param resourceVersion that is no number in its usual form; null if it is one
   * @param deletionTimestamp null while nobody asked to delete the object
   * @param notKept why the content is not kept; null if it is
   * @param applied the {@link AppliedEntries}; null if there are none
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Rare(
      @Nullable String uid,
      @Nullable String resourceVersion,
      @Nullable String deletionTimestamp,
      @Nullable NotKept notKept,
      long @Nullable [] applied) {

    static @Nullable Rare of(
        @Nullable String uid,
        @Nullable String resourceVersion,
        @Nullable String deletionTimestamp,
        @Nullable NotKept notKept,
        long @Nullable [] applied) {
      return uid == null
              && resourceVersion == null
              && deletionTimestamp == null
              && notKept == null
              && applied == null
          ? null
          : new Rare(uid, resourceVersion, deletionTimestamp, notKept, applied);
    }
  }

  CachedObject(ObjectCodec<T> codec, ObjectFields fields, byte[] kept, @Nullable NotKept notKept) {
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

  /** The same state for readers of another class of the same type. */
  @SuppressWarnings("unchecked") // equal codecs have the same class
  public <S> CachedObject<S> as(ObjectCodec<S> other) {
    return codec.equals(other) ? (CachedObject<S>) this : new CachedObject<>(other, this);
  }

  /** Namespace and name. */
  public ObjectKey key() {
    return key;
  }

  /** {@code metadata.uid}; empty if the object has none. */
  public String uid() {
    String text = uidText();
    return text == null ? new UUID(uidHigh, uidLow).toString() : text;
  }

  /** {@code metadata.resourceVersion}; empty if the object has none. */
  public String resourceVersion() {
    String text = versionText();
    return text == null ? Long.toString(version) : text;
  }

  private @Nullable String versionText() {
    return rare == null ? null : rare.resourceVersion();
  }

  /**
   * {@code metadata.resourceVersion} as a number, by which the versions of one type are ordered; -1
   * if it is no number.
   */
  public long version() {
    return version;
  }

  /** {@code metadata.generation}; 0 for types that have none. */
  public long generation() {
    return generation;
  }

  /** When the object is to go, as the server wrote it; empty while nobody asked to delete it. */
  public Optional<String> deletionTimestamp() {
    return rare == null ? Optional.empty() : Optional.ofNullable(rare.deletionTimestamp());
  }

  /** {@code metadata.labels}; unmodifiable. */
  public Map<String, String> labels() {
    return labels;
  }

  /** {@code metadata.ownerReferences}; unmodifiable. */
  public List<OwnerRef> owners() {
    return owners;
  }

  /** The owner that is marked as the controller, if there is one. */
  public Optional<OwnerRef> controllerOwner() {
    return owners().stream().filter(OwnerRef::controller).findFirst();
  }

  /**
   * What the server noted about the applies of a manager; empty if it owns nothing by apply. Known
   * even if the managedFields themselves are not kept.
   *
   * @param subresource through which it applies; empty for the object itself
   */
  public Optional<AppliedEntry> appliedBy(String manager, String subresource) {
    return rare == null
        ? Optional.empty()
        : AppliedEntries.find(rare.applied(), manager, subresource);
  }

  /** The type of the object. */
  public ResourceType type() {
    return codec.type();
  }

  /** How many bytes the cache holds of this object's JSON. */
  public int sizeInBytes() {
    return kept.length;
  }

  /**
   * The JSON of what is cached, afresh. The fields stand in another order than the server sent them
   * in; what the {@link Projection} leaves out is missing.
   */
  public byte[] json() {
    return CompactJson.expand(this, kept);
  }

  /**
   * Whether the content is here, or the metadata only: because the type is watched with {@link
   * Projection#METADATA}, or because the content of this object could not be kept: a {@link
   * Transform} failed on it, or it is nested too deep.
   */
  public boolean hasContent() {
    return codec.projection() != Projection.METADATA && notKept() == null;
  }

  private @Nullable NotKept notKept() {
    return rare == null ? null : rare.notKept();
  }

  /**
   * A fresh typed object, which belongs to the caller.
   *
   * @throws UndecodableException if the JSON does not fit the class, is nested more than 1,000
   *     levels deep, or a transform failed on it; other objects of the type are not affected
   * @throws NotCachedException if the type is watched with {@link Projection#METADATA}
   */
  public T decode() {
    if (codec.refusesMetadata()) {
      throw new NotCachedException(this);
    }
    NotKept missing = notKept();
    if (missing != null) {
      throw new UndecodableException(this, missing.why);
    }
    return codec.decode(this, json());
  }

  /**
   * The typed object, decoded once and shared by all who ask: nobody may change it. For readers who
   * look at many objects often; it costs the memory that the cache otherwise saves, until the
   * collector needs it.
   *
   * <p>While {@link ObjectCodec#detectMutations} is on, it notices when somebody did change it.
   *
   * @throws UndecodableException as {@link #decode()}
   * @throws NotCachedException as {@link #decode()}
   * @throws IllegalStateException if somebody changed the shared object, and that is looked for
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
   * The metadata alone, afresh: labels, annotations, finalizers, owners. Cheaper than {@link
   * #decode()}, and there for every object, whatever its content is like.
   *
   * @throws UndecodableException if the metadata is not what every object's is
   */
  public ObjectMeta metadata() {
    return codec.decodeMetadata(this, json());
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
    return uidHigh == other.uidHigh
        && uidLow == other.uidLow
        && Objects.equals(uidText(), other.uidText());
  }

  private @Nullable String uidText() {
    return rare == null ? null : rare.uid();
  }

  /** Whether both are the same state of the same object. */
  public boolean isSameVersion(CachedObject<T> other) {
    return isSameObject(other)
        && version == other.version
        && Objects.equals(versionText(), other.versionText());
  }

  /** Kind, key and version; never the content, which may be secret. */
  @Override
  public String toString() {
    return type().kind() + " " + key + " (version " + OneLine.of(resourceVersion(), 64) + ")";
  }
}
