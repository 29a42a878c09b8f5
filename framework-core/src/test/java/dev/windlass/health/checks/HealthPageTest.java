// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.health.HealthCheck;
import dev.windlass.health.HealthCheck.Kind;
import dev.windlass.httpserver.PageReply;
import dev.windlass.httpserver.PageRequest;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HealthPageTest {

  private static final Map<String, List<String>> NONE = Map.of();
  private static final Map<String, List<String>> VERBOSE = Map.of("verbose", List.of(""));

  @AutoClose private final Logs logs = Logs.of(Health.class);
  private final ManualScheduler time = new ManualScheduler();
  private final Health health = new Health(time, Thread::new);
  private final HealthPage page = new HealthPage(health, Kind.READY, "/readyz");
  private final CountDownLatch released = new CountDownLatch(1);

  @AfterEach
  void close() {
    released.countDown();
    health.close();
  }

  private PageReply get(String path, Map<String, List<String>> query) {
    try {
      return page.answer(new PageRequest(path, query, Optional.empty()));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void saysOkIfAllChecksPass() {
    health.add(Kind.READY, "database", () -> {});
    assertThat(get("/readyz", NONE)).isEqualTo(PageReply.text(200, "ok\n"));
    assertThat(get("/readyz/", NONE).code()).isEqualTo(200);
    assertThat(get("/readyz", VERBOSE))
        .isEqualTo(PageReply.text(200, "[+]database ok\n[+]ping ok\nreadyz check passed\n"));
  }

  @Test
  void namesWhatIsRedAndTheCauseIfItIsAskedFor() {
    health.add(Kind.READY, "database", () -> raise(new IllegalStateException("down\nagain")));
    health.watch(Kind.READY, "queue", () -> Optional.of("it is full"));
    assertThat(get("/readyz", NONE))
        .isEqualTo(
            PageReply.text(
                500,
                """
                [-]database failed: reason withheld
                [+]ping ok
                [-]queue failed: reason withheld
                readyz check failed
                """));
    assertThat(get("/readyz", VERBOSE))
        .isEqualTo(
            PageReply.text(
                500,
                """
                [-]database failed: IllegalStateException: down\\u000aagain
                [+]ping ok
                [-]queue failed: it is full
                readyz check failed
                """));
  }

  @Test
  void showsOneCheckAlone() {
    health.watch(Kind.READY, "queue", () -> Optional.of("it is full"));
    assertThat(get("/readyz/ping", NONE)).isEqualTo(PageReply.text(200, "ok\n"));
    assertThat(get("/readyz/queue", NONE))
        .isEqualTo(PageReply.text(500, "internal server error\n"));
    assertThat(get("/readyz/queue", VERBOSE))
        .isEqualTo(PageReply.text(500, "internal server error: it is full\n"));
    assertThat(get("/readyz/other", NONE).code()).isEqualTo(404);
  }

  @Test
  void leavesOutWhatIsExcluded() {
    AtomicInteger calls = new AtomicInteger();
    health.add(
        Kind.READY,
        "queue",
        () -> {
          calls.incrementAndGet();
          throw new IllegalStateException("full");
        });
    assertThat(get("/readyz", Map.of("exclude", List.of("queue"))).code()).isEqualTo(200);
    assertThat(
            get("/readyz", Map.of("exclude", List.of("queue", "x"), "verbose", List.of(""))).body())
        .isEqualTo(
            """
            [+]ping ok
            [+]queue excluded: ok
            warn: some health checks cannot be excluded: no matches for 1 name
            readyz check passed
            """);
    assertThat(calls).as("calls of what is excluded").hasValue(0);
  }

  @Test
  void keepsTheKindsApart() {
    health.watch(Kind.LIVE, "wedged", () -> Optional.of("hangs"));
    assertThat(get("/readyz", NONE).code()).isEqualTo(200);
    assertThat(health.names(Kind.LIVE)).containsExactly("ping", "wedged");
    health.remove(Kind.LIVE, "wedged");
    assertThat(health.names(Kind.LIVE)).containsExactly("ping");
  }

  @Test
  void refusesNamesThatAreTakenOrCantStandInAPath() {
    assertThatThrownBy(() -> health.add(Kind.READY, "ping", () -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("there is already a check ping");
    for (String name : List.of("", "a/b", "a b", "-a", "a\n")) {
      assertThatThrownBy(() -> health.add(Kind.READY, name, () -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("can't be the name of a check");
    }
  }

  /** What hangs is called once, however often somebody asks, and nobody else waits for it. */
  @Test
  void isRedIfACheckHangsWhichHarmsNoOther() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    health.add(
        Kind.READY,
        "hanging",
        () -> {
          if (calls.incrementAndGet() == 1) {
            released.await();
          }
        });
    AtomicInteger quickCalls = new AtomicInteger();
    health.add(Kind.READY, "quick", quickCalls::incrementAndGet);
    List<PageReply> replies = new CopyOnWriteArrayList<>();
    Thread asking = new Thread(() -> replies.add(get("/readyz", VERBOSE)));
    asking.start();
    Eventually.that(() -> assertThat(calls).hasValue(1));
    Eventually.that(() -> assertThat(quickCalls).hasValue(1)); // the last to be called
    assertThat(get("/readyz/ping", NONE).code()).isEqualTo(200);
    assertThat(get("/readyz/quick", NONE).code()).isEqualTo(200);
    // The others have cancelled theirs: their calls have ended.
    Eventually.that(() -> assertThat(time.pending()).containsOnlyOnce(HealthCheck.LIMIT));
    time.advance(HealthCheck.LIMIT.minusNanos(1));
    assertThat(replies).isEmpty();
    time.advance(Duration.ofNanos(1));
    asking.join();
    assertThat(replies.get(0).body())
        .isEqualTo(
            """
            [-]hanging failed: the check has not returned for 3 s
            [+]ping ok
            [+]quick ok
            readyz check failed
            """);
    time.advance(Duration.ofSeconds(57));
    assertThat(get("/readyz/hanging", VERBOSE).body())
        .as("at once")
        .isEqualTo("internal server error: the check has not returned for 60 s\n");
    assertThat(calls).hasValue(1);
    released.countDown();
    Eventually.that(() -> assertThat(get("/readyz/hanging", NONE).code()).isEqualTo(200));
  }

  /** Each start would have a warning otherwise. */
  @Test
  void isToldWhenItIsNotReadyForLongerThanAStartTakes() throws Exception {
    List<Optional<String>> caches = new CopyOnWriteArrayList<>(List.of(Optional.of("not synced")));
    health.watch(Kind.READY, "caches", () -> caches.get(0));
    health.watch(Kind.READY, "database", () -> Optional.of("away"));
    HealthMonitor monitor = new HealthMonitor(health, dead -> {});
    monitor.run();
    assertThat(logs.lines()).isEmpty();
    caches.set(0, Optional.empty());
    time.advance(HealthMonitor.PERIOD);
    monitor.run();
    assertThat(logs.lines()).containsExactly("WARN The check readyz/database is red: away");
    caches.set(0, Optional.of("in trouble"));
    time.advance(HealthMonitor.PERIOD);
    monitor.run();
    assertThat(logs.lines()).endsWith("WARN The check readyz/caches is red: in trouble");
  }

  @Test
  void isWatchedByAMonitorThatLogsWhatChanges() throws Exception {
    List<Optional<String>> says = new CopyOnWriteArrayList<>(List.of(Optional.of("it is full")));
    health.watch(Kind.LIVE, "queue", () -> says.get(0));
    List<Map<String, String>> dead = new CopyOnWriteArrayList<>();
    HealthMonitor monitor = new HealthMonitor(health, dead::add);
    assertThat(monitor.run().limit()).contains(Duration.ofSeconds(10));
    monitor.run();
    says.set(0, Optional.empty());
    time.advance(HealthMonitor.PERIOD);
    monitor.run();
    monitor.run();
    assertThat(logs.lines())
        .containsExactly(
            "WARN The check livez/queue is red: it is full",
            "INFO The check livez/queue is green again");
    assertThat(dead).hasSize(4).startsWith(Map.of("queue", "it is full")).endsWith(Map.of());
  }
}
