// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.failure.CauseChain;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Recognises conflicts (409) and retries after them. In a conflict, the API server rejects a write
 * because the object has changed since it was read, or because an object to be created already
 * exists. A new attempt that starts from the current state can succeed.
 */
public final class Conflicts {

  /** The number of tries that client-go makes ({@code retry.DefaultRetry}). */
  private static final int MAX_TRIES = 5;

  private Conflicts() {}

  /**
   * Changes an object that others change as well: reads it from the server, passes it to {@code
   * change}, and writes it. Starts again after each conflict, with {@value #MAX_TRIES} tries in
   * total. Intended for programs and hooks; a reconciler should fail instead, and the queue retries
   * it.
   *
   * @param client its {@link Client#uncached()} reads and writes
   * @param change receives a fresh copy each time
   * @return the object as it was written; empty if it does not exist
   * @throws ConflictException if the last try also fails with a conflict
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

  /** Returns whether this failure is a conflict, or was caused by one. */
  public static boolean isConflict(Throwable failure) {
    return CauseChain.of(failure)
        .anyMatch(
            cause ->
                cause instanceof KubernetesClientException e
                    && e.getCode() == HttpURLConnection.HTTP_CONFLICT);
  }
}
