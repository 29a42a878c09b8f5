// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.manager.Manager;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a request: a controller whose answers are told by the name of the object. */
final class RequestOutcomesIT extends OnRealServer {

  private static final int WORKERS = 3;
  private static final Duration LONG = Duration.ofMinutes(10);

  /**
   * A call of the reconciler.
   *
   * @param attempt how many before it failed, or asked to be repeated, in a row
   * @param text what the object said when it was read; empty if there was none
   */
  private record Call(long beganAt, int attempt, String text) {}

  private final Map<String, List<Call>> calls = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
  private final Map<String, Integer> inside = new ConcurrentHashMap<>();
  private final List<String> together = new CopyOnWriteArrayList<>();
  private ConfigMaps maps;
  private Manager manager;
  private Controller controller;

  @BeforeEach
  void startsTheController() {
    maps = new ConfigMaps(kubectl, namespace);
    manager = closing(Manager.builder().client(operatorClient()).namespace(namespace).build());
    controller =
        start(
            manager,
            of ->
                ControllerBuilder.forType(
                        ConfigMap.class, EventPredicate.labelSelector(ConfigMaps.LABEL))
                    .maxConcurrentReconciles(WORKERS)
                    .reconciler(this::reconcile));
  }

  private Result reconcile(Request request, ReconcileContext context) throws Exception {
    String name = request.name();
    if (inside.merge(name, 1, Integer::sum) > 1) {
      together.add(name);
    }
    try {
      List<Call> earlier = calls.computeIfAbsent(name, n -> new CopyOnWriteArrayList<>());
      long now = System.nanoTime();
      CountDownLatch gate = gates.get(name);
      if (gate != null && earlier.isEmpty()) {
        earlier.add(new Call(now, context.attempt(), "first"));
        gate.await(90, TimeUnit.SECONDS);
        return Result.done();
      }
      String text =
          manager
              .client()
              .get(ConfigMap.class, request.key())
              .map(map -> map.getData().getOrDefault("text", ""))
              .orElse("");
      earlier.add(new Call(now, context.attempt(), text));
      return answer(name, text, earlier.size());
    } finally {
      inside.merge(name, -1, Integer::sum);
    }
  }

  private static Result answer(String name, String text, int call) throws Exception {
    if (text.equals("fail")) {
      throw new IllegalStateException("told to fail");
    }
    return switch (name) {
      case "fails" -> {
        if (call <= 5) {
          throw new IllegalStateException("call " + call);
        }
        yield Result.done();
      }
      case "repeats" -> call <= 5 ? Result.requeueWithBackoff() : Result.done();
      case "waits" -> {
        if (call <= 3) {
          throw new IllegalStateException("call " + call);
        }
        yield call == 4 ? Result.requeueAfter(Duration.ofSeconds(1)) : Result.done();
      }
      case "gives-up" -> throw new TerminalException("for good");
      case "later" -> call == 1 ? Result.requeueAfter(LONG) : Result.done();
      default -> Result.done();
    };
  }

  private List<Call> of(String name) {
    return calls.getOrDefault(name, List.of());
  }

  private void awaitCalls(String name, int number) {
    eventually().until(() -> of(name).size() >= number);
  }

  private void awaitIdle() {
    eventually()
        .until(
            () ->
                controller.running().isEmpty()
                    && controller.queueLength() == 0
                    && controller.diagnosis().delayed() == 0);
  }

  private void assertThatWaitsDouble(String name, int waits) {
    for (int i = 0; i < waits; i++) {
      assertThat(Duration.ofNanos(of(name).get(i + 1).beganAt() - of(name).get(i).beganAt()))
          .as("%s, wait %d", name, i)
          .isGreaterThanOrEqualTo(Duration.ofMillis(5L << i));
    }
  }

  /** The table of answers. */
  @Test
  void doesWithARequestWhatItsAnswerSays() {
    for (String name : List.of("fails", "repeats", "waits", "gives-up", "done")) {
      maps.create(name, "0");
    }
    awaitCalls("fails", 6);
    awaitCalls("repeats", 6);
    awaitCalls("waits", 5);
    awaitCalls("gives-up", 1);
    awaitCalls("done", 1);
    awaitIdle();

    assertThat(of("fails")).extracting(Call::attempt).containsExactly(0, 1, 2, 3, 4, 5);
    assertThatWaitsDouble("fails", 5);
    assertThat(of("repeats")).extracting(Call::attempt).containsExactly(0, 1, 2, 3, 4, 5);
    assertThatWaitsDouble("repeats", 5);
    assertThat(of("waits"))
        .as("requeueAfter forgets what failed before")
        .extracting(Call::attempt)
        .containsExactly(0, 1, 2, 3, 0);
    assertThat(Duration.ofNanos(of("waits").get(4).beganAt() - of("waits").get(3).beganAt()))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    assertThat(of("gives-up")).hasSize(1);
    assertThat(of("done")).hasSize(1);

    // A success forgets: the next failure is the first again.
    maps.change("fails", "fail");
    awaitCalls("fails", 9);
    assertThat(List.copyOf(of("fails")).subList(6, 9))
        .extracting(Call::attempt)
        .containsExactly(0, 1, 2);
    maps.change("fails", "well");
    eventually().until(() -> of("fails").get(of("fails").size() - 1).text().equals("well"));
    awaitIdle();
  }

  /** Fifty changes while it is in work: one more run, and that sees the last of them. */
  @Test
  void runsOnceMoreForWhateverHappensMeanwhileAndSeesTheNewest() {
    CountDownLatch gate = new CountDownLatch(1);
    gates.put("busy", gate);
    maps.create("busy", "0");
    awaitCalls("busy", 1);
    var informer = manager.informers().existing(ConfigMap.class).orElseThrow();
    long delivered = informer.status().handlers().get(0).delivered();
    for (int i = 1; i <= 50; i++) {
      maps.change("busy", String.valueOf(i));
    }
    eventually().until(() -> informer.status().handlers().get(0).delivered() >= delivered + 50);
    assertThat(of("busy")).as("one at a time").hasSize(1);

    gate.countDown();

    awaitCalls("busy", 2);
    awaitIdle();
    assertThat(of("busy")).extracting(Call::text).containsExactly("first", "50");
    assertThat(together).isEmpty();
  }

  /** An event counts now, and the time that was asked for before is forgotten. */
  @Test
  void takesTheEarlierOfTwoTimes() {
    maps.create("later", "0");
    awaitCalls("later", 1);
    eventually().until(() -> controller.diagnosis().delayed() == 1);

    maps.change("later", "1");

    awaitCalls("later", 2);
    awaitIdle();
    assertThat(of("later")).extracting(Call::text).containsExactly("0", "1");
  }

  /** Three are in work, as many as there are workers, and the rest can be counted. */
  @Test
  void worksOnAsManyAsThereAreWorkers() {
    CountDownLatch gate = new CountDownLatch(1);
    List<String> names = IntStream.range(0, WORKERS + 4).mapToObj(i -> "gated-" + i).toList();
    names.forEach(name -> gates.put(name, gate));
    names.forEach(name -> maps.create(name, "0"));
    eventually().until(() -> controller.running().size() == WORKERS);
    eventually().until(() -> controller.queueLength() == 4);
    assertThat(names).filteredOn(name -> !of(name).isEmpty()).hasSize(WORKERS);

    gate.countDown();

    awaitIdle();
    assertThat(names).allSatisfy(name -> assertThat(of(name)).hasSize(1));
    assertThat(together).isEmpty();
  }
}
