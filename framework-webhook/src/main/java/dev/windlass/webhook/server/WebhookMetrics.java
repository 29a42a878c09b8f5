// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import dev.windlass.metrics.Buckets;
import dev.windlass.metrics.Meters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The meters of one path. They have the same names and labels as in controller-runtime. This class
 * is thread-safe.
 */
final class WebhookMetrics {

  private final String path;
  private final Meters meters;
  private final Timer latency;
  private final Counter panics;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Map<Integer, Counter> requests = new ConcurrentHashMap<>();

  WebhookMetrics(String path, MeterRegistry registry) {
    this.path = path;
    this.meters = new Meters(registry);
    latency =
        meters.timer(
            "controller_runtime_webhook_latency_seconds",
            "How long webhooks take to answer",
            Buckets.QUEUE,
            "webhook",
            path);
    meters.gauge(
        "controller_runtime_webhook_requests_in_flight",
        "Requests that webhooks are answering",
        inFlight::get,
        "webhook",
        path);
    panics =
        meters.counter(
            "controller_runtime_webhook_panics_total",
            "Exceptions that validators, defaulters and converters have thrown",
            "webhook",
            path);
    var unused = requests(200);
    unused = requests(500);
  }

  private Counter requests(int code) {
    return requests.computeIfAbsent(
        code,
        status ->
            meters.counter(
                "controller_runtime_webhook_requests_total",
                "Answered requests by HTTP status",
                "webhook",
                path,
                "code",
                String.valueOf(status)));
  }

  void begun() {
    inFlight.incrementAndGet();
  }

  void ended(int status, Duration took) {
    inFlight.decrementAndGet();
    latency.record(took);
    requests(status).increment();
  }

  void panicked() {
    panics.increment();
  }

  void close() {
    meters.close();
  }
}
