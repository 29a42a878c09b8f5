// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testsupport.Eventually;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stop is bounded, whatever hangs. Covers docs/reliability.md, K2. */
@Timeout(60)
final class StopTest extends LeaderHarness {

  private final Manager manager = build(settings(connection));

  private static void waitStubbornly(CountDownLatch release) {
    Eventually.stuckUntil(() -> release.getCount() == 0);
  }

  /** The start is interrupted when half of the 22.5 s are over, and then stopped as any other. */
  @Test
  void interruptsAStartThatHangs() {
    add(manager, "hung", Phase.ALWAYS).onStart = () -> new CountDownLatch(1).await();
    CompletableFuture<Boolean> run = inBackground(manager::run);
    eventually(() -> assertThat(news).containsExactly("start hung"));
    CompletableFuture<Boolean> stop = inBackground(manager::stop);
    Duration half = Duration.ofMillis(11_250);
    Eventually.that(() -> assertThat(time.pending()).contains(half));
    time.advance(half.minusNanos(1));
    assertThat(stop).isNotDone();
    time.advance(Duration.ofNanos(1)); // and no further, or it had no time left to end in
    Eventually.that(() -> assertThat(stop).isDone());
    assertThat(stop.join()).isTrue();
    assertThat(news).containsExactly("start hung", "stop hung");
    assertThatThrownBy(() -> run.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("hung could not start");
  }

  /** One that takes no interrupt is left behind, and stopped when it returns after all. */
  @Test
  void leavesAStartBehindThatDoesNotReact() {
    CountDownLatch release = new CountDownLatch(1);
    add(manager, "early", Phase.HTTP);
    add(manager, "hung", Phase.ALWAYS).onStart = () -> waitStubbornly(release);
    add(manager, "late", Phase.LEADER);
    CompletableFuture<Boolean> run = inBackground(manager::run);
    eventually(() -> assertThat(news).contains("start hung"));
    long begun = time.nanoTime();
    CompletableFuture<Boolean> stop = inBackground(manager::stop);
    Eventually.that(
        () -> {
          time.advance(Duration.ofMillis(100));
          assertThat(stop).isDone();
        });
    assertThat(stop.join()).isFalse();
    assertThat(news).containsExactly("start early", "start hung", "stop early");
    assertThat(Duration.ofNanos(time.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(22));
    release.countDown();
    assertThatThrownBy(() -> run.get(20, TimeUnit.SECONDS))
        .hasMessageContaining("the manager was stopped while it started");
    assertThat(news).containsExactly("start early", "start hung", "stop early", "stop hung");
  }

  @Test
  void interruptsAStopThatHangs() {
    add(manager, "early", Phase.HTTP);
    add(manager, "hung", Phase.ALWAYS).onStop =
        limit -> {
          new CountDownLatch(1).await();
          return true;
        };
    manager.start();
    AtomicReference<@Nullable Boolean> flag = new AtomicReference<>();
    CompletableFuture<Boolean> stop =
        inBackground(
            () -> {
              boolean inTime = manager.stop();
              flag.set(Thread.currentThread().isInterrupted());
              return inTime;
            });
    Eventually.that(
        () -> {
          time.advance(Duration.ofMillis(100));
          assertThat(stop).isDone();
        });
    assertThat(stop.join()).isFalse();
    assertThat(news).endsWith("stop hung", "stop early");
    assertThat(flag.get()).as("the caller was not interrupted by anybody").isFalse();
  }

  /** None loses time by the end of another one; and what others stand on is not cancelled. */
  @Test
  void cancelsWhatActsBeforeItStopsTheFirst() {
    List<String> order = new CopyOnWriteArrayList<>();
    for (Phase phase : List.of(Phase.CACHES, Phase.ALWAYS, Phase.LEADER)) {
      Part part = add(manager, phase.name(), phase);
      part.onCancel = () -> order.add("cancel " + phase);
      part.onStop =
          limit -> {
            order.add("stop " + phase);
            return true;
          };
    }
    manager.start();
    eventually(() -> assertThat(news).contains("start LEADER"));
    CompletableFuture<Boolean> stop = inBackground(manager::stop);
    eventually(() -> assertThat(stop).isDone());
    assertThat(order)
        .containsExactly(
            "cancel LEADER", "cancel ALWAYS", "stop LEADER", "stop ALWAYS", "stop CACHES");
  }

  /** From a component while it starts, is cancelled or is stopped, and from two at once. */
  @Test
  void canBeAskedForFromAnywhere() throws Exception {
    add(manager, "part", Phase.LEADER).onCancel = manager::requestStop;
    add(manager, "nosy", Phase.LEADER).onStop =
        limit -> {
          assertThat(manager.stop()).isFalse();
          return true;
        };
    add(manager, "eager", Phase.LEADER).onStart =
        () ->
            new Thread(manager::stop).start(); // which waits for this start, and that is over soon
    CompletableFuture<Boolean> run = inBackground(manager::run);
    eventually(() -> assertThat(run).isDone());
    assertThat(run.get()).isTrue();
    assertThat(manager.stop()).isTrue();
    assertThat(lease.holder()).isEmpty();
  }

  /** While another thread stops everything and waits for this start. */
  @Test
  void doesNotWaitForAStopThatWaitsForTheCaller() throws Exception {
    CompletableFuture<Boolean> nested = new CompletableFuture<>();
    add(manager, "part", Phase.ALWAYS).onStart =
        () -> {
          CompletableFuture<Boolean> other = inBackground(manager::stop);
          Eventually.stuckUntil(() -> manager.isStopping());
          nested.complete(manager.stop());
          assertThat(other).isNotDone();
        };
    assertThatThrownBy(manager::start).hasMessageContaining("stopped while it started");
    assertThat(nested.get(20, TimeUnit.SECONDS)).isFalse();
    assertThat(manager.stop()).isTrue();
    assertThat(news).containsExactly("start part", "stop part");
  }

  /** By a leader's component, on the thread of its group. */
  @Test
  void canBeAskedForByAComponentThatStartsAsTheLeader() {
    add(manager, "part", Phase.LEADER).onStart = () -> assertThat(manager.stop()).isTrue();
    CompletableFuture<Boolean> run = inBackground(manager::run);
    eventually(() -> assertThat(run).isDone());
    assertThat(run.join()).isTrue();
    assertThat(news).containsExactly("warm part", "start part", "stop part");
    assertThat(lease.holder()).isEmpty();
  }

  /** Once all components that need no lease have started, this is an ordinary stop. */
  @Test
  void canBeAskedForByAComponentThatWarmsUp() {
    add(manager, "part", Phase.LEADER).onWarmUp = () -> assertThat(manager.stop()).isTrue();
    assertThat(manager.run()).isTrue();
    assertThat(news).containsExactly("warm part", "stop part");
    assertThat(lease.holder()).isEmpty();
  }

  @Test
  void leavesSignalsToWhoHandledThemBeforeTheRun() throws Exception {
    Class<?> type = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Method handle = type.getMethod("handle", type, handlerType);
    Object mine =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {handlerType},
            (proxy, method, arguments) -> null);
    Object signal = type.getConstructor(String.class).newInstance("TERM");
    Object before = handle.invoke(null, signal, mine);
    add(manager, "part", Phase.ALWAYS);
    CompletableFuture<Boolean> run = inBackground(manager::run);
    Eventually.that(() -> assertThat(news).containsExactly("start part"));
    type.getMethod("raise", type).invoke(null, signal);
    assertThat(run.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(handle.invoke(null, signal, before)).isSameAs(mine);
  }
}
