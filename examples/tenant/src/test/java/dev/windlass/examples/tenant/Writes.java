// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody.Consumer;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what one client asks to be changed, on whatever server; without Events. */
final class Writes implements Interceptor {

  private final List<String> actions = new CopyOnWriteArrayList<>();

  /** A client whose requests are written down here. */
  KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("writes", this))
        .build();
  }

  @Override
  public void after(
      HttpRequest request, HttpResponse<?> response, Consumer<List<ByteBuffer>> consumer) {
    String path = request.uri().getPath();
    boolean question = path.contains("/authorization.k8s.io/");
    if (!request.method().equals("GET") && !question && !path.contains("/events")) {
      actions.add(request.method() + " " + path.replaceFirst("^/(api/v1|apis/[^/]+/[^/]+)/", ""));
    }
  }

  /** Method and path of each in order, such as {@code DELETE namespaces/sample-test2}. */
  List<String> actions() {
    return List.copyOf(actions);
  }
}
