// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import java.util.Optional;

/**
 * The current and the previous content of the files: a handshake that began before a change ends
 * with the key that it began with. One thread at a time may replace the material; any may read it.
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

  /** Returns the generation of the material that is added next. */
  int next() {
    return current.generation() + 1;
  }

  void replace(TlsMaterial material) {
    previous = current;
    current = material;
  }

  /** Returns the material with this generation, if it is the current or the previous one. */
  Optional<TlsMaterial> numbered(int generation) {
    TlsMaterial newest = current;
    TlsMaterial older = previous;
    return newest.generation() == generation
        ? Optional.of(newest)
        : older.generation() == generation ? Optional.of(older) : Optional.empty();
  }
}
