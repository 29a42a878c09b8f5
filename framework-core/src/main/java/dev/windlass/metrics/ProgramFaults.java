// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.leader.LeadershipLostException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.UncheckedIOException;

/** Distinguishes faults of the program from failures that can also occur in a correct program. */
public final class ProgramFaults {

  private ProgramFaults() {}

  /**
   * Returns whether the exception corresponds to a panic in other languages. This holds for an
   * {@link Error} and for unchecked exceptions, except those by which clients, fences and streams
   * report failures that are not faults of the program.
   */
  public static boolean isPanic(Throwable thrown) {
    return thrown instanceof Error
        || (thrown instanceof RuntimeException
            && !(thrown instanceof KubernetesClientException)
            && !(thrown instanceof LeadershipLostException)
            && !(thrown instanceof UncheckedIOException));
  }
}
