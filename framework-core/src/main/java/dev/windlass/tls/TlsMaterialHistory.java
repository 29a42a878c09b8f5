// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import java.util.Optional;

/**
 * The current and the previous {@link TlsMaterial}. A handshake that began before a change can
 * finish with the key with which it began. Only one thread at a time may replace the material. Any
 * thread can read it.
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

  /** Returns the generation number for the next material. */
  int next() {
    return current.generation() + 1;
  }

  void replace(TlsMaterial material) {
    previous = current;
    current = material;
  }

  /**
   * Returns the material with this generation. The result is empty unless it is the current or the
   * previous material.
   */
  Optional<TlsMaterial> numbered(int generation) {
    TlsMaterial newest = current;
    TlsMaterial older = previous;
    return newest.generation() == generation
        ? Optional.of(newest)
        : older.generation() == generation ? Optional.of(older) : Optional.empty();
  }
}
