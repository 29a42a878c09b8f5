// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import java.util.ArrayList;
import java.util.List;

/** The broken promises of one run. */
final class Violations {

  private final List<String> found = new ArrayList<>();

  void check(boolean kept, String violation) {
    if (!kept) {
      found.add(violation);
    }
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  List<String> found() {
    return List.copyOf(found);
  }
}
