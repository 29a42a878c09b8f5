// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A source that does what the test says. */
final class FakeSource implements Source {

  private @Nullable PrioritySink sink;
  private final List<Request> early = new ArrayList<>();
  volatile boolean synced = true;
  volatile Optional<String> problem = Optional.empty();
  volatile boolean failsToStop;

  /** How often its start will fail. */
  int failures;

  /** Whether it can be warmed up. */
  volatile boolean warms;

  final AtomicInteger warm = new AtomicInteger();
  final AtomicInteger starts = new AtomicInteger();
  final AtomicInteger running = new AtomicInteger();

  /** At once, or as soon as it has been started. */
  synchronized void add(String name) {
    Request request = Request.of("default", name);
    PrioritySink started = sink;
    if (started == null) {
      early.add(request);
    } else {
      started.add(request);
    }
  }

  private synchronized void forget() {
    sink = null;
  }

  /** Is as the test says. */
  private abstract class Told implements Running {
    @Override
    public boolean hasSynced() {
      return synced;
    }

    @Override
    public Optional<String> problem() {
      return problem;
    }
  }

  @Override
  public Kind kind() {
    return warms ? Kind.REPLAYED : Kind.KEPT;
  }

  @Override
  public Running warmUp() {
    warm.incrementAndGet();
    return new Told() {
      @Override
      public void stop() {
        warm.decrementAndGet();
      }
    };
  }

  @Override
  public synchronized Running start(PrioritySink into) {
    if (failures > 0) {
      failures--;
      throw new IllegalStateException("the source can't start");
    }
    sink = into;
    early.forEach(into::add);
    early.clear();
    starts.incrementAndGet();
    running.incrementAndGet();
    return new Told() {
      @Override
      public void stop() {
        running.decrementAndGet();
        forget();
        if (failsToStop) {
          throw new IllegalStateException("the source can't stop");
        }
      }
    };
  }
}
