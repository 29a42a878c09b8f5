// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loopdetection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.Controller;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.running.ControllerRun;
import dev.windlass.controller.running.Worker;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ControllerConfigs;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.controller.settings.ObjectLookup;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reconcile loops, and legitimate requests that run often (docs/reliability.md, I4). */
@Timeout(30)
final class LoopDetectorTest {

  private static final Request FOO = Request.of("default", "foo");
  private static final String OWNED = "ConfigMap default/owned UPDATED";
  private static final String OTHER = "ConfigMap default/other UPDATED";

  @AutoClose private final Logs logs = Logs.of(Controller.class);
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

  private final LoopDetector detector = new LoopDetector("foo", lookup, listener);
  private final RunHistory history = new RunHistory(0);

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

  /** So many runs at once. */
  private void run(int times, Object... reasons) {
    for (int i = 0; i < times; i++) {
      history.run(time.nanoTime());
      detector.evaluate(FOO, List.of(reasons), history);
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

  @Test
  void reportsWhatRunsOftenAndLetsItRun() {
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

  /** Such as touching an object to trigger a reconcile. */
  @Test
  void acceptsAnyNumberOfWritesWithoutAChange() {
    for (int i = 0; i < 10 * LoopDetector.BURST; i++) {
      state("owned", 0, "{}");
      run(1, OWNED);
    }
    assertThat(looping).isEmpty();
  }

  /** However long it goes on; and again when it begins anew. */
  @Test
  void reportsALoopOnceAndDelaysNothing() {
    loop();
    assertThat(looping).containsExactly(FOO);
    for (int i = 0; i < 10_000; i++) {
      state("owned", 0, "{\"replicas\":\"" + i % 2 + "\"}");
      run(1, OWNED);
      time.advance(Duration.ofMillis(1));
      assertThat(history.hold(time.nanoTime())).isZero();
    }
    assertThat(looping).hasSize(1);
    time.advance(Duration.ofHours(1));
    loop();
    assertThat(looping).hasSize(2);
  }

  /** What asks for it by its result is reported by the result handler. */
  @Test
  void leavesRunsAtOnceToTheResultHandler() {
    for (int i = 1; i <= 3 * LoopDetector.BURST; i++) {
      run(1, new LoopDetector.AtOnce(i));
    }
    assertThat(logs.lines()).isEmpty();
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
    for (int generation = 1; generation < 1_000; generation++) {
      state("foo", generation, "{}");
      run(1);
    }
    run(LoopDetector.BURST - LoopDetector.SUSPECT - 1);
    assertThat(logs.lines()).isEmpty();
    run(1);
    assertThat(logs.lines()).as("but what comes of the last of them").hasSize(1);
  }

  /** Two controllers that undo each other's writes are found out early, with the place. */
  @Test
  void namesThePlaceInWhichAnObjectGoesBackAndForth() {
    int runs = 0;
    while (looping.isEmpty()) {
      state("owned", 0, "{\"a\":\"1\",\"replicas\":\"" + runs++ % 2 + "\"}");
      run(1, OWNED);
    }
    assertThat(runs).isLessThan(LoopDetector.BURST / 2);
    assertThat(logs.lines())
        .containsExactly(
            "WARN foo: 'default/foo' is being reconciled in a loop. The last reasons:"
                + " [ConfigMap default/owned UPDATED]: ConfigMap default/owned alternates between"
                + " two states at data.replicas");
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

  @Test
  void comparesTheObjectOfTheLastEvent() {
    for (int i = 0; i <= LoopDetector.BURST; i++) {
      state("other", 0, "{\"other\":\"" + i + "\"}");
      state("owned", 0, "{\"run\":\"" + i + "\"}");
      run(1, OTHER, OWNED, "requeue");
    }
    assertThat(logs.lines()).singleElement().asString().endsWith("changing at data.run");
  }

  /** The origin of a monotonic clock is anywhere. */
  @Test
  void doesNotMindWhereTheClockBegan() {
    time.advance(Duration.ofDays(10_000));
    loop();
    assertThat(looping).hasSize(1);
  }

  /** The report names the field, but never its value, which may be secret. */
  @Test
  void namesThePlaceThatKeepsChanging() {
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

  @Test
  void needsNothingOfWhatHasNotRunForAWhile() {
    assertThat(history.isQuiet(time.nanoTime())).as("has not run yet").isTrue();
    run(LoopDetector.BURST);
    time.advance(Duration.ofSeconds(19));
    assertThat(history.isQuiet(time.nanoTime())).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(history.isQuiet(time.nanoTime())).isTrue();
  }

  @Test
  void canBeSwitchedOff() {
    assertThat(warningsOf(ControllerOptions.defaults().with(o -> o.loopDetection = false)))
        .isEmpty();
    assertThat(warningsOf(ControllerOptions.defaults())).hasSize(1);
  }

  private List<String> warningsOf(ControllerOptions options) {
    ControllerConfig config =
        ControllerConfigs.config(
            time,
            c -> {
              c.options = options;
              c.listener = listener;
            });
    ControllerRun run = new ControllerRun(config);
    run.keys().openQueue(run.keys().begin(0));
    Worker worker = new Worker(config, run);
    for (int i = 0; i <= LoopDetector.BURST; i++) {
      run.keys().queue().add(FOO);
      assertThat(worker.step()).as("no run waits").isTrue();
    }
    run.watchdog().close();
    return logs.lines().stream().filter(line -> line.startsWith("WARN")).toList();
  }
}
