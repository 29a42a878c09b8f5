// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.RunningReconcile;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Page;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A leader that is alive while its workers are stuck (docs/reliability.md, H7). */
@Timeout(120)
final class WedgedLeaderTest extends LeaderHarness {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final CountDownLatch released = new CountDownLatch(1);

  @AfterEach
  void release() {
    released.countDown();
  }

  private Manager wedged(OnWedged reaction) {
    Manager manager =
        build(
            settings(connection)
                .healthProbeBindAddress("127.0.0.1:0")
                .wedgedWorkers(LIMIT, reaction));
    Controller controller =
        ControllerBuilder.forType(Foo.class)
            .reconcileTimeout(TIMEOUT)
            .reconciler(
                (request, context) -> {
                  waitStubbornly();
                  return Result.done();
                })
            .register(manager);
    server.put(Samples.json("Foo", "a"));
    manager.start();
    eventually(() -> assertThat(controller.running()).hasSize(1));
    eventually(() -> assertThat(controller.running()).allMatch(RunningReconcile::stuck));
    return manager;
  }

  private void waitStubbornly() {
    Eventually.stuckUntil(() -> released.getCount() == 0);
  }

  private static String livez(Manager manager) {
    return Page.get(manager.endpoints().probePort().orElseThrow(), "/livez?verbose").body();
  }

  @Test
  void turnsRedAndGoesOn() throws Exception {
    Manager manager = wedged(OnWedged.REPORT);
    assertThat(livez(manager)).contains("[+]controller-foo ok");
    long blocked = time.nanoTime();
    eventually(
        () -> assertThat(time.nanoTime() - blocked).isGreaterThan(LIMIT.minus(TIMEOUT).toNanos()));
    eventually(
        () ->
            assertThat(livez(manager))
                .contains("[-]controller-foo failed: all 1 workers of controller foo are blocked"));
    assertThat(leads(manager)).isTrue();
    assertThat(manager.failure()).isEmpty();
    released.countDown();
    eventually(() -> assertThat(livez(manager)).contains("[+]controller-foo ok"));
  }

  @Test
  void givesUpToLeadIfItIsToldTo() {
    Manager manager = wedged(OnWedged.GIVE_UP_LEADERSHIP);
    eventually(() -> assertThat(manager.failure()).isPresent());
    assertThat(manager.failure().orElseThrow())
        .hasMessageStartingWith(
            "controller foo is abandoned: all 1 workers of controller foo are blocked: ");
    eventually(() -> assertThat(leads(manager)).isFalse());
    assertThat(manager.leadership().orElseThrow().fence().holds()).isFalse();
    assertThat(lease.holder()).as("it expires").isNotEmpty();
  }
}
