// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.controller.building.ObservedReconciler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.testing.core.Http;
import dev.windlass.testing.core.Samples;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import dev.windlass.workqueue.RateLimiter;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What OpenTelemetry gets to see of reconciles and their requests. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
final class TracingTest extends BuilderHarness {

  private static final String MAP = "/api/v1/namespaces/default/configmaps/settings";

  // Set by settings(), which the constructor of the harness calls.
  private Http api;
  private InMemorySpanExporter spans;
  private SdkTracerProvider provider;

  @Override
  ManagerBuilder settings() {
    api = new Http();
    spans = InMemorySpanExporter.create();
    provider =
        SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build();
    Tracer tracer =
        new OtelTracer(provider.get("windlass"), new OtelCurrentTraceContext(), event -> {});
    // sample: trace
    ObservationRegistry observations = ObservationRegistry.create();
    observations
        .observationConfig()
        .observationHandler(new DefaultTracingObservationHandler(tracer)); // OpenTelemetry, Brave
    ManagerBuilder builder = Manager.builder().observationRegistry(observations);
    // end
    return builder
        .config(api.config())
        .informerOptions(InformerOptions.defaults().withScheduler(time))
        .connector(client -> this::connect);
  }

  @AfterEach
  void closes() {
    provider.close();
    api.close();
  }

  private Optional<SpanData> span(Predicate<SpanData> wanted) {
    return spans.getFinishedSpanItems().stream().filter(wanted).findFirst();
  }

  private SpanData eventually(Predicate<SpanData> wanted) {
    Eventually.that(() -> assertThat(span(wanted)).isPresent());
    return span(wanted).orElseThrow();
  }

  private SpanData eventually(String name) {
    return eventually(span -> span.getName().equals(name));
  }

  private static String attribute(SpanData span, String key) {
    return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(key)));
  }

  @Test
  void showsEachRequestBelowTheReconcileThatAsked() {
    api.answer(
        "GET " + MAP,
        "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"settings\"}}");
    server("Foo").put(Samples.json("Foo", "a"));
    startUntilReady(
        ofFoo()
            .rateLimiter(RateLimiter.exponential(Duration.ofHours(1), Duration.ofHours(1)))
            .reconciler(
                (request, context) -> {
                  manager.kubernetesClient().raw(MAP);
                  return Result.requeueWithBackoff();
                })
            .register(manager));
    SpanData reconcile = eventually("reconcile foo");
    assertThat(attribute(reconcile, "controller")).isEqualTo("foo");
    assertThat(attribute(reconcile, "result")).isEqualTo("requeue");
    assertThat(attribute(reconcile, "namespace")).isEqualTo("default");
    assertThat(attribute(reconcile, "name")).isEqualTo("a");
    SpanData request =
        eventually(span -> span.getName().equals("GET") && attribute(span, "path").equals(MAP));
    assertThat(request.getParentSpanId()).isEqualTo(reconcile.getSpanId());
    assertThat(request.getTraceId()).isEqualTo(reconcile.getTraceId());
    assertThat(attribute(request, "code")).isEqualTo("200");
    assertThat(attribute(request, "path")).isEqualTo(MAP);
  }

  @Test
  void marksAReconcileThatFails() {
    server("Foo").put(Samples.json("Foo", "a"));
    startUntilReady(
        ofFoo()
            .rateLimiter(RateLimiter.exponential(Duration.ofHours(1), Duration.ofHours(1)))
            .reconciler((request, context) -> raise(new IllegalStateException("no luck")))
            .register(manager));
    SpanData reconcile = eventually("reconcile foo");
    assertThat(attribute(reconcile, "result")).isEqualTo("error");
    assertThat(reconcile.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(reconcile.getParentSpanId()).isEqualTo("0000000000000000");
  }

  private static ReconcileContext someContext() {
    return (ReconcileContext)
        Proxy.newProxyInstance(
            TracingTest.class.getClassLoader(),
            new Class<?>[] {ReconcileContext.class},
            (proxy, method, arguments) -> method.getName().equals("reconcileId") ? "id" : null);
  }

  /** Whoever observes harms nothing: neither by the start, nor by the end, nor by an error. */
  @Test
  void harmsNoReconcileIfTheObserverFails() throws Exception {
    ObservationRegistry broken = ObservationRegistry.create();
    broken
        .observationConfig()
        .observationHandler(
            new ObservationHandler<Observation.Context>() {
              @Override
              public void onStart(Observation.Context context) {
                throw new IllegalStateException("start");
              }

              @Override
              public void onStop(Observation.Context context) {
                throw new IllegalStateException("stop");
              }

              @Override
              public void onError(Observation.Context context) {
                throw new IllegalStateException("error");
              }

              @Override
              public boolean supportsContext(Observation.Context context) {
                return true;
              }
            });
    Result wanted = Result.requeueAfter(Duration.ofSeconds(7));
    try (Logs logs = Logs.of(ObservedReconciler.class)) {
      assertThat(
              ObservedReconciler.of(broken, "foo", (request, context) -> wanted)
                  .reconcile(Request.of("a"), someContext()))
          .isEqualTo(wanted);
      TerminalException failure = new TerminalException("no luck");
      assertThatThrownBy(
              () ->
                  ObservedReconciler.of(broken, "foo", (request, context) -> raise(failure))
                      .reconcile(Request.of("a"), someContext()))
          .isSameAs(failure);
      assertThat(logs.lines()).hasSizeGreaterThan(3).allMatch(line -> line.startsWith("ERROR"));
    }
  }

  @Test
  void costsNothingWithoutAnObservationRegistry() {
    assertThat(ObservedReconciler.of(ObservationRegistry.NOOP, "foo", NOTHING)).isSameAs(NOTHING);
    assertThat(List.of(ObservedReconciler.of(ObservationRegistry.create(), "foo", NOTHING)))
        .doesNotContain(NOTHING);
  }
}
