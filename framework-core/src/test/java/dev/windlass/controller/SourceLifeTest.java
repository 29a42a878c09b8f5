// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.testsupport.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sources that block, throw, and do not keep what they promise. */
@Timeout(60)
final class SourceLifeTest extends ControllerHarness {

  private final CountDownLatch entered = new CountDownLatch(1);
  private final List<PrioritySink> sinks = new CopyOnWriteArrayList<>();

  /** One whose methods do what the test says. */
  private class Unruly implements Source, Source.Running {
    @Override
    public Running start(PrioritySink sink) {
      sinks.add(sink);
      return this;
    }

    @Override
    public boolean hasSynced() {
      return true;
    }

    @Override
    public void stop() {}

    @Override
    public String toString() {
      return "the unruly source";
    }
  }

  private void awaitRelease() {
    entered.countDown();
    Eventually.stuckUntil(() -> release.getCount() == 0);
  }

  private void awaitEntered() {
    Eventually.that(() -> assertThat(entered.getCount()).isZero());
  }

  /** Otherwise the source would run twice, and stopping it once would stop it twice. */
  @Test
  void startsNoSourceAgainWhoseStartHasNotReturned() throws Exception {
    Source blocking =
        new Unruly() {
          @Override
          public Kind kind() {
            return Kind.WHILE_OWNED;
          }

          @Override
          public Running start(PrioritySink sink) {
            if (sinks.isEmpty()) {
              sinks.add(sink);
              awaitRelease();
            }
            return second.start(sink);
          }
        };
    controller = controller(List.of(first, blocking), 1, this::see, Thread::new);
    controller.start();
    awaitEntered();
    assertThat(controller.standDown(SHORT)).as("its reconciles have ended").isTrue();
    controller.start();
    assertThat(controller.isReady()).isFalse();
    assertThat(second.starts).hasValue(0);
    release.countDown();
    awaitReady();
    assertThat(second.starts).as("the late one, and the one that counts").hasValue(2);
    assertThat(second.running).hasValue(1);
    assertThat(controller.problem()).isEmpty();
  }

  /** A replica that stands by is not ready if one of its sources has a problem. */
  @Test
  void forgetsAStartThatFailsAfterItsTerm() throws Exception {
    Source failingLate =
        new Unruly() {
          @Override
          public Kind kind() {
            return Kind.WHILE_OWNED;
          }

          @Override
          public Running start(PrioritySink sink) {
            sinks.add(sink);
            awaitRelease();
            throw new IllegalStateException("too late");
          }
        };
    controller = controller(List.of(failingLate), 1, this::see, Thread::new);
    controller.start();
    awaitEntered();
    assertThat(controller.standDown(SHORT)).isTrue();
    release.countDown();
    for (Thread thread : threads) {
      if (thread.getName().startsWith("foo-source-")) {
        thread.join(LIMIT.toMillis());
      }
    }
    assertThat(controller.problem()).isEmpty();
  }

  /** Neither the stop nor the other sources wait for it; only its own next start does. */
  @Test
  void losesItsKeysInTimeThoughTheStopOfASourceDoesNotReturn() throws Exception {
    Source endless =
        new Unruly() {
          @Override
          public Kind kind() {
            return Kind.WHILE_OWNED;
          }

          @Override
          public void stop() {
            awaitRelease();
          }
        };
    controller = controller(List.of(endless, first), 1, this::see, Thread::new);
    startUntilReady();
    assertThat(controller.standDown(SHORT)).isTrue();
    assertThat(sinks.get(0).isOpen()).isFalse();
    controller.start();
    Eventually.that(
        () ->
            assertThat(controller.problem())
                .contains(
                    "the unruly source has not stopped since the last term; it can't start until"
                        + " it ends"));
    assertThat(controller.isReady()).isFalse();
    assertThat(sinks).hasSize(1);
    release.countDown();
    awaitReady();
    assertThat(sinks).hasSize(2);
    assertThat(controller.stop(LIMIT)).isTrue();
  }

  /** For want of a thread it is stopped at once. */
  @Test
  void stopsItsSourcesWithoutAThread() throws Exception {
    AtomicBoolean refuses = new AtomicBoolean();
    controller = controller(1, this::see, refusing(() -> refuses.get()));
    startUntilReady();
    refuses.set(true);
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(first.running.get() + second.running.get()).isZero();
  }

  /** A source that throws when queried is reported and does not hide the others. */
  @Test
  void namesASourceThatCantSayHowItIs() {
    AtomicBoolean bad = new AtomicBoolean(true);
    Source throwing =
        new Unruly() {
          @Override
          public boolean hasSynced() {
            if (bad.get()) {
              throw new IllegalStateException("no idea");
            }
            return true;
          }

          @Override
          public Optional<String> problem() {
            throw new IllegalStateException("don't ask");
          }
        };
    first.synced = false;
    first.problem = Optional.of("foos: 403");
    controller = controller(List.of(throwing, first), 1, this::see, Thread::new);
    controller.start();
    Eventually.that(
        () ->
            assertThat(controller.problem())
                .contains(
                    "the unruly source failed to report whether it has synced:"
                        + " java.lang.IllegalStateException: no idea; foos: 403"));
    bad.set(false);
    first.synced = true;
    first.problem = Optional.empty();
    awaitReady();
    assertThat(controller.problem())
        .contains(
            "the unruly source failed to report its state: java.lang.IllegalStateException: don't"
                + " ask");
  }

  /** Whatever a source of the user's own does with the sink that it was given. */
  @Test
  void letsNothingThroughOnceAHandleIsClosed() {
    startUntilReady();
    WatchHandle handle = controller.watch(new Unruly());
    Eventually.that(() -> assertThat(sinks).hasSize(1));
    assertThat(sinks.get(0).isOpen()).isTrue();
    handle.close();
    assertThat(sinks.get(0).isOpen()).isFalse();
    sinks.get(0).add(Request.of("late"));
    first.add("a");
    Eventually.that(() -> assertThat(seen).hasSize(1));
    assertThat(seen.remove().name()).isEqualTo("a");
  }

  /** The next run asks again for what may have been dropped. */
  @Test
  void tellsASourceWhenTheQueueTakesNothingMore() throws Exception {
    controller = controller(List.of(new Unruly()), 1, this::see, Thread::new);
    startUntilReady();
    assertThat(controller.stop(LIMIT)).isTrue();
    assertThat(sinks.get(0).isOpen()).isFalse();
  }

  @Test
  void refusesASourceThatIsThereAlready() throws Exception {
    Source source = new Unruly();
    WatchHandle handle = controller.watch(source);
    for (Source there : List.of(source, first)) {
      assertThatThrownBy(() -> controller.watch(there))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "controller foo already watches "
                  + there
                  + ": close the handle of the other watch first, or create another source");
    }
    handle.close();
    controller.watch(source);
    startUntilReady();
    Eventually.that(() -> assertThat(sinks).hasSize(1));
    assertThat(controller.stop(Duration.ofSeconds(20))).isTrue();
  }
}
