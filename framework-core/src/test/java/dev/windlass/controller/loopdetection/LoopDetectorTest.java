// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loopdetection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Logs;
import dev.windlass.controller.Controller;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.running.ControllerConfig;
import dev.windlass.controller.running.ControllerConfigs;
import dev.windlass.controller.running.ControllerOptions;
import dev.windlass.controller.running.RunContext;
import dev.windlass.controller.running.Worker;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.testing.time.ManualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reconcile loops, and legitimate requests that run often (docs/reliability.md, I4). */
@Timeout(30)
final class LoopDetectorTest {

  private static final Request FOO = Request.of("default", "foo");
  private static final String OWNED = "ConfigMap default/owned UPDATED";
  private static final String OTHER = "ConfigMap default/other UPDATED";

  private final ManualScheduler time = new ManualScheduler();
  private final ObjectDecoder<ConfigMap> decoder =
      new ObjectDecoder<>(ObjectCodec.of(ConfigMap.class));
  private final List<Request> looping = new ArrayList<>();
  private final Map<String, CachedObject<ConfigMap>> objects = new HashMap<>();
  private int version;
  private String uid = "";

  private final ObjectLookup lookup =
      new ObjectLookup() {
        @Override
        public Optional<? extends CachedObject<?>> primary(Request request) {
          return Optional.ofNullable(objects.get(request.name()));
        }

        @Override
        public Optional<? extends CachedObject<?>> behind(Object reason) {
          return switch (reason.toString()) {
            case OWNED -> Optional.ofNullable(objects.get("owned"));
            case OTHER -> Optional.ofNullable(objects.get("other"));
            default -> Optional.empty();
          };
        }
      };

  private final ControllerListener listener =
      new ControllerListener() {
        @Override
        public void reconciled(Request request, Outcome outcome, Duration took) {}

        @Override
        public void looping(Request request) {
          looping.add(request);
        }
      };

  private final LoopDetector guard = guard(true);

  private LoopDetector guard(boolean enabled) {
    return new LoopDetector("foo", enabled, lookup, listener, time);
  }

  private void state(String name, int generation, String data) {
    byte[] json =
        """
        {"metadata":{"namespace":"default","name":"%s","uid":"%s","resourceVersion":"%d",
         "generation":%d},"data":%s}
        """
            .formatted(name, name + uid, ++version, generation, data)
            .getBytes(StandardCharsets.UTF_8);
    objects.put(name, decoder.decode(json, 0, json.length));
  }

  private Duration hold(String... reasons) {
    return guard.hold(FOO, List.of((Object[]) reasons));
  }

  /** So many runs at once. */
  private void run(int times, String... reasons) {
    for (int i = 0; i < times; i++) {
      assertThat(hold(reasons)).isZero();
    }
  }

  /** Returns to the state before the last until that is proof enough. */
  private void loop() {
    int before = looping.size();
    for (int i = 0; looping.size() == before; i++) {
      state("owned", 0, "{\"replicas\":\"" + i % 2 + "\"}");
      run(1, OWNED);
    }
  }

  /** A frequent request is reported, but not slowed down. */
  @Test
  void reportsWhatRunsOftenAndLetsItRun() {
    try (Logs logs = Logs.of(Controller.class)) {
      run(LoopDetector.BURST);
      assertThat(logs.lines()).isEmpty();
      run(10 * LoopDetector.BURST, OTHER);
      assertThat(looping).isEmpty();
      assertThat(logs.lines())
          .containsExactly(
              "WARN foo: 'default/foo' has been reconciled more than 100 times in a short time."
                  + " The last reasons: [ConfigMap default/other UPDATED]");
      time.advance(Duration.ofMinutes(10));
      run(LoopDetector.BURST + 1);
      assertThat(logs.lines()).as("and again when it begins anew").hasSize(2);
    }
  }

  /** A set that creates one child per reconcile, as a StatefulSet does, is no loop. */
  @Test
  void letsASetCreateItsChildrenOneByOne() {
    for (int child = 0; child < 300; child++) {
      uid = "-" + child;
      state("owned", 0, "{\"child\":\"yes\"}");
      run(1, OWNED);
    }
    assertThat(looping).isEmpty();
  }

  @Test
  void limitsALoopToOneRunASecond() {
    loop();
    assertThat(looping).containsExactly(FOO);
    assertThat(hold()).isEqualTo(LoopDetector.PACE);
    time.advance(Duration.ofMillis(400));
    assertThat(hold()).isEqualTo(Duration.ofMillis(600));
    time.advance(Duration.ofMillis(600));
    run(1);
    assertThat(hold()).isEqualTo(LoopDetector.PACE);
    assertThat(looping).as("told once").hasSize(1);
  }

  /** A result that names a time knows best. */
  @Test
  void neverDelaysARunThatWasAskedForByItsResult() {
    loop();
    assertThat(hold(OWNED)).isPositive();
    run(1_000, QueueReasons.REQUEUE_AFTER);
    assertThat(hold(OWNED)).isPositive();
  }

  /**
   * Writes without a real change, such as touching an object to trigger a reconcile, are no loop.
   */
  @Test
  void acceptsAnyNumberOfWritesWithoutAChange() {
    for (int i = 0; i < 10 * LoopDetector.BURST; i++) {
      state("owned", 0, "{}");
      run(1, OWNED);
    }
    assertThat(looping).isEmpty();
  }

  /** It goes on as long as there is something to hold back, however long that is. */
  @Test
  void keepsThePaceAsLongAsTheLoopGoesOn() {
    loop();
    for (int second = 0; second < 600; second++) {
      assertThat(hold()).isEqualTo(LoopDetector.PACE);
      time.advance(LoopDetector.PACE);
      run(1);
    }
    assertThat(looping).hasSize(1);
  }

  @Test
  void isOverWhenNothingHadToBeHeldBackForAWhile() {
    loop();
    assertThat(hold()).isPositive();
    time.advance(LoopDetector.CALM.plusNanos(1));
    run(LoopDetector.BURST);
    loop();
    assertThat(looping).as("and begins anew").hasSize(2);
  }

  @Test
  void leavesOthersAlone() {
    loop();
    assertThat(guard.hold(Request.of("other"), List.of())).isZero();
  }

  /** A poll is none of our business. */
  @Test
  void letsARequestRunFiveTimesASecondForEver() {
    for (int i = 0; i < 10_000; i++) {
      run(1);
      time.advance(Duration.ofMillis(200));
    }
    assertThat(looping).isEmpty();
  }

  /** Somebody who changes an object a hundred times wants it reconciled a hundred times. */
  @Test
  void doesNotCountChangesOfTheObjectItself() {
    try (Logs logs = Logs.of(Controller.class)) {
      for (int generation = 1; generation < 1_000; generation++) {
        state("foo", generation, "{}");
        run(1);
      }
      run(LoopDetector.BURST - LoopDetector.SUSPECT - 1);
      assertThat(logs.lines()).isEmpty();
      run(1);
      assertThat(logs.lines()).as("but what comes of the last of them").hasSize(1);
    }
  }

  /** Two controllers that undo each other's writes are found out early, with the place. */
  @Test
  void namesThePlaceInWhichAnObjectGoesBackAndForth() {
    try (Logs logs = Logs.of(Controller.class)) {
      int runs = 0;
      while (looping.isEmpty()) {
        state("owned", 0, "{\"a\":\"1\",\"replicas\":\"" + runs++ % 2 + "\"}");
        run(1, OWNED);
      }
      assertThat(runs).isLessThan(LoopDetector.BURST / 2);
      assertThat(logs.lines())
          .containsExactly(
              "WARN foo: 'default/foo' is being reconciled in a loop; limiting it to one run per"
                  + " second. The last reasons: [ConfigMap default/owned UPDATED]: ConfigMap"
                  + " default/owned alternates between two states at data.replicas");
    }
  }

  /** Each of them wants something else, and neither is at its end. */
  @Test
  void findsOutTwoWhoChangeTheObjectItselfInTurn() {
    int runs = 0;
    while (looping.isEmpty()) {
      state("foo", runs, "{\"replicas\":\"" + runs++ % 2 + "\"}");
      objects.put("owned", objects.get("foo"));
      run(1, OWNED);
    }
    assertThat(runs).isLessThan(LoopDetector.BURST / 2);
    assertThat(hold(OWNED)).isPositive();
    time.advance(LoopDetector.PACE);
    state("foo", runs, "{\"replicas\":\"" + runs % 2 + "\"}");
    objects.put("owned", objects.get("foo"));
    run(1, OWNED);
    assertThat(looping).as("told once").hasSize(1);
  }

  /** A successor is somebody else's wish, though its generations begin anew. */
  @Test
  void doesNotCountSuccessorsOfTheObjectItself() {
    for (int i = 0; i < 2 * LoopDetector.BURST; i++) {
      uid = "-" + i;
      state("foo", 1, "{}");
      run(1);
    }
    assertThat(looping).isEmpty();
  }

  /** Of several reasons the last event counts. */
  @Test
  void comparesTheObjectOfTheLastEvent() {
    try (Logs logs = Logs.of(Controller.class)) {
      for (int i = 0; i <= LoopDetector.BURST; i++) {
        state("other", 0, "{\"other\":\"" + i + "\"}");
        state("owned", 0, "{\"run\":\"" + i + "\"}");
        run(1, OTHER, OWNED, "requeue");
      }
      assertThat(logs.lines()).singleElement().asString().endsWith("changing at data.run");
    }
  }

  /** The origin of a monotonic clock is anywhere. */
  @Test
  void doesNotMindWhereTheClockBegan() {
    time.advance(Duration.ofDays(10_000));
    loop();
    time.advance(LoopDetector.PACE);
    run(1);
    assertThat(hold()).isPositive();
  }

  /** The report names the field, but never its value, which may be secret. */
  @Test
  void namesThePlaceThatKeepsChanging() {
    try (Logs logs = Logs.of(Controller.class)) {
      for (int i = 0; i <= LoopDetector.BURST; i++) {
        state("owned", 0, "{\"time\":\"CANARY-" + i + "\"}");
        run(1, OWNED, "requeue");
      }
      assertThat(logs.lines())
          .singleElement()
          .asString()
          .endsWith("ConfigMap default/owned keeps changing at data.time")
          .doesNotContain("CANARY");
    }
  }

  @Test
  void canBeSwitchedOff() {
    LoopDetector off = guard(false);
    for (int i = 0; i < 1_000; i++) {
      assertThat(off.hold(FOO, List.of())).isZero();
    }
    assertThat(looping).isEmpty();
  }

  @Test
  void forgetsWhatHasNotRunForAWhile() {
    for (int i = 0; i < 100_000; i++) {
      guard.hold(Request.of("key-" + i), List.of());
      if (i % 100 == 0) {
        time.advance(Duration.ofSeconds(1));
      }
    }
    assertThat(guard.size()).isLessThan(5_000);
  }

  /** Even a few entries, and the objects that they hold, are not kept for hours. */
  @Test
  void forgetsAfterAMinuteWhatIsQuiet() {
    for (int i = 0; i <= LoopDetector.SUSPECT; i++) {
      state("owned", 0, "{\"run\":\"" + i + "\"}");
      run(1, OWNED);
    }
    assertThat(guard.comparing()).isEqualTo(1);
    time.advance(Duration.ofMinutes(1));
    guard.hold(Request.of("other"), List.of());
    assertThat(guard.size()).isEqualTo(1);
    assertThat(guard.comparing()).isZero();
  }

  /** The number of retained objects is bounded, because objects may be large. */
  @Test
  void holdsTheObjectsOfSoManyRequestsAndNoMore() {
    for (int round = 0; round <= 2 * LoopDetector.SUSPECT; round++) {
      state("owned", 0, "{\"round\":\"" + round + "\"}");
      for (int i = 0; i < 2 * LoopDetector.COMPARED; i++) {
        guard.hold(Request.of("key-" + i), List.of(OWNED));
      }
    }
    assertThat(guard.comparing()).isEqualTo(LoopDetector.COMPARED);
    time.advance(Duration.ofMinutes(2));
    guard.hold(Request.of("other"), List.of());
    run(LoopDetector.SUSPECT + 1, OWNED);
    assertThat(guard.comparing()).as("and there is room again").isEqualTo(1);
  }

  /** Held back, a request is not lost, and neither are its reasons. */
  @Test
  void letsAHeldRequestRunLater() {
    List<List<String>> ran = new ArrayList<>();
    ControllerConfig config =
        ControllerConfigs.config(
                "foo",
                List.of(),
                (request, context) -> {
                  ran.add(context.reasons());
                  return Result.done();
                },
                ControllerOptions.defaults(),
                listener,
                failure -> {},
                time,
                Thread::new)
            .withLookup(lookup);
    RunContext run = new RunContext(config);
    Worker worker = new Worker(config, run);
    int events = 0;
    for (; looping.isEmpty(); events++) {
      state("owned", 0, "{\"replicas\":\"" + events % 2 + "\"}");
      run.reasons().add(FOO, OWNED);
      run.queue().add(FOO);
      worker.step();
    }
    assertThat(ran).hasSize(events);
    run.reasons().add(FOO, "late");
    run.queue().add(FOO);
    worker.step();
    assertThat(ran).hasSize(events);
    assertThat(run.queue().delayed()).isEqualTo(1);
    time.advance(LoopDetector.PACE);
    assertThat(worker.step()).isTrue();
    assertThat(ran).hasSize(events + 1);
    assertThat(ran.get(ran.size() - 1)).containsExactly("late");
    assertThat(worker.step()).isFalse();
    run.watchdog().close();
  }
}
