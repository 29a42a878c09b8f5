// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.leader.LeadershipLostException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.UncheckedIOException;

/** Distinguishes faults in the program from failures that can also occur in a correct program. */
public final class ProgramFaults {

  private ProgramFaults() {}

  /**
   * Returns whether an exception indicates a fault in the program, as a panic does in Go. This is
   * the case for every {@link Error} and for most unchecked exceptions. It is not the case for
   * exceptions that report failures of requests, leases or streams.
   */
  public static boolean isPanic(Throwable thrown) {
    return thrown instanceof Error
        || (thrown instanceof RuntimeException
            && !(thrown instanceof KubernetesClientException)
            && !(thrown instanceof LeadershipLostException)
            && !(thrown instanceof UncheckedIOException));
  }
}
