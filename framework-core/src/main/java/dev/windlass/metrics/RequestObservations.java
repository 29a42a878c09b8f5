// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.client.RequestListener;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * Observes each request to the API server: a span, if somebody traces, below that of the reconcile
 * that asks. Only the path has a name of an object in it, so it is a key of high cardinality, which
 * meters do not see.
 */
final class RequestObservations implements RequestListener {

  private static final String NAME = "windlass.request";

  private final ObservationRegistry registry;
  private final String host;

  private RequestObservations(ObservationRegistry registry, String host) {
    this.registry = registry;
    this.host = host;
  }

  /** Observes the requests to a host; nothing, if nobody ever wants to know. */
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

  /** Why a span is marked as failed. */
  private static final class Unanswered extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unanswered(int code) {
      super(code == 0 ? "no answer" : "answered with " + code, null, false, false);
    }
  }
}
