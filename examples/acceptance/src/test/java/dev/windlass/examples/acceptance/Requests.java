// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.acceptance;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what one client asks the server for, in its order. Safe for several threads. */
final class Requests implements Interceptor {

  /**
   * One request.
   *
   * @param path without the server's address and the API group, such as {@code foos/a/status}
   * @param query as it was sent; empty if there was none
   * @param sentAt {@link System#nanoTime} before it was sent
   */
  record Sent(String method, String path, String query, long sentAt) {

    /** Method and type, such as {@code PUT foos/status}, without names and namespaces. */
    String action() {
      String[] parts = path.split("/", -1);
      int at = parts[0].equals("namespaces") && parts.length > 2 ? 2 : 0;
      return method + " " + parts[at] + (parts.length > at + 2 ? "/" + parts[at + 2] : "");
    }

    /** Whether it was to change an object; Events and questions about rights don't count. */
    boolean isWrite() {
      return !method.equals("GET") && !path.startsWith("selfsubject") && !path.contains("/events");
    }

    boolean isWatch() {
      return query.contains("watch=true");
    }
  }

  private final List<Sent> all = new CopyOnWriteArrayList<>();

  /** A client whose requests are written down here. */
  KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("requests", this))
        .build();
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    String path = request.uri().getPath().replaceFirst("^/(api/v1|apis/[^/]+/[^/]+)/", "");
    String query = request.uri().getQuery() == null ? "" : request.uri().getQuery();
    all.add(new Sent(request.method(), path, query, System.nanoTime()));
  }

  /** All of them. */
  List<Sent> all() {
    return List.copyOf(all);
  }

  /** Method and type of each that was to change something. */
  List<String> writes() {
    return all.stream().filter(Sent::isWrite).map(Sent::action).toList();
  }

  /** Those that did this, such as {@code POST namespaces}. */
  List<Sent> of(String action) {
    return all.stream().filter(sent -> sent.action().equals(action)).toList();
  }
}
