// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import dev.windlass.object.ObjectSerialization;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.tls.RenewedCredentials;
import dev.windlass.tls.TlsFiles;
import dev.windlass.transport.ProxySettings;
import dev.windlass.transport.Retries;
import dev.windlass.transport.SocketTransport;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates fabric8 clients whose requests pass a {@link Pipeline}. */
public final class PipelineClients {

  private PipelineClients() {}

  /**
   * Creates a client with its own connections. Its configuration is a copy of the given one without
   * fabric8's retries, which also repeat creations, with HTTP/1.1, and with the proxy that applies
   * to the server.
   *
   * <p>The configuration can specify files that contain the CA certificates, or the client's
   * certificate and key. In this case, the client reads the files again before a handshake if it
   * has not read them in the last 10 s, and whenever it does not trust a server. If the credentials
   * are {@link RenewedCredentials}, the client requests the current credentials for each request
   * and each handshake.
   *
   * @param transport the factory of the HTTP client, or null for a {@link SocketTransport}
   * @param scheduler the clock that determines when the files are due to be read again
   * @throws IllegalArgumentException if the files cannot be used; the message states which files
   */
  public static KubernetesClient open(
      Config given,
      HttpClient.@Nullable Factory transport,
      Pipeline.Hooks hooks,
      Scheduler scheduler) {
    Config config = new ConfigBuilder(given).build();
    config.setRequestRetryBackoffLimit(0);
    // Watches and writes share one connection with HTTP/2, and no transport replaces that
    // connection after the network has silently dropped it (docs/adr/0040).
    config.setHttp2Disable(true);
    HttpClient.Factory factory = transport == null ? new SocketTransport(scheduler) : transport;
    ProxySettings.reduce(config, factory);
    Optional<TlsFiles> files =
        TlsFiles.of(config, factory, scheduler); // names a file with an error
    HttpClient.Builder builder = factory.newBuilder(config);
    files.ifPresent(
        tls ->
            builder
                .sslContext(tls.keys(), tls.trust())
                .addOrReplaceInterceptor("windlass-certificates", tls.beforeRequests()));
    if (config.getOauthTokenProvider() instanceof RenewedCredentials renewed) {
      builder.addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, new TokenInterceptor(renewed));
    }
    return withoutRetry(
        client(
            config, ObjectSerialization.standard(), Pipeline.of(builder, basePath(config), hooks)));
  }

  /**
   * Creates a client that shares the connections of the given client, and trusts the same servers.
   * Close only the given client.
   */
  public static KubernetesClient around(KubernetesClient other, Pipeline.Hooks hooks) {
    Config config = other.getConfiguration();
    return withoutRetry(
        client(
            config,
            other.getKubernetesSerialization(),
            Pipeline.of(other.getHttpClient().newBuilder(), basePath(config), hooks)));
  }

  /**
   * Creates a client that has the pipeline of the given client, and in addition a fence.
   *
   * @throws IllegalArgumentException if the given client has no pipeline
   */
  public static KubernetesClient fenced(KubernetesClient other, Pipeline.Fencing fencing) {
    if (!(other.getHttpClient() instanceof Pipeline pipeline)) {
      throw new IllegalArgumentException("a client without a pipeline: " + other);
    }
    return client(
        other.getConfiguration(), other.getKubernetesSerialization(), pipeline.fenced(fencing));
  }

  private static KubernetesClient client(
      Config config, KubernetesSerialization serialization, Pipeline pipeline) {
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withKubernetesSerialization(serialization)
        .withHttpClientFactory(
            new HttpClient.Factory() {
              @Override
              public HttpClient.Builder newBuilder() {
                return finished(pipeline);
              }

              @Override
              public HttpClient.Builder newBuilder(Config ignored) {
                return newBuilder(); // the transport is already configured
              }
            })
        .build();
  }

  /** Returns a builder that ignores all settings and builds the given pipeline. */
  private static HttpClient.Builder finished(Pipeline pipeline) {
    return (HttpClient.Builder)
        Proxy.newProxyInstance(
            HttpClient.Builder.class.getClassLoader(),
            new Class<?>[] {HttpClient.Builder.class},
            (proxy, method, arguments) -> method.getName().equals("build") ? pipeline : proxy);
  }

  private static KubernetesClient withoutRetry(KubernetesClient built) {
    return built.newClient(Retries.config(built)).adapt(KubernetesClient.class);
  }

  private static String basePath(Config config) {
    String path = URI.create(config.getMasterUrl()).getPath();
    return path.endsWith("/") ? path : path + "/";
  }
}
