// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The phases of a Hello. They have the same names as the corresponding phases of a Pod. */
enum HelloPhase {
  /**
   * No Pod exists yet. The operator does not write this phase for a new Hello, because an empty
   * phase has the same meaning.
   */
  PENDING("Pending"),
  /** The Pod exists and has not finished. */
  RUNNING("Running"),
  /** The Pod has printed all lines. */
  SUCCEEDED("Succeeded"),
  /** The Pod has failed and will be replaced. */
  FAILED("Failed");

  private final String text;

  HelloPhase(String text) {
    this.text = text;
  }

  /**
   * Returns the phase with the given name, or an empty result if there is none. A null or empty
   * name means {@link #PENDING}.
   */
  static Optional<HelloPhase> of(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return Optional.of(PENDING);
    }
    return Arrays.stream(values()).filter(phase -> phase.text.equals(text)).findFirst();
  }

  /** Returns the name of this phase, as stored in the status of a Hello. */
  @Override
  public String toString() {
    return text;
  }
}
