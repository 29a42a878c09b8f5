// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.client.pipeline.RequestListener;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The metrics of requests to one API server. They count the requests and, optionally, measure their
 * durations and sizes. The host label always contains the host in the client's configuration, even
 * if a request is sent to another host.
 */
final class RequestMetrics implements RequestListener, AutoCloseable {

  /**
   * The value of the label {@code code} if there was no response. It is the same as in client-go.
   */
  private static final String NO_ANSWER = "<error>";

  /** The label value for unexpected methods and codes. It keeps the number of series small. */
  private static final String OTHER = "other";

  /** The maximum number of combinations of method and code that have their own series. */
  static final int MAX_SERIES = 100;

  private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

  private record Kind(String method, int code) {}

  private record Histograms(Timer duration, DistributionSummary sent, DistributionSummary got) {}

  private final Meters meters;
  private final String host;
  private final Scheduler scheduler;
  private final Map<Kind, Counter> counters = new ConcurrentHashMap<>();
  private final AtomicInteger series = new AtomicInteger();
  private final Counter others;

  /** The histograms, keyed by method. The map is empty if histograms are disabled. */
  private final Map<String, Histograms> histograms = new HashMap<>();

  RequestMetrics(Meters meters, String host, Scheduler scheduler, boolean withHistograms) {
    this.meters = meters;
    this.host = host;
    this.scheduler = scheduler;
    this.others = counter(OTHER, OTHER);
    for (String method : METHODS) {
      of(method, method.equals("POST") ? 201 : 200);
      of(method, 0);
    }
    if (withHistograms) {
      METHODS.forEach(method -> histograms.put(method, histograms(method)));
      histograms.put(OTHER, histograms(OTHER));
    }
  }

  private Counter counter(String method, String code) {
    return meters.counter(
        "rest_client_requests_total",
        "HTTP requests to the API server, by response",
        "code",
        code,
        "method",
        method,
        "host",
        host);
  }

  private Histograms histograms(String verb) {
    String[] labels = {"verb", verb, "host", host};
    return new Histograms(
        meters.timer(
            "rest_client_request_duration_seconds",
            "How long requests to the API server took; watches are excluded",
            Buckets.REQUEST,
            labels),
        meters.sizes(
            "rest_client_request_size_bytes", "The bodies of requests to the API server", labels),
        meters.sizes(
            "rest_client_response_size_bytes",
            "The bodies of responses of the API server, except streams",
            labels));
  }

  private Counter of(String method, int code) {
    Kind kind = new Kind(method, code);
    Counter known = counters.get(kind);
    if (known != null) {
      return known;
    }
    boolean odd = !METHODS.contains(method) || code < 0 || code > 599;
    if (odd || series.get() >= MAX_SERIES) {
      return others;
    }
    return counters.computeIfAbsent(
        kind,
        absent -> {
          series.incrementAndGet();
          return counter(method, code == 0 ? NO_ANSWER : Integer.toString(code));
        });
  }

  @Override
  public Answered sending(HttpRequest request) {
    String method = request.method();
    if (histograms.isEmpty()) {
      return (code, bytes) -> of(method, code).increment();
    }
    Histograms measures = histograms.getOrDefault(method, histograms.get(OTHER));
    if (measures == null) {
      throw new IllegalStateException("there is one for all others");
    }
    measures.sent().record((double) size(request));
    boolean watch = isWatch(request);
    long begin = scheduler.nanoTime();
    return (code, bytes) -> {
      of(method, code).increment();
      if (!watch) {
        measures.duration().record(Duration.ofNanos(scheduler.nanoTime() - begin));
      }
      if (bytes >= 0) {
        measures.got().record((double) bytes);
      }
    };
  }

  private static boolean isWatch(HttpRequest request) {
    String query = request.uri().getQuery();
    return query != null && (query.contains("watch=true") || query.contains("watch=1"));
  }

  private static long size(HttpRequest request) {
    if (request instanceof StandardHttpRequest standard
        && standard.body() instanceof StandardHttpRequest.ByteArrayBodyContent bytes) {
      return bytes.getContent().length;
    }
    String text = request.bodyString();
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }

  @Override
  public void close() {
    meters.close();
  }
}
