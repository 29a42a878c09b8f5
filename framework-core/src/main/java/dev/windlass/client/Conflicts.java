// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;

/**
 * Tells a conflict (409) from other failures: the API server refused a write because the object has
 * changed since it was read, or one that was to be created exists by now. A new attempt on how
 * things are now will do.
 */
public final class Conflicts {

  /** How deep causes are looked at: they may form a circle. */
  private static final int MAX_CAUSES = 20;

  private Conflicts() {}

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
