// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.net.URI;

/**
 * Makes fabric8 clients with a {@link WriteHook}, which stands around every write through them and
 * through all clients that are derived from them, and a {@link RequestListener}, which hears of
 * every request.
 *
 * <p>They fail once and visibly: fabric8 would repeat failed requests, creations too, so that is
 * turned off.
 */
public final class HookedClients {

  private HookedClients() {}

  /** A client of its own. */
  public static KubernetesClient of(Config config, WriteHook hook) {
    return of(config, hook, RequestListener.NONE);
  }

  /** A client of its own, of whose requests somebody hears. */
  public static KubernetesClient of(Config config, WriteHook hook, RequestListener listener) {
    HttpClient.Factory factory = HttpClientUtils.getHttpClientFactory();
    Hooks hooks = new Hooks(hook, listener, basePath(config));
    return build(
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientFactory(
                new HttpClient.Factory() {
                  @Override
                  public HttpClient.Builder newBuilder(Config other) {
                    return new HookedBuilder(factory.newBuilder(other), hooks);
                  }

                  @Override
                  public HttpClient.Builder newBuilder() {
                    return new HookedBuilder(factory.newBuilder(), hooks);
                  }
                }));
  }

  /** A client that shares the connections of another one, and must not be closed beside it. */
  public static KubernetesClient around(KubernetesClient other, WriteHook hook) {
    return around(other, hook, RequestListener.NONE);
  }

  /** As {@link #around(KubernetesClient, WriteHook)}, and somebody hears of its requests. */
  public static KubernetesClient around(
      KubernetesClient other, WriteHook hook, RequestListener listener) {
    Config config = other.getConfiguration();
    Hooks hooks = new Hooks(hook, listener, basePath(config));
    return build(
        new KubernetesClientBuilder()
            .withConfig(config)
            .withKubernetesSerialization(other.getKubernetesSerialization())
            .withHttpClientFactory(
                new HttpClient.Factory() {
                  @Override
                  public HttpClient.Builder newBuilder(Config ignored) {
                    return newBuilder(); // it has been configured
                  }

                  @Override
                  public HttpClient.Builder newBuilder() {
                    return new HookedBuilder(other.getHttpClient().newBuilder(), hooks);
                  }
                }));
  }

  private static KubernetesClient build(KubernetesClientBuilder builder) {
    KubernetesClient built = builder.build();
    RequestConfig own = built.getConfiguration().getRequestConfig();
    return built
        .newClient(new RequestConfigBuilder(own).withRequestRetryBackoffLimit(0).build())
        .adapt(KubernetesClient.class);
  }

  private static String basePath(Config config) {
    String path = URI.create(config.getMasterUrl()).getPath();
    return path.endsWith("/") ? path : path + "/";
  }
}
