// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells a conflict (409) from other failures: the API server refused a write because the object has
 * changed since it was read, or one that was to be created exists by now. A new attempt on how
 * things are now will do.
 */
public final class Conflicts {

  /** How deep causes are looked at: they may form a circle. */
  private static final int MAX_CAUSES = 20;

  /** As often as client-go tries ({@code retry.DefaultRetry}). */
  private static final int MAX_TRIES = 5;

  private Conflicts() {}

  /**
   * Changes an object that others change, too: reads it from the server, lets it be changed, and
   * writes it; once more from the start after each conflict, {@value #MAX_TRIES} times in all.
   * Meant for programs and hooks; a reconciler fails, and is called again by its queue.
   *
   * @param client whose {@link Client#uncached()} reads and writes
   * @param change is given a fresh copy each time
   * @return the object as it was written; empty if there is none to change
   * @throws ConflictException if the last try met one, too
   */
  public static <T extends HasMetadata> Optional<T> retry(
      Client client, Class<T> type, ObjectKey key, Consumer<T> change) {
    Client live = client.uncached();
    for (int tries = 1; ; tries++) {
      Optional<T> current = live.get(type, key);
      if (current.isEmpty()) {
        return current;
      }
      change.accept(current.get());
      try {
        return Optional.of(live.update(current.get()));
      } catch (ConflictException e) {
        if (tries == MAX_TRIES) {
          throw e;
        }
      }
    }
  }

  /** Whether this failure is a conflict, or was caused by one. */
  public static boolean isConflict(Throwable failure) {
    @Nullable Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof KubernetesClientException e
          && e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
