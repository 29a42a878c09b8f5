// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

/**
 * Thrown by each request of a {@link SimulatedProcess} that was killed, so that the code in
 * progress ends. This class is an {@link Error}, because programs handle exceptions, and a killed
 * process must not handle them.
 */
public final class ProcessKilledError extends Error {
  private static final long serialVersionUID = 1L;

  ProcessKilledError(String process) {
    super("the simulated process '" + process + "' was killed", null, false, false);
  }
}
