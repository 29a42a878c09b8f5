// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.events.EventRecorder;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.core.Foo;
import dev.windlass.testing.core.Samples;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of an object that does not fit its class, and what people hear of it. */
@Timeout(60)
final class DecodableOnlyTest extends BuilderHarness {

  private static final Duration RESYNC = Duration.ofMinutes(10);

  @AutoClose private final Logs logs = Logs.of(Controller.class);
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final EventRecorder recorder =
      (regarding, related, type, reason, action, message) ->
          events.add(type.text() + " " + reason + " " + nameOf(regarding) + ": " + message);

  private static String nameOf(HasMetadata object) {
    return "%s %s %s/%s %s"
        .formatted(
            object.getApiVersion(),
            object.getKind(),
            object.getMetadata().getNamespace(),
            object.getMetadata().getName(),
            object.getMetadata().getUid());
  }

  private static String configMap(String name, String uid, String field) {
    return """
        {"kind":"ConfigMap","metadata":{"namespace":"default","name":"%s","uid":"%s"},%s}"""
        .formatted(name, uid, field);
  }

  private static String told(String uid, String field) {
    return "Warning Undecodable v1 ConfigMap default/bad "
        + uid
        + ": ConfigMap does not fit io.fabric8.kubernetes.api.model.ConfigMap at "
        + field
        + ". Correct it to match the CRD or, if the CRD has several versions, configure their"
        + " conversion; until then it is skipped";
  }

  private Result read(Request request, ReconcileContext context) {
    boolean there = manager.client().get(ConfigMap.class, request.key()).isPresent();
    reconciled.add(there ? request.toString() : request + " is gone");
    return Result.done();
  }

  /** Waits until {@code wanted} was reconciled; other entries before it may stand there twice. */
  private void awaitReconcile(String wanted) {
    Eventually.that(() -> assertThat(reconciled.poll()).isEqualTo(wanted));
  }

  private ControllerBuilder<ConfigMap> configMaps() {
    return ControllerBuilder.forType(ConfigMap.class).resync(RESYNC).eventRecorder(recorder);
  }

  private static List<String> errors(Logs logs) {
    return logs.lines().stream().filter(line -> line.startsWith("ERROR")).toList();
  }

  /** Whichever kind of reconciler; and a second object of the type is as well off as ever. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isToldOnceAndNotTriedAgain(boolean byItself) throws Exception {
    server("ConfigMap").put(configMap("bad", "1-2-3", "\"data\":\"no map\""));
    server("ConfigMap").put(configMap("good", "4-5-6", "\"data\":{}"));
    ControllerBuilder<ConfigMap> builder = configMaps();
    startUntilReady(
        (byItself
                ? builder.reconciler(this::read)
                : builder.objectReconciler(
                    (object, context) ->
                        see(Request.of("default", object.getMetadata().getName()), context)))
            .register(manager));

    assertThat(next(1)).containsExactly("default/good");
    Eventually.that(() -> assertThat(events).containsExactly(told("1-2-3", "data")));
    Eventually.that(() -> assertThat(errors(logs)).hasSize(1));
    assertThat(errors(logs).get(0))
        .startsWith("ERROR error syncing 'default/bad': ConfigMap default/bad (version ")
        .endsWith("configure their conversion; until then it is skipped, not requeuing");
    for (int i = 1; i <= 3; i++) {
      int times = i;
      time.advance(RESYNC);
      assertThat(next(1)).containsExactly("default/good");
      Eventually.that(
          () ->
              assertThat(logs.lines())
                  .filteredOn(line -> line.startsWith("DEBUG error syncing 'default/bad' as"))
                  .hasSize(times));
    }
    assertThat(errors(logs)).hasSize(1);
    assertThat(events).hasSize(1);
  }

  /** The framework's own index, one of the user's, a mapping, a predicate and the reconciler. */
  @Test
  void isLoggedOnceByAllThatReadIt() throws Exception {
    server("ConfigMap").put(configMap("bad", "1", "\"data\":\"no map\""));
    server("ConfigMap").put(configMap("good", "2", "\"data\":{}"));
    manager
        .cache(ConfigMap.class)
        .indexer()
        .addIndex("by-key", object -> object.decode().getData().keySet());
    try (Logs logs = Logs.by(Level.WARN, "dev.windlass")) {
      startUntilReady(
          ControllerBuilder.forType(ConfigMap.class)
              .eventRecorder(recorder)
              .watchesReferenced(Foo.class, map -> List.of(ObjectKey.of("a", "b")))
              .watches(
                  ConfigMap.class,
                  EventHandler.mapping(map -> List.of(Request.of("default", map.getKind()))))
              .objectReconciler(
                  (object, context) ->
                      see(Request.of("default", object.getMetadata().getName()), context))
              .register(manager));
      assertThat(next(1)).containsExactly("default/good");
      Eventually.that(() -> assertThat(events).containsExactly(told("1", "data")));
      assertThat(logs.lines())
          .singleElement()
          .asString()
          .startsWith("WARN Indices and mappings omit ConfigMap default/bad (version ")
          .contains(
              "): it does not fit io.fabric8.kubernetes.api.model.ConfigMap at data. Correct");
      assertThat(logs.thrown()).isEmpty();
    }
  }

  @Test
  void isReportedAgainForAnotherCauseOrObject() throws Exception {
    startUntilReady(configMaps().reconciler(this::read).register(manager));
    server("ConfigMap").put(configMap("bad", "1", "\"data\":\"no map\""));
    Eventually.that(() -> assertThat(events).containsExactly(told("1", "data")));
    server("ConfigMap").put(configMap("bad", "1", "\"data\":\"still none\""));
    server("ConfigMap").put(configMap("bad", "1", "\"immutable\":{}"));
    Eventually.that(() -> assertThat(events).hasSize(2));
    assertThat(events).last().isEqualTo(told("1", "immutable"));

    server("ConfigMap").delete(ObjectKey.of("default", "bad"));
    awaitReconcile("default/bad is gone");
    server("ConfigMap").put(configMap("bad", "2", "\"immutable\":{}"));
    Eventually.that(() -> assertThat(events).hasSize(3));
    assertThat(events).last().isEqualTo(told("2", "immutable"));

    server("ConfigMap").put(configMap("bad", "2", "\"immutable\":true"));
    awaitReconcile("default/bad");
    server("ConfigMap").put(configMap("bad", "2", "\"immutable\":{}"));
    Eventually.that(() -> assertThat(events).as("it was well meanwhile").hasSize(4));
  }

  /** Also if it is the same failure each time, of which the log does not speak again. */
  @Test
  void isTriedAgainAfterTheIntervalOfThoseGivenUp() throws Exception {
    Duration interval = Duration.ofMinutes(3);
    startUntilReady(
        configMaps().retryAfterGivingUp(interval).reconciler(this::read).register(manager));
    server("ConfigMap").put(configMap("bad", "1", "\"data\":\"no map\""));
    Eventually.that(() -> assertThat(errors(logs)).hasSize(1));
    for (int i = 1; i <= 2; i++) {
      int times = i;
      Eventually.that(() -> assertThat(time.pending()).contains(interval));
      time.advance(interval);
      Eventually.that(
          () ->
              assertThat(logs.lines())
                  .filteredOn(line -> line.startsWith("DEBUG error syncing 'default/bad' as"))
                  .hasSize(times));
    }
  }

  /** Its clean-up does not run, which nobody would notice otherwise. */
  @Test
  void isReportedAgainDuringItsDeletion() throws Exception {
    startUntilReady(configMaps().reconciler(this::read).register(manager));
    server("ConfigMap").put(configMap("bad", "1", "\"data\":\"no map\""));
    Eventually.that(() -> assertThat(events).containsExactly(told("1", "data")));
    server("ConfigMap")
        .put(
            """
            {"kind":"ConfigMap","metadata":{"namespace":"default","name":"bad","uid":"1",
            "deletionTimestamp":"2026-01-01T00:00:00Z"},"data":"no map"}""");
    Eventually.that(() -> assertThat(events).hasSize(2));
    assertThat(events)
        .last()
        .asString()
        .endsWith("until then it is not cleaned up, and its finalizers keep it");
  }

  /** That one may change without an event for this one. */
  @Test
  void isTriedAgainIfItIsAnotherObjectThatDoesNotFit() throws Exception {
    server("Foo").put(Samples.json("Foo", "a"));
    server("ConfigMap").put(configMap("bad", "1", "\"data\":\"no map\""));
    Reconciler reconciler =
        (request, context) -> {
          reconciled.add("attempt " + context.attempt());
          manager.client().get(ConfigMap.class, ObjectKey.of("default", "bad"));
          return Result.done();
        };
    startUntilReady(
        ControllerBuilder.forType(Foo.class)
            .owns(ConfigMap.class)
            .eventRecorder(recorder)
            .reconciler(reconciler)
            .register(manager));
    assertThat(next(1)).containsExactly("attempt 0");
    Eventually.that(time, Duration.ofMillis(10), () -> assertThat(reconciled).isNotEmpty());
    assertThat(next(1)).containsExactly("attempt 1");
    assertThat(events).isEmpty();
  }

  @Test
  void isToldIfItsEventCannotBeRecorded() {
    server("ConfigMap").put(configMap("bad", "1", "\"data\":\"no map\""));
    EventRecorder broken =
        (regarding, related, type, reason, action, message) ->
            raise(new IllegalStateException("no Events today"));
    startUntilReady(
        ControllerBuilder.forType(ConfigMap.class)
            .eventRecorder(broken)
            .reconciler(this::read)
            .register(manager));
    Eventually.that(() -> assertThat(errors(logs)).hasSize(2));
    assertThat(errors(logs).get(0)).endsWith("until then it is skipped, not requeuing");
    assertThat(errors(logs).get(1)).isEqualTo("ERROR configmap: No Event could be recorded");
  }

  /** As by default, because Events need rights. */
  @Test
  void isOnlyLoggedWithoutARecorder() {
    server("ConfigMap").put(configMap("bad", "1", "\"data\":\"no map\""));
    startUntilReady(
        ControllerBuilder.forType(ConfigMap.class).reconciler(this::read).register(manager));
    Eventually.that(() -> assertThat(errors(logs)).hasSize(1));
  }
}
