// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.leader.Fence;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.lang.reflect.Proxy;
import java.util.concurrent.ThreadFactory;

/** Makes clients that share the connections of another one, and whose writes pass a fence. */
final class GuardedClient {

  private static final String NAME = "windlass-fence";

  private GuardedClient() {}

  /**
   * A client whose writes pass a fence.
   *
   * @param threads tell users of web sockets that these were cut
   */
  static KubernetesClient of(KubernetesClient base, Fence fence, ThreadFactory threads) {
    return new KubernetesClientBuilder()
        .withConfig(base.getConfiguration())
        .withKubernetesSerialization(base.getKubernetesSerialization())
        .withHttpClientFactory(() -> derivedFrom(base.getHttpClient(), fence, threads))
        .build();
  }

  /**
   * fabric8 wants to build an HTTP client from the configuration. It was built before, for the
   * base; so whatever is set is there already, and what is built is derived from that.
   */
  private static HttpClient.Builder derivedFrom(
      HttpClient base, Fence fence, ThreadFactory threads) {
    return (HttpClient.Builder)
        Proxy.newProxyInstance(
            HttpClient.Builder.class.getClassLoader(),
            new Class<?>[] {HttpClient.Builder.class},
            (proxy, method, arguments) ->
                method.getName().equals("build")
                    ? new FencedHttpClient(
                        base.newBuilder()
                            .addOrReplaceInterceptor(NAME, Fence.guarding(fence))
                            .build(),
                        fence,
                        threads)
                    : proxy);
  }
}
