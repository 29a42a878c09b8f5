// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.ListParams;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.core.Foo;
import dev.windlass.testsupport.Eventually;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A ticker that finds by an index of the cache what it asks for, as that of the Tenants does. */
@Timeout(60)
final class ReadyTickerTest extends BuilderHarness {

  private static final Duration TEN = Duration.ofSeconds(10);
  private static final int ALL = 1_000;

  private Collection<Request> ready() {
    return manager.client().list(Foo.class, ListParams.ALL.withIndex("ready", "True")).stream()
        .map(foo -> new Request(ObjectKey.of(foo)))
        .toList();
  }

  /** A tick that comes before the last one has ended is left out. */
  private static void awaitTickerRests() {
    Eventually.that(
        () ->
            assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("ticker-" + TEN))
                .singleElement()
                .matches(thread -> thread.getState() == Thread.State.WAITING));
  }

  private void putFoos() {
    for (int i = 0; i < ALL; i++) {
      server("Foo")
          .put(
              """
              {"metadata":{"namespace":"default","name":"o%d","labels":{"ready":"%s"}}}"""
                  .formatted(i, i % 400 == 0 ? "True" : "False"));
    }
    manager
        .cache(Foo.class)
        .indexer()
        .addIndex("ready", foo -> List.of(foo.labels().getOrDefault("ready", "Unknown")));
  }

  /** No server could be asked: what is read is what is cached, and cached once. */
  @Test
  void readsFromTheCacheOfTheController() throws Exception {
    putFoos();
    start(ofFoo());
    next(ALL);
    assertThat(ready()).extracting(Request::name).containsExactlyInAnyOrder("o0", "o400", "o800");
    assertThat(manager.informers().informers()).hasSize(1);
    Eventually.that(() -> assertThat(server("Foo").watches()).hasSize(1));
  }

  @Test
  void reconcilesSixTimesAMinuteWhatIsReadyAndNothingElse() throws Exception {
    putFoos();
    AtomicBoolean ready = new AtomicBoolean(); // virtual time passes while the sources sync
    AtomicInteger ticks = new AtomicInteger();
    AtomicLong first = new AtomicLong(Long.MAX_VALUE);
    Source ticker =
        Source.ticker(
            TEN,
            () -> {
              first.accumulateAndGet(time.nanoTime(), Math::min);
              if (!ready.get()) {
                return List.of();
              }
              ticks.incrementAndGet();
              return ready();
            },
            manager.informerOptions());
    long begin = time.nanoTime();
    start(ofFoo().watches(ticker));
    next(ALL);
    awaitTickerRests();
    ready.set(true);
    for (int tick = 1; tick <= 6; tick++) {
      awaitTickerRests();
      time.advance(TEN);
      assertThat(next(3)).containsExactlyInAnyOrder("default/o0", "default/o400", "default/o800");
      assertThat(ticks).hasValue(tick);
    }
    assertThat(first.get() - begin).as("none at the start").isGreaterThanOrEqualTo(TEN.toNanos());
    assertThat(reconciled).isEmpty();
  }
}
