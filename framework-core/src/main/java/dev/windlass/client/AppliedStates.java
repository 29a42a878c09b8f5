// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * What was applied last, as a hash, and the resourceVersion that it led to; of the {@value
 * #REMEMBERED} objects that were applied last. Thread safe.
 */
final class AppliedStates {

  /** Some 20 MB. */
  static final int REMEMBERED = 100_000;

  /** Who applies to what. */
  record Target(
      ResourceType type, ObjectKey key, String subresource, String owner, boolean force) {}

  private record Applied(UUID hash, String version) {}

  @GuardedBy("this")
  private final Map<Target, Applied> last =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Target, Applied> eldest) {
          return size() > REMEMBERED;
        }
      };

  /** Whether this was applied last, and led to the version. */
  synchronized boolean isLast(Target target, String configuration, String version) {
    Applied applied = last.get(target);
    return applied != null
        && applied.version().equals(version)
        && applied.hash().equals(hash(configuration));
  }

  /** This was applied, and the object has the version now. */
  synchronized void applied(Target target, String configuration, String version) {
    last.put(target, new Applied(hash(configuration), version));
  }

  private static UUID hash(String configuration) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(configuration.getBytes(StandardCharsets.UTF_8));
      ByteBuffer bytes = ByteBuffer.wrap(digest);
      return new UUID(bytes.getLong(), bytes.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
