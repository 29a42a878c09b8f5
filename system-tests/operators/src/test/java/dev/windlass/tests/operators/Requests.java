// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** Records the requests of one client, on any server. May be used from any thread. */
public final class Requests implements Interceptor {

  /**
   * One request.
   *
   * @param path without the server's address and the API group, such as {@code foos/a/status}
   * @param query as it was sent; empty if there was none
   * @param body empty if there was none
   * @param at {@link System#nanoTime} when it was recorded
   */
  public record Sent(String method, String path, String query, String body, long at) {

    static Sent of(HttpRequest request) {
      String path = request.uri().getPath().replaceFirst("^/(api/v1|apis/[^/]+/[^/]+)/", "");
      String query = request.uri().getQuery() == null ? "" : request.uri().getQuery();
      String body = request.bodyString() == null ? "" : request.bodyString();
      return new Sent(request.method(), path, query, body, System.nanoTime());
    }

    /** Method and resource, such as {@code PUT foos/status}, without names and namespaces. */
    public String action() {
      String[] parts = path.split("/", -1);
      int at = parts[0].equals("namespaces") && parts.length > 2 ? 2 : 0;
      return method + " " + parts[at] + (parts.length > at + 2 ? "/" + parts[at + 2] : "");
    }

    /** Method and path, such as {@code DELETE namespaces/sample-test2}. */
    public String line() {
      return method + " " + path;
    }

    /** Whether it was to change an object; Events and questions about rights don't count. */
    public boolean isWrite() {
      return !method.equals("GET") && !path.startsWith("selfsubject") && !path.contains("/events");
    }

    public boolean isWatch() {
      return query.contains("watch=true");
    }
  }

  private final List<Sent> sent = new CopyOnWriteArrayList<>();

  /** A client whose requests are recorded here. */
  public KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("requests", this))
        .build();
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    sent.add(Sent.of(request));
  }

  /** What was sent, in order, whether or not the server accepted it. */
  public List<Sent> sent(Predicate<Sent> which) {
    return sent.stream().filter(which).toList();
  }

  /** What was sent and did this, such as {@code POST namespaces}. */
  public List<Sent> of(String action) {
    return sent(request -> request.action().equals(action));
  }

  /** The actions of all writes that were sent. */
  public List<String> writes() {
    return sent(Sent::isWrite).stream().map(Sent::action).toList();
  }
}
