// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What was applied last, and what it led to, as hashes; of the {@value #REMEMBERED} objects that
 * were applied last. Thread safe.
 *
 * <p>To apply the same again changes nothing as long as the object has what the first apply led to
 * in all the fields that are named: others own the rest, a status above all, and may change it as
 * often as they like. A list is compared as a whole, since only the server knows what of it is
 * whose.
 */
final class AppliedStates {

  /** Some 25 MB. */
  static final int REMEMBERED = 100_000;

  /** Who applies to what. */
  record Target(
      ResourceType type, ObjectKey key, String subresource, String owner, boolean force) {}

  /**
   * An apply.
   *
   * @param configuration what was sent
   * @param fields what the object had of that afterwards; null if it does not show all
   * @param version one in which it had
   */
  private record Applied(UUID configuration, @Nullable UUID fields, String version) {}

  private final KubernetesSerialization json;

  @GuardedBy("this")
  private final Map<Target, Applied> last =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Target, Applied> eldest) {
          return size() > REMEMBERED;
        }
      };

  AppliedStates(KubernetesSerialization json) {
    this.json = json;
  }

  /**
   * Whether this was applied last, and the object still has what that led to.
   *
   * @param version of the object
   * @param now the object, asked for only if it has changed
   */
  boolean isLast(
      Target target, String configuration, String version, Supplier<? extends HasMetadata> now) {
    Applied applied = last(target);
    if (applied == null || !applied.configuration().equals(hash(configuration))) {
      return false;
    }
    if (applied.version().equals(version)) {
      return true;
    }
    UUID fields = applied.fields();
    if (fields == null || !fields.equals(fields(configuration, now.get()))) {
      return false;
    }
    remember(target, new Applied(applied.configuration(), fields, version));
    return true;
  }

  /** This was applied, and the object is so now. */
  void applied(Target target, String configuration, HasMetadata now) {
    UUID fields = fields(configuration, now);
    String version = now.getMetadata().getResourceVersion();
    remember(target, new Applied(hash(configuration), fields, version));
  }

  private synchronized @Nullable Applied last(Target target) {
    return last.get(target);
  }

  private synchronized void remember(Target target, Applied applied) {
    last.put(target, applied);
  }

  /** Null if the object does not show a field that is named, as {@code stringData}. */
  private @Nullable UUID fields(String configuration, HasMetadata object) {
    Map<?, ?> named = json.unmarshal(configuration, Map.class);
    Map<?, ?> all = json.convertValue(object, Map.class);
    Map<Object, Object> found = new LinkedHashMap<>();
    return take(named, all, found)
        ? hash(object.getMetadata().getUid() + json.asJson(found))
        : null;
  }

  private static boolean take(Map<?, ?> named, Map<?, ?> object, Map<Object, Object> found) {
    boolean complete = true;
    for (Map.Entry<?, ?> field : named.entrySet()) {
      Object value = object.get(field.getKey());
      if (field.getValue() instanceof Map<?, ?> below && value instanceof Map<?, ?> map) {
        Map<Object, Object> taken = new LinkedHashMap<>();
        complete &= take(below, map, taken);
        found.put(field.getKey(), taken);
      } else {
        complete &= value != null || isEmpty(field.getValue());
        found.put(field.getKey(), value);
      }
    }
    return complete;
  }

  private static boolean isEmpty(@Nullable Object value) {
    return value == null
        || (value instanceof Map<?, ?> map && map.isEmpty())
        || (value instanceof List<?> list && list.isEmpty());
  }

  private static UUID hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      ByteBuffer bytes = ByteBuffer.wrap(digest);
      return new UUID(bytes.getLong(), bytes.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
