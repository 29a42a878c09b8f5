// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.client.pipeline.RequestListener;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Observes each request to the API server. With tracing, the span of a request is a child of the
 * span of the reconcile that sends it. The path is a high-cardinality key, because it contains
 * object names. Meters do not use such keys. The other keys have low cardinality and do not contain
 * object names.
 */
final class RequestObservations implements RequestListener {

  private static final String NAME = "windlass.request";

  private final ObservationRegistry registry;
  private final String host;

  private RequestObservations(ObservationRegistry registry, String host) {
    this.registry = registry;
    this.host = host;
  }

  /**
   * Returns a listener that observes the requests to a host. If the registry is {@link
   * ObservationRegistry#NOOP}, the listener has no effect.
   */
  static RequestListener of(ObservationRegistry registry, String host) {
    return registry == ObservationRegistry.NOOP
        ? RequestListener.NONE
        : new RequestObservations(registry, host);
  }

  @Override
  public Answered sending(HttpRequest request) {
    Observation observation =
        Observation.createNotStarted(NAME, registry)
            .contextualName(request.method())
            .lowCardinalityKeyValue("method", request.method())
            .lowCardinalityKeyValue("host", host)
            .highCardinalityKeyValue("path", String.valueOf(request.uri().getPath()))
            .start();
    return (code, bytes) -> {
      observation.lowCardinalityKeyValue("code", code == 0 ? "none" : Integer.toString(code));
      if (code == 0 || code >= 500) {
        observation.error(new Unanswered(code));
      }
      observation.stop();
    };
  }

  /**
   * The error that marks a span as failed. It is used if there was no response or the response had
   * a 5xx status.
   */
  private static final class Unanswered extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unanswered(int code) {
      super(code == 0 ? "no response" : "response " + code, null, false, false);
    }
  }
}
