// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.running.SourceRunner;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectDecoder;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a controller does with what its watches know: from a server in memory to a reconcile. */
@Timeout(60)
final class RegisteredControllerTest extends BuilderHarness {

  @AutoClose private final Logs logs = Logs.of(Controller.class);

  private Controller startBuilt(ControllerBuilder<Foo> builder) {
    Controller controller = builder.register(manager);
    manager.start();
    Eventually.that(time, SourceRunner.SYNC_POLL, () -> assertThat(controller.isReady()).isTrue());
    return controller;
  }

  private String next() throws InterruptedException {
    return String.valueOf(reconciled.poll(20, TimeUnit.SECONDS));
  }

  private ObjectReconciler<Foo> objects() {
    return (foo, context) -> {
      reconciled.add(foo.getMetadata().getName() + " " + foo.getMetadata().getGeneration());
      foo.getMetadata().setGeneration(99L); // it is a copy
      return Result.done();
    };
  }

  /** One that is gone is done. */
  @Test
  void givesAnObjectReconcilerTheObjectItself() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    Controller controller =
        startBuilt(ControllerBuilder.forType(Foo.class).objectReconciler(objects()));
    assertThat(next()).isEqualTo("a 1");
    server("Foo").delete(ObjectKey.of("default", "a"));
    server("Foo").put(Samples.json("Foo", "b"));
    assertThat(next()).isEqualTo("b 1");
    Eventually.that(() -> assertThat(controller.queueLength()).isZero());
    assertThat(reconciled).isEmpty();
  }

  /** A new process recognises what it has applied only if its caches keep the fields of that. */
  @Test
  void announcesItsNameBeforeTheCachesList() {
    ControllerBuilder.forType(Foo.class)
        .named("announced")
        .reconciler((request, context) -> Result.done())
        .register(manager);
    byte[] json =
        """
        {"metadata":{"namespace":"default","name":"a","managedFields":[
        {"manager":"announced","operation":"Apply","apiVersion":"v1","fieldsV1":{"f:data":{}}}]}}
        """
            .getBytes(StandardCharsets.UTF_8);
    CachedObject<ConfigMap> object =
        new ObjectDecoder<>(ObjectCodec.of(ConfigMap.class)).decode(json, 0, json.length);
    assertThat(object.appliedBy("announced", "").orElseThrow().tree())
        .isEqualTo("v1\n{\"f:data\":{}}");
  }

  @Test
  void refusesTwoReconcilersAndNone() {
    assertThatThrownBy(
            () ->
                ControllerBuilder.forType(Foo.class)
                    .reconciler((request, context) -> Result.done())
                    .objectReconciler(objects())
                    .register(manager))
        .hasMessage(
            "the controller of Foo has two reconcilers: call reconciler(...) or"
                + " objectReconciler(...), not both");
  }

  /** Why a request was queued; and a retry says so, too. */
  @Test
  void tellsAReconcilerWhyItWasCalled() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    startBuilt(
        ControllerBuilder.forType(Foo.class)
            .watches(
                ConfigMap.class,
                (event, sink) ->
                    sink.add(dev.windlass.controller.reconcile.Request.of("default", "a")))
            .reconciler(
                (request, context) -> {
                  reconciled.add(String.join(", ", context.reasons()));
                  return Result.done();
                }));
    assertThat(next()).isEqualTo("Foo default/a LISTED");
    server("ConfigMap").put(Samples.json("ConfigMap", "c"));
    assertThat(next()).isEqualTo("ConfigMap default/c CREATED");
    server("Foo").put(Samples.json("Foo", "a"));
    assertThat(next()).isEqualTo("Foo default/a UPDATED");
  }

  /** Its own write triggers its next run, as in JOSDK's RateLimitIT (docs/reliability.md, I4). */
  @Test
  void namesAReconcilerThatRunsInALoopAndDoesNotDelayIt() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    AtomicInteger runs = new AtomicInteger();
    startBuilt(
        ControllerBuilder.forType(Foo.class)
            .watches(
                ConfigMap.class,
                (event, sink) ->
                    sink.add(dev.windlass.controller.reconcile.Request.of("default", "a")))
            .reconciler(
                (request, context) -> {
                  server("ConfigMap")
                      .put(
                          """
                          {"metadata":{"namespace":"default","name":"c"},"data":{"run":"%d"}}
                          """
                              .formatted(runs.incrementAndGet() % 2));
                  return Result.done();
                }));
    Eventually.that(
        () ->
            assertThat(logs.lines())
                .filteredOn(line -> line.contains("is being reconciled in a loop"))
                .singleElement()
                .asString()
                .startsWith("WARN foo: 'default/a' ")
                .endsWith("ConfigMap default/c alternates between two states at data.run"));
    int before = runs.get();
    Eventually.that(() -> assertThat(runs.get()).isGreaterThan(before + 100));
  }

  @Test
  void stopsTheManagerIfAControllerFails() throws Exception {
    server("Foo").hold();
    AtomicBoolean ended = new AtomicBoolean();
    ControllerBuilder.forType(Foo.class)
        .syncTimeout(Duration.ofSeconds(10))
        .failOnSyncTimeout()
        .objectReconciler(objects())
        .register(manager);
    CompletableFuture<Boolean> run =
        CompletableFuture.supplyAsync(manager::run, task -> new Thread(task).start());
    Eventually.that(
        time,
        SourceRunner.SYNC_POLL,
        () -> {
          assertThat(run).isCompletedExceptionally();
          ended.set(true);
        });
    assertThat(ended).isTrue();
    assertThat(manager.failure().orElseThrow())
        .hasMessageStartingWith("foo: its sources have not synced in time: ");
    assertThatThrownBy(run::get)
        .cause()
        .hasMessageStartingWith("a component failed: foo: its sources");
    server("Foo").release();
    assertThat(List.copyOf(reconciled)).isEmpty();
  }

  /** With a retry limit, a request is given up; a callback and the log report it. */
  @Test
  void givesUpAfterSoManyRetriesIfSoAsked() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    startBuilt(
        ControllerBuilder.forType(Foo.class)
            .maxRetries(2, (request, failures) -> reconciled.add("gave up after " + failures))
            .reconciler(
                (request, context) -> {
                  reconciled.add("attempt " + context.attempt());
                  throw new IllegalStateException("no quota");
                }));
    for (int attempt = 0; attempt <= 2; attempt++) {
      Eventually.that(time, Duration.ofMillis(10), () -> assertThat(reconciled).isNotEmpty());
      assertThat(next()).isEqualTo("attempt " + attempt);
    }
    assertThat(next()).isEqualTo("gave up after 3");
    Eventually.that(
        () ->
            assertThat(logs.lines())
                .last()
                .isEqualTo("ERROR error syncing 'default/a': no quota, giving up"));
    server("Foo").put(Samples.json("Foo", "a"));
    assertThat(next()).as("a change is a new beginning").isEqualTo("attempt 0");
  }
}
