// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader.fencing;

import dev.windlass.client.transport.Repetition;
import dev.windlass.leader.Fence;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.lang.reflect.Proxy;
import java.util.concurrent.ThreadFactory;

/**
 * Creates clients that share the connections of another client and whose writes must pass a {@link
 * Fence}.
 */
public final class FencedClients {

  private static final String NAME = "windlass-fence";

  private FencedClients() {}

  /**
   * Creates a client whose writes must pass the given fence.
   *
   * @param base the client whose connections the new client shares
   * @param threads the factory of the threads that notify a WebSocket's listener if the fence
   *     closes the WebSocket
   */
  public static KubernetesClient of(KubernetesClient base, Fence fence, ThreadFactory threads) {
    return new KubernetesClientBuilder()
        .withConfig(base.getConfiguration())
        .withKubernetesSerialization(base.getKubernetesSerialization())
        .withHttpClientFactory(
            new HttpClient.Factory() {
              @Override
              public HttpClient.Builder newBuilder() {
                return derivedFrom(base.getHttpClient(), fence, threads);
              }

              @Override
              public HttpClient.Builder newBuilder(Config ignored) {
                return newBuilder(); // the base client is already configured
              }
            })
        .build();
  }

  /**
   * Returns a builder that derives an HTTP client from {@code base}. The builder ignores settings
   * from fabric8, because they have already been applied to {@code base}.
   */
  private static HttpClient.Builder derivedFrom(
      HttpClient base, Fence fence, ThreadFactory threads) {
    return (HttpClient.Builder)
        Proxy.newProxyInstance(
            HttpClient.Builder.class.getClassLoader(),
            new Class<?>[] {HttpClient.Builder.class},
            (proxy, method, arguments) ->
                method.getName().equals("build") ? fenced(base, fence, threads) : proxy);
  }

  private static HttpClient fenced(HttpClient base, Fence fence, ThreadFactory threads) {
    HttpClient.DerivedClientBuilder builder =
        base.newBuilder().addOrReplaceInterceptor(NAME, Fence.guarding(fence));
    Repetition.prepare(builder);
    return new FencedHttpClient(builder.build(), fence, threads);
  }
}
