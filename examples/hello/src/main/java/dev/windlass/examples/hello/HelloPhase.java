// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How far a Hello is. The phases of a Pod have the same names. */
enum HelloPhase {
  /** There is no Pod yet. Not written when a Hello is new, as that is what an empty phase means. */
  PENDING("Pending"),
  /** There is a Pod, and it has not ended. */
  RUNNING("Running"),
  /** The Pod has printed everything. */
  SUCCEEDED("Succeeded"),
  /** The Pod has failed, and there will be another one. */
  FAILED("Failed");

  private final String text;

  HelloPhase(String text) {
    this.text = text;
  }

  /** The phase with this name, if there is one; that of a Hello without any is pending. */
  static Optional<HelloPhase> of(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return Optional.of(PENDING);
    }
    return Arrays.stream(values()).filter(phase -> phase.text.equals(text)).findFirst();
  }

  /** As it stands in a status. */
  @Override
  public String toString() {
    return text;
  }
}
