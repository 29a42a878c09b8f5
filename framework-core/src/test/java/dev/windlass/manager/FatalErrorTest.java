// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeaderElector;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An OutOfMemoryError ends the manager; a StackOverflowError harms only its object. */
@Timeout(60)
final class FatalErrorTest extends LeaderHarness {

  enum Place {
    RECONCILER,
    PREDICATE,
    HANDLER,
    MAPPING,
    TICKER,
    TRANSFORM,
    INDEX,
    TIMER,
    ELECTOR
  }

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final AtomicInteger thrown = new AtomicInteger();
  private volatile @Nullable Place place;
  private volatile Error error = new AssertionError();

  private void pass(Place here) {
    if (here == place) {
      thrown.incrementAndGet();
      throw error;
    }
  }

  private Manager manager() {
    ManagerBuilder settings =
        settings(connection)
            .cacheTransform(tree -> pass(Place.TRANSFORM))
            .electors(
                (client, options, at, listener) ->
                    paced(
                        connection,
                        options,
                        new LeaderElector.Environment(
                            at.scheduler(), new OddClock(), at.threads(), at.random()),
                        listener));
    Manager manager = build(settings);
    ControllerBuilder.forType(
            Foo.class,
            event -> {
              pass(Place.PREDICATE);
              return true;
            })
        .watches(ServiceAccount.class, (event, sink) -> pass(Place.HANDLER))
        .watches(
            ConfigMap.class,
            EventHandler.mapping(
                map -> {
                  pass(Place.MAPPING);
                  return List.of();
                }))
        .watches(
            Source.ticker(
                Duration.ofSeconds(1),
                () -> {
                  pass(Place.TICKER);
                  return List.of();
                },
                manager.informerOptions()))
        .reconciler(
            (request, context) -> {
              seen.add(request.name());
              if (request.name().equals("bad")) {
                pass(Place.RECONCILER);
              }
              return Result.done();
            })
        .register(manager);
    manager
        .cache(Foo.class)
        .indexer()
        .addIndex(
            "odd",
            object -> {
              pass(Place.INDEX);
              return List.of();
            });
    return manager;
  }

  /** Fails while an elector renews its lease. */
  private final class OddClock extends Clock {
    @Override
    public Instant instant() {
      pass(Place.ELECTOR);
      return time.clock().instant();
    }

    @Override
    public ZoneId getZone() {
      return time.clock().getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return InstantSource.system().withZone(zone);
    }
  }

  private void startAndThrow(Manager manager, Place where, Error what) {
    server.put(Samples.json("Foo", "a"));
    eventually(() -> assertThat(seen).contains("a"));
    error = what;
    place = where;
    if (where == Place.TIMER) {
      manager.informerOptions().scheduler().schedule(() -> pass(Place.TIMER), Duration.ZERO);
    }
    server.put(Samples.json("Foo", "bad"));
    eventually(() -> assertThat(thrown).hasPositiveValue());
  }

  @ParameterizedTest
  @EnumSource
  void failsTheManagerAndLetsTheLeaseExpire(Place where) {
    Manager manager = manager();
    CompletableFuture<Boolean> run = inBackground(manager::run);
    Error fatal = new OutOfMemoryError("test");
    startAndThrow(manager, where, fatal);
    eventually(() -> assertThat(run).isCompletedExceptionally());
    assertThat(run)
        .failsWithin(Duration.ofSeconds(1))
        .withThrowableThat()
        .havingCause()
        .withMessage("a component failed: java.lang.OutOfMemoryError: test")
        .havingCause()
        .isSameAs(fatal);
    Fence fence = manager.leadership().orElseThrow().fence();
    if (where == Place.ELECTOR) { // nobody is left to close it before its deadline
      time.advance(LEASE.renewDeadline());
    }
    assertThat(fence.holds()).isFalse();
    assertThat(lease.holder())
        .as("not released")
        .isEqualTo(manager.leadership().orElseThrow().identity());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TIMER")
  void onlyTheObjectIsHarmedByAStackOverflow(Place where) {
    Manager manager = manager();
    manager.start();
    startAndThrow(manager, where, new StackOverflowError("test"));
    place = null;
    server.put(Samples.json("Foo", "b"));
    eventually(() -> assertThat(seen).contains("b"));
    assertThat(manager.failure()).isEmpty();
    assertThat(leads(manager)).isTrue();
  }
}
