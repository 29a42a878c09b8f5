// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody.Consumer;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down the requests of one client, on whatever server. */
final class RequestRecorder implements Interceptor {

  /**
   * One request.
   *
   * @param path below the server's address, without the query
   */
  record Call(String method, String path, String body, int code) {

    /** Method and resource, such as {@code PUT foos/status}, without names and namespaces. */
    String action() {
      String[] parts = path.replaceFirst("^/(api/v1|apis/[^/]+/[^/]+)/", "").split("/", -1);
      int at = parts[0].equals("namespaces") && parts.length > 2 ? 2 : 0;
      return method + " " + parts[at] + (parts.length > at + 2 ? "/" + parts[at + 2] : "");
    }

    /** Whether it was to change something; a question about one's rights changes nothing. */
    boolean isWrite() {
      return !method.equals("GET") && !path.contains("/authorization.k8s.io/");
    }
  }

  private final List<Call> calls = new CopyOnWriteArrayList<>();

  /** How often the next requests of an action are to fail. */
  private final Map<String, Integer> failing = new ConcurrentHashMap<>();

  /** Lets the next requests of an action, such as {@code PUT foos/status}, fail. */
  void failNext(String action, int times) {
    failing.put(action, times);
  }

  /** Whether all the requests that were to fail have done so. */
  boolean hasFailedAll() {
    return failing.isEmpty();
  }

  /**
   * Sends a request that is to fail to where every server refuses it; without a namespace in the
   * path, fabric8's mock server would not answer at all.
   */
  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    String action = new Call(request.method(), request.uri().getPath(), "", 0).action();
    if (failing.containsKey(action)) {
      failing.computeIfPresent(action, (key, left) -> left > 1 ? left - 1 : null);
      builder.uri(
          request.uri().resolve("/apis/fault.windlass.dev/v1/namespaces/fault/faults/fault"));
    }
  }

  /** A client whose requests are written down here. */
  KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("recorder", this))
        .build();
  }

  @Override
  public void after(
      HttpRequest request, HttpResponse<?> response, Consumer<List<ByteBuffer>> consumer) {
    String body = request.bodyString() == null ? "" : request.bodyString();
    calls.add(new Call(request.method(), request.uri().getPath(), body, response.code()));
  }

  /** What changed something: all requests that are no reads, succeeded, and are not Events. */
  List<Call> writes() {
    return calls.stream()
        .filter(call -> call.isWrite() && call.code() < 300)
        .filter(call -> !call.path().contains("/events"))
        .toList();
  }

  /** What was asked to be changed, whether or not it was; in order, without Events. */
  List<String> attempts() {
    return calls.stream()
        .filter(Call::isWrite)
        .filter(call -> !call.path().contains("/events"))
        .map(Call::action)
        .toList();
  }

  /** What {@link #writes()} did, in order. */
  List<String> actions() {
    return writes().stream().map(Call::action).toList();
  }

  /** Reads of single objects, which a cache makes unnecessary. */
  long gets() {
    return calls.stream()
        .filter(call -> call.path().matches(".*/(foos|deployments)/[^/]+") && !call.isWrite())
        .count();
  }
}
