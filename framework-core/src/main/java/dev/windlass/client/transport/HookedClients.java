// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.transport;

import dev.windlass.client.http.SocketTransport;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.tls.RenewedCredentials;
import dev.windlass.tls.TlsFiles;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.net.URI;
import java.util.Optional;

/**
 * Creates fabric8 clients that call a {@link WriteHook} and a {@link RequestListener}. The hook
 * intercepts every write through these clients and the clients derived from them. The listener
 * observes every request.
 *
 * <p>The clients do not retry failed requests. This class disables fabric8's retries, because
 * fabric8 would also retry create requests.
 */
public final class HookedClients {

  private HookedClients() {}

  /** Creates a client with its own connections, a {@link SocketTransport} and the system clock. */
  public static KubernetesClient of(Config config, WriteHook hook) {
    return of(config, hook, RequestListener.NONE);
  }

  /**
   * Creates a client in the same way as {@link #of(Config, WriteHook)}, and adds a listener for its
   * requests.
   */
  public static KubernetesClient of(Config config, WriteHook hook, RequestListener listener) {
    Scheduler scheduler = Scheduler.system();
    return of(config, hook, listener, new SocketTransport(scheduler), scheduler);
  }

  /**
   * Creates a client with its own connections. The configuration can specify files that contain the
   * CA certificates, or the client's certificate and key. In this case, the client reads the files
   * again before a handshake if it has not read them in the last 10 s, and whenever it does not
   * trust a server. If the credentials are {@link RenewedCredentials}, the client requests the
   * current credentials for each request and each handshake.
   *
   * @param listener the observer of the requests
   * @param transport the factory of the HTTP client
   * @param scheduler the clock that determines when the files are due to be read again
   * @throws IllegalArgumentException if the files cannot be used; the message states which files
   */
  public static KubernetesClient of(
      Config config,
      WriteHook hook,
      RequestListener listener,
      HttpClient.Factory transport,
      Scheduler scheduler) {
    RequestHooks hooks = new RequestHooks(hook, listener, basePath(config));
    Optional<TlsFiles> files = TlsFiles.of(config, transport, scheduler);
    return build(
        new KubernetesClientBuilder()
            .withConfig(config)
            .withKubernetesSerialization(ObjectSerialization.standard())
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
                          TokenRefreshInterceptor.NAME, new TokenInterceptor(renewed));
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
   * Creates a client that shares the connections of the given client, and trusts the same servers.
   * Close only the given client.
   */
  public static KubernetesClient around(KubernetesClient other, WriteHook hook) {
    return around(other, hook, RequestListener.NONE);
  }

  /**
   * Creates a client in the same way as {@link #around(KubernetesClient, WriteHook)}, and adds a
   * listener for its requests.
   */
  public static KubernetesClient around(
      KubernetesClient other, WriteHook hook, RequestListener listener) {
    Config config = other.getConfiguration();
    RequestHooks hooks = new RequestHooks(hook, listener, basePath(config));
    return build(
        new KubernetesClientBuilder()
            .withConfig(config)
            .withKubernetesSerialization(other.getKubernetesSerialization())
            .withHttpClientFactory(
                new HttpClient.Factory() {
                  @Override
                  public HttpClient.Builder newBuilder(Config ignored) {
                    return newBuilder(); // the other client is already configured
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
