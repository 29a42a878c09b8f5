// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

/**
 * Thrown by each request of a killed {@link SimulatedProcess}, to terminate the code that is still
 * running. This class extends {@link Error} so that handlers for {@link Exception} do not catch it.
 */
public final class ProcessKilledError extends Error {
  private static final long serialVersionUID = 1L;

  ProcessKilledError(String process) {
    super("the simulated process '" + process + "' was killed", null, false, false);
  }
}
