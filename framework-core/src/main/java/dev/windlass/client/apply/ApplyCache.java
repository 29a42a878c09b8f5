// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.AppliedEntry;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.object.patch.StoredForm;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Detects applies that would have no effect. For each of the {@value #REMEMBERED} most recently
 * used targets, the cache stores a hash of the last configuration that was applied, and a hash of
 * the resulting values. This class is thread-safe.
 *
 * <p>An apply has no effect if the object contains all values in the configuration and the applier
 * owns exactly the fields in the configuration. The applier's ownership is unchanged if its entry
 * in {@code managedFields} is the same as after the last apply of the same configuration. If
 * another manager changes the value of a field, the server removes the field from this entry. The
 * entry does not contain fields of other managers, such as a status, so changes to these fields do
 * not affect the comparison.
 *
 * <p>The entry does not contain values, and another process can apply as the same manager. If the
 * resourceVersion has changed, the cache therefore compares values as well. An apply can then be
 * skipped only in one of two cases. In the first case, the fields in the configuration still have
 * the values that resulted from the last apply; lists are compared as a whole. In the second case,
 * the entry shows no later write by the manager, and the object contains everything in the
 * configuration. The object can then also contain elements that other managers have added to shared
 * lists.
 *
 * <p>If there is no entry, the cache compares only the values. This is the case on a server that
 * does not keep {@code managedFields}.
 */
public final class ApplyCache {

  /** The maximum number of applies that are stored. They then occupy about 25 MB of memory. */
  public static final int REMEMBERED = 100_000;

  /**
   * The object, the subresource and the field owner of an apply. The {@code force} parameter is not
   * part of the target, because it does not matter for an apply that has no effect.
   */
  public record Target(ResourceType type, ObjectKey key, String subresource, String owner) {}

  /**
   * The last apply of an object.
   *
   * @param configuration the hash of the configuration that was sent
   * @param values the hash of the values that the configuration's fields had afterwards; null if
   *     the object did not contain all of these fields
   * @param version a resourceVersion at which the object had these values
   * @param seen whether it is known which entry the applier had at that resourceVersion
   * @param entry the applier's entry
   */
  private record Applied(
      UUID configuration,
      @Nullable UUID values,
      String version,
      boolean seen,
      Optional<AppliedEntry> entry) {

    Applied seen(String inVersion, Optional<AppliedEntry> now) {
      return new Applied(configuration, values, inVersion, true, now);
    }
  }

  private final KubernetesSerialization json;
  private final AppliedFields fields;

  @GuardedBy("this")
  private final Map<Target, Applied> last =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Target, Applied> eldest) {
          return size() > REMEMBERED;
        }
      };

  public ApplyCache(KubernetesSerialization json) {
    this.json = json;
    this.fields = new AppliedFields(json);
  }

  /**
   * Returns the decoded object if the given configuration was the last one applied and applying it
   * again would have no effect.
   *
   * @param state the object, as returned by a read
   * @throws dev.windlass.object.UndecodableException if the comparison requires content that cannot
   *     be decoded
   * @throws dev.windlass.object.NotCachedException if the comparison requires content that is not
   *     cached
   */
  public <T extends HasMetadata> Optional<T> unchanged(
      Target target, String configuration, CachedObject<T> state) {
    return sameAs(target, withoutUid(configuration, state.uid()), state);
  }

  private <T extends HasMetadata> Optional<T> sameAs(
      Target target, String configuration, CachedObject<T> state) {
    Applied applied = last(target);
    Optional<AppliedEntry> entry = state.appliedBy(target.owner(), target.subresource());
    if (applied == null) {
      return ofAnotherProcess(target, configuration, state, entry);
    }
    String version = state.resourceVersion();
    boolean sameVersion = applied.version().equals(version);
    if (!applied.configuration().equals(hash(configuration))
        || (!sameVersion && !ownsTheSame(applied, entry))) {
      return Optional.empty();
    }
    T object = state.decode();
    if (!sameVersion && !hasTheSame(applied, entry, target, configuration, object)) {
      return Optional.empty();
    }
    remember(target, applied.seen(version, entry));
    return Optional.of(object);
  }

  /**
   * Returns the decoded object if an earlier process applied this configuration and the apply would
   * have no effect now. In this case, this method also records the configuration as the last one
   * applied. {@link #unchanged} calls this method if this process has not applied to the target
   * yet.
   */
  private <T extends HasMetadata> Optional<T> ofAnotherProcess(
      Target target, String configuration, CachedObject<T> state, Optional<AppliedEntry> entry) {
    Optional<Map<?, ?>> tree =
        entry.flatMap(owned -> fields.tree(owned, target.type().apiVersion()));
    if (tree.isEmpty()) {
      return Optional.empty();
    }
    Map<?, ?> named = named(target, configuration);
    T object = state.decode();
    Map<?, ?> all = tree(target, object);
    if (!fields.matches(tree.get(), form(target, object).ofConfiguration(named), all)) {
      return Optional.empty();
    }
    remember(
        target,
        new Applied(hash(configuration), values(named, all), state.resourceVersion(), true, entry));
    return Optional.of(object);
  }

  private static boolean ownsTheSame(Applied applied, Optional<AppliedEntry> now) {
    return applied.seen()
        && applied.entry().map(AppliedEntry::fields).equals(now.map(AppliedEntry::fields));
  }

  private boolean hasTheSame(
      Applied applied,
      Optional<AppliedEntry> entry,
      Target target,
      String configuration,
      HasMetadata object) {
    Map<?, ?> named = named(target, configuration);
    Map<?, ?> wanted = form(target, object).ofConfiguration(named);
    Map<?, ?> all = tree(target, object);
    return (entry.isPresent()
            && applied.entry().equals(entry)
            && AppliedValues.contains(wanted, all, !entry.get().sharesLists()))
        || (applied.values() != null && applied.values().equals(values(named, all)));
  }

  /**
   * Records an apply, or a creation by one.
   *
   * @param answer the object that the server returned for the apply
   * @param cached the cached object; ignored if its resourceVersion differs from that of {@code
   *     answer}
   */
  public <T extends HasMetadata> void applied(
      Target target, String configuration, T answer, Optional<CachedObject<T>> cached) {
    String sent = withoutUid(configuration, answer.getMetadata().getUid());
    String version = answer.getMetadata().getResourceVersion();
    Optional<CachedObject<T>> after =
        cached.filter(state -> state.resourceVersion().equals(version));
    Optional<AppliedEntry> entry =
        after.flatMap(state -> state.appliedBy(target.owner(), target.subresource()));
    Map<?, ?> named = named(target, sent);
    UUID values = values(named, tree(target, answer));
    remember(target, new Applied(hash(sent), values, version, after.isPresent(), entry));
  }

  /**
   * Returns the configuration without the object's uid. The configuration of a creation has no uid,
   * so an apply of the same object can be compared with the creation.
   */
  private static String withoutUid(String configuration, String uid) {
    String field = ",\"uid\":\"" + uid + '"';
    int at = configuration.indexOf(field);
    return at < 0
        ? configuration
        : configuration.substring(0, at) + configuration.substring(at + field.length());
  }

  /**
   * Returns an object as a tree that can be compared with a configuration. The types of its numbers
   * are the same as in a parsed configuration.
   */
  private Map<?, ?> tree(Target target, HasMetadata object) {
    return form(target, object).ofObject(json.unmarshal(json.asJson(object), Map.class));
  }

  private static StoredForm form(Target target, HasMetadata object) {
    return StoredForm.of(target.type(), object.getClass());
  }

  /** Returns the part of a configuration that the server uses for the target's subresource. */
  private Map<?, ?> named(Target target, String configuration) {
    Map<?, ?> all = json.unmarshal(configuration, Map.class);
    if (!target.subresource().equals("status")) {
      return all;
    }
    Map<Object, Object> status = new LinkedHashMap<>();
    status.put("status", all.get("status"));
    return status;
  }

  /** Returns whether this process has applied to the target, or skipped an apply to it. */
  public boolean isKnown(Target target) {
    return last(target) != null;
  }

  private synchronized @Nullable Applied last(Target target) {
    return last.get(target);
  }

  private synchronized void remember(Target target, Applied applied) {
    last.put(target, applied);
  }

  /**
   * Returns a hash of the values that the object has in the given fields. Returns null if the
   * object lacks one of these fields.
   */
  private @Nullable UUID values(Map<?, ?> named, Map<?, ?> object) {
    Map<Object, Object> found = new LinkedHashMap<>();
    return AppliedValues.take(named, object, found) ? hash(json.asJson(found)) : null;
  }

  private static UUID hash(String text) {
    ByteBuffer bytes = ByteBuffer.wrap(sha256(text));
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM provides SHA-256", e);
    }
  }
}
