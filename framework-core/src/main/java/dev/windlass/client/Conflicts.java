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
 * Recognises conflicts (409) and retries operations that fail with one. The API server reports a
 * conflict if a write is based on an outdated state of the object, or if an object to be created
 * already exists. A retry that is based on the current state can succeed.
 */
public final class Conflicts {

  /** The maximum number of attempts, as in client-go ({@code retry.DefaultRetry}). */
  private static final int MAX_TRIES = 5;

  private Conflicts() {}

  /**
   * Changes an object and retries after conflicts with other writers. Each attempt reads the object
   * from the server, passes it to {@code change}, and writes the result with {@link Client#update},
   * which keeps fields that the class does not declare. There are up to {@value #MAX_TRIES}
   * attempts. Use this method only outside reconcilers. In a reconciler, let the exception
   * propagate; the queue then retries the reconcile.
   *
   * @param client the client; its {@link Client#uncached()} variant reads and writes the object
   * @param change a function that modifies the object; it receives a newly read object in each
   *     attempt
   * @return the object as stored by the server, or empty if the object does not exist
   * @throws ConflictException if the last attempt also fails with a conflict
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

  /** Returns whether the given failure, or one of its causes, is a conflict. */
  public static boolean isConflict(Throwable failure) {
    return CauseChain.of(failure)
        .anyMatch(
            cause ->
                cause instanceof KubernetesClientException e
                    && e.getCode() == HttpURLConnection.HTTP_CONFLICT);
  }
}
