// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.informer.SharedInformerFactory;
import java.time.Duration;

/** The shared informers of a manager, as a component. */
final class Caches implements ManagedComponent {

  private final SharedInformerFactory informers;

  Caches(SharedInformerFactory informers) {
    this.informers = informers;
  }

  @Override
  public Phase phase() {
    return Phase.CACHES;
  }

  @Override
  public void start() {
    informers.start();
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    return informers.shutDown(limit);
  }

  @Override
  public String toString() {
    return "caches";
  }
}
