// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A source that does what the test says. */
final class FakeSource implements Source {

  private volatile PrioritySink sink = (request, priority) -> {};
  volatile boolean synced = true;
  volatile Optional<String> trouble = Optional.empty();
  volatile boolean failsToStop;
  final AtomicInteger starts = new AtomicInteger();
  final AtomicInteger running = new AtomicInteger();

  void add(String name) {
    sink.add(Request.of("default", name));
  }

  @Override
  public Running start(PrioritySink into) {
    sink = into;
    starts.incrementAndGet();
    running.incrementAndGet();
    return new Running() {
      @Override
      public boolean hasSynced() {
        return synced;
      }

      @Override
      public Optional<String> trouble() {
        return trouble;
      }

      @Override
      public void stop() {
        running.decrementAndGet();
        if (failsToStop) {
          throw new IllegalStateException("the source can't stop");
        }
      }
    };
  }
}
