// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.keys;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.RecordingSink;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.testing.core.Threads;
import dev.windlass.testsupport.Eventually;
import dev.windlass.workqueue.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class RequestGateTest {

  private static final Request FOO = Request.of("foo");

  private final RecordingSink sink = new RecordingSink();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final Threads threads = new Threads();

  /** One in which a request stays until it is released. */
  private final PrioritySink slow =
      (request, priority) -> {
        entered.countDown();
        Eventually.await(release);
        sink.add(request, priority);
      };

  @AfterEach
  void leavesNoThreadBehind() throws InterruptedException {
    release.countDown();
    threads.assertEnded();
  }

  @Test
  void letsRequestsThroughUntilItIsClosed() {
    RequestGate gate = new RequestGate(sink);
    gate.add(FOO, Priority.LOW);
    assertThat(gate.isOpen()).isTrue();
    gate.close();
    gate.close();
    gate.add(FOO, Priority.LOW);
    gate.add(FOO);
    assertThat(gate.isOpen()).isFalse();
    assertThat(sink.keys()).containsExactly("foo");
  }

  private Thread close(RequestGate gate) {
    Thread closing = threads.start(gate::close);
    Eventually.that(() -> assertThat(closing.getState()).isEqualTo(Thread.State.WAITING));
    return closing;
  }

  /** Else a request could arrive behind the back of whoever closed it. */
  @Test
  void waitsForWhoIsOnTheWayWhenItIsClosed() throws Exception {
    RequestGate gate = new RequestGate(slow);
    threads.start(() -> gate.add(FOO, Priority.LOW));
    entered.await();
    Thread closing = close(gate);
    gate.add(FOO, Priority.LOW);
    release.countDown(); // whoever leaves wakes it: nothing else does
    closing.join(20_000);
    assertThat(closing.isAlive()).isFalse();
    assertThat(sink.keys()).containsExactly("foo");
  }

  @Test
  void goesOnWaitingWhenItsCallerIsInterrupted() throws Exception {
    RequestGate gate = new RequestGate(slow);
    threads.start(() -> gate.add(FOO, Priority.LOW));
    entered.await();
    Thread closing = close(gate);
    closing.interrupt();
    Eventually.that(() -> assertThat(closing.isInterrupted()).isFalse());
    Eventually.that(() -> assertThat(closing.getState()).isEqualTo(Thread.State.WAITING));
    release.countDown();
    closing.join(20_000);
    assertThat(closing.isAlive()).isFalse();
    assertThat(sink.keys()).containsExactly("foo");
  }

  @Test
  void waitsForNobodyWhenItIsShut() throws Exception {
    RequestGate gate = new RequestGate(slow);
    threads.start(() -> gate.add(FOO, Priority.LOW));
    entered.await();
    gate.shut();
    assertThat(gate.isOpen()).isFalse();
    assertThat(sink.keys()).isEmpty();
  }

  /** The listener of a queue hears of the request on its way, and may be slow. */
  @Test
  void holdsNoLockWhileARequestPasses() throws Exception {
    RequestGate gate = new RequestGate(slow);
    threads.start(() -> gate.add(FOO, Priority.LOW));
    entered.await();
    FutureTask<Boolean> other = new FutureTask<>(gate::isOpen);
    threads.start(other);
    assertThat(other.get(20, TimeUnit.SECONDS)).isTrue();
  }

  /** It can't wait for itself. */
  @Test
  void mayBeClosedByWhoIsOnTheWay() {
    List<RequestGate> self = new ArrayList<>();
    RequestGate gate =
        new RequestGate(
            (request, priority) -> {
              self.get(0).close();
              sink.add(request, priority);
            });
    self.add(gate);
    gate.add(FOO);
    gate.add(FOO);
    assertThat(sink.keys()).containsExactly("foo");
  }

  /** A sink that fails is still one from which the way leads back. */
  @Test
  void isLeftByWhatFails() {
    RequestGate gate =
        new RequestGate((request, priority) -> raise(new IllegalStateException("test")));
    threads.start(
        () -> {
          try {
            gate.add(FOO);
          } catch (IllegalStateException e) {
            sink.add(FOO);
          }
        });
    Eventually.that(() -> assertThat(sink.keys()).hasSize(1));
    gate.close();
  }

  @Test
  void isAsOpenAsWhatLiesBehindIt() {
    RequestGate behind = new RequestGate(sink);
    RequestGate gate = new RequestGate(behind);
    assertThat(gate.isOpen()).isTrue();
    behind.shut();
    assertThat(gate.isOpen()).isFalse();
  }
}
