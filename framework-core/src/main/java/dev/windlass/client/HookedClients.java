// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import dev.windlass.time.Scheduler;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.net.URI;
import java.util.Optional;

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

  /** A client of its own, on the transport that fabric8 finds, in the system's time. */
  public static KubernetesClient of(Config config, WriteHook hook) {
    return of(config, hook, RequestListener.NONE);
  }

  /** A client of its own, of whose requests somebody hears. */
  public static KubernetesClient of(Config config, WriteHook hook, RequestListener listener) {
    return of(config, hook, listener, HttpClientUtils.getHttpClientFactory(), Scheduler.system());
  }

  /**
   * A client of its own. If the configuration names files with the CA, or with the client's
   * certificate and key, new connections use what is in them now: they are read again when a server
   * is not trusted, and else every 10 s at most. Credentials that are {@link RenewedCredentials}
   * are asked for with each request and handshake.
   *
   * @param listener hears of requests
   * @param transport makes the HTTP client
   * @param scheduler whose time tells when files are read again
   * @throws IllegalArgumentException if these files can't be used, naming them
   */
  public static KubernetesClient of(
      Config config,
      WriteHook hook,
      RequestListener listener,
      HttpClient.Factory transport,
      Scheduler scheduler) {
    Hooks hooks = new Hooks(hook, listener, basePath(config));
    Optional<TlsFiles> files = TlsFiles.of(config, transport, scheduler);
    return build(
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientFactory(
                new HttpClient.Factory() {
                  @Override
                  public HttpClient.Builder newBuilder(Config other) {
                    HttpClient.Builder builder = transport.newBuilder(other);
                    files.ifPresent(
                        tls ->
                            builder
                                .sslContext(tls.keys(), tls.trust())
                                .addOrReplaceInterceptor(
                                    "windlass-certificates", tls.beforeRequests()));
                    if (config.getOauthTokenProvider() instanceof RenewedCredentials renewed) {
                      builder.addOrReplaceInterceptor(
                          TokenRefreshInterceptor.NAME, new RenewedToken(renewed));
                    }
                    return new HookedBuilder(builder, hooks);
                  }

                  @Override
                  public HttpClient.Builder newBuilder() {
                    return new HookedBuilder(transport.newBuilder(), hooks);
                  }
                }));
  }

  /**
   * A client that shares the connections of another one, and must not be closed beside it. Whom it
   * trusts is the other's.
   */
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
