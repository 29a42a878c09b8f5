// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import java.util.Optional;

/**
 * The current and the previous {@link TlsMaterial}. The previous material allows handshakes in
 * progress to finish with the key that they have already chosen. Only one thread at a time may
 * replace the material. Any thread can read it.
 */
final class TlsMaterialHistory {

  private volatile TlsMaterial current;
  private volatile TlsMaterial previous;

  TlsMaterialHistory(TlsMaterial first) {
    current = first;
    previous = first;
  }

  TlsMaterial current() {
    return current;
  }

  int next() {
    return current.generation() + 1;
  }

  void replace(TlsMaterial material) {
    previous = current;
    current = material;
  }

  /**
   * Returns the material with the given generation number. The result is empty if this is neither
   * the current nor the previous material.
   */
  Optional<TlsMaterial> numbered(int generation) {
    TlsMaterial newest = current;
    TlsMaterial older = previous;
    return newest.generation() == generation
        ? Optional.of(newest)
        : older.generation() == generation ? Optional.of(older) : Optional.empty();
  }
}
