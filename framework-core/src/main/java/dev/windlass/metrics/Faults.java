// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.leader.LeadershipLostException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.UncheckedIOException;

/** Tells faults of the program from what happens to a program without any. */
public final class Faults {

  private Faults() {}

  /**
   * Whether this is what other languages call a panic: an error, or an unchecked exception but
   * those by which clients, fences and streams tell what is no fault of the program.
   */
  public static boolean isPanic(Throwable thrown) {
    return thrown instanceof Error
        || (thrown instanceof RuntimeException
            && !(thrown instanceof KubernetesClientException)
            && !(thrown instanceof LeadershipLostException)
            && !(thrown instanceof UncheckedIOException));
  }
}
