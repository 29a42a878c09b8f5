// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.counts;

import dev.windlass.transport.SocketTransport;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The default transport, which counts what it sends. This class is thread-safe. */
final class CountedRequests implements HttpClient.Factory, Interceptor {

  private final SocketTransport transport = new SocketTransport();
  private final SortedMap<String, Integer> sent = new TreeMap<>();

  @Override
  public HttpClient.Builder newBuilder() {
    return transport.newBuilder().addOrReplaceInterceptor("counted", this);
  }

  @Override
  public synchronized void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    String path = request.uri().getPath().replaceAll("/namespaces/[^/]+/", "/");
    sent.merge(request.method() + ' ' + path.replaceAll("/bench-\\d+", "/*"), 1, Integer::sum);
  }

  /** Returns the number of requests by method and path, without namespaces and names. */
  synchronized Map<String, Integer> sent() {
    return new TreeMap<>(sent);
  }
}
