// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import io.fabric8.kubernetes.api.model.ConfigMap;

/** A FIFO that is full soon, for tests of the whole chain. */
public final class SmallFifo {

  private SmallFifo() {}

  public static DeltaFifo<ConfigMap> of(int bound) {
    return new DeltaFifo<>(() -> {}, () -> 0, bound);
  }
}
