// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.leader.LeadershipLostException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.UncheckedIOException;

/** Distinguishes faults in the program from failures that can also occur in a correct program. */
public final class ProgramFaults {

  private ProgramFaults() {}

  /**
   * Returns whether an exception corresponds to a panic in Go, that is, whether it indicates a
   * fault in the program. This is the case for an {@link Error} and for unchecked exceptions,
   * except the exceptions with which clients, fences and streams report other failures.
   */
  public static boolean isPanic(Throwable thrown) {
    return thrown instanceof Error
        || (thrown instanceof RuntimeException
            && !(thrown instanceof KubernetesClientException)
            && !(thrown instanceof LeadershipLostException)
            && !(thrown instanceof UncheckedIOException));
  }
}
