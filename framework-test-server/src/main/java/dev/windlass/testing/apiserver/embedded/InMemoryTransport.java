// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.reads.OpenWatches;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory connection to an {@link EmbeddedApiServer}, without sockets. Requests are executed
 * on the calling thread. The server's {@link EmbeddedApiServerBuilder#timers} deliver watch events
 * one by one. If timers are not set, a server thread delivers the events.
 *
 * <p>Each transport represents the network of one process. A test can inject faults into this
 * network with a {@link TransportHook} or {@link #disconnect()}. WebSockets are not supported. This
 * class is thread-safe.
 */
public final class InMemoryTransport implements HttpClient.Factory {

  /**
   * The serialization that all clients share. Each further instance would have to inspect the
   * classes of objects again.
   */
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  private final ApiRequests requests;
  private final OpenWatches open;
  private final Background deliveries;
  private final TransportHook hook;
  private final Runnable afterRequest;

  @GuardedBy("this")
  private final Set<WatchBody> watches = new LinkedHashSet<>();

  @GuardedBy("this")
  private boolean disconnected;

  InMemoryTransport(
      ApiRequests requests,
      OpenWatches open,
      Background deliveries,
      TransportHook hook,
      Runnable afterRequest) {
    this.requests = requests;
    this.open = open;
    this.deliveries = deliveries;
    this.hook = hook;
    this.afterRequest = afterRequest;
  }

  /** Creates a fabric8 client that uses this transport. The caller must close it. */
  public KubernetesClient newClient() {
    return new KubernetesClientBuilder()
        .withConfig(clientConfig())
        .withHttpClientFactory(this)
        .withKubernetesSerialization(SERIALIZATION)
        .build();
  }

  /**
   * Returns a new configuration for clients that use this transport. It disables fabric8's retries,
   * which would wait in real time.
   */
  public static Config clientConfig() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("http://in-memory/")
        .withNamespace("default")
        .withRequestRetryBackoffLimit(0)
        .build();
  }

  @Override
  public HttpClient.Builder newBuilder() {
    return new InMemoryHttp.Builder(this);
  }

  /**
   * Resumes the delivery of held events. For each event, the transport first calls {@link
   * TransportHook#delivers} again.
   */
  public void resume() {
    watches().forEach(WatchBody::deliverSoon);
  }

  /** Ends all open watches with a connection failure. The client can open new watches. */
  public void cutWatches() {
    watches().forEach(watch -> watch.fail("the connection was cut"));
  }

  /**
   * Ends the connection permanently, as if the process had died. Open watches receive no further
   * events, and all requests fail.
   */
  public void disconnect() {
    synchronized (this) {
      disconnected = true;
    }
    watches().forEach(WatchBody::cancel);
  }

  private synchronized List<WatchBody> watches() {
    return List.copyOf(watches);
  }

  /** Executes a request. */
  Reply send(String method, URI uri, UnaryOperator<@Nullable String> headers, byte[] body)
      throws IOException {
    synchronized (this) {
      if (disconnected) {
        throw new IOException("the process was disconnected");
      }
    }
    try {
      Optional<RecordedRequest> request = requests.parse(method, uri).map(ApiRequest::recorded);
      if (request.isPresent()) {
        hook.sending(request.get());
      }
      Reply reply = requests.answer(method, uri, headers, body);
      afterRequest.run();
      if (request.isPresent()) {
        hook.answered(request.get(), described(reply));
      }
      return reply;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is closed", e);
    }
  }

  private static TransportHook.Answer described(Reply reply) {
    if (reply instanceof Reply.Document document) {
      JsonNode metadata = document.body().path("metadata");
      return new TransportHook.Answer(
          document.code(),
          metadata.path("name").asText(),
          metadata.path("generateName").asText(),
          metadata.path("resourceVersion").asText());
    }
    int code = reply instanceof Reply.Text text ? text.code() : 200;
    return new TransportHook.Answer(code, "", "", "");
  }

  /** Opens the stream of a watch. */
  WatchBody open(Reply.Watch watch, WatchBody.Consumer consumer) {
    Runnable end = open.begin(watch.request(), watch.session());
    WatchBody body =
        new WatchBody(
            watch.request().recorded(), watch.session(), hook, deliveries, consumer, this::forget);
    body.onEnd(end);
    synchronized (this) {
      watches.add(body);
    }
    return body;
  }

  private synchronized void forget(WatchBody body) {
    watches.remove(body);
  }
}
