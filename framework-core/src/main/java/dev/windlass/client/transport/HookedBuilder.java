// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.transport;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.TlsVersion;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

/**
 * Builds {@link HookedHttpClient}s. When it builds a derived client, the builder ignores settings
 * that cannot be changed on derived clients.
 */
final class HookedBuilder implements HttpClient.Builder {

  private final HttpClient.DerivedClientBuilder delegate;
  private final RequestHooks hooks;

  HookedBuilder(HttpClient.DerivedClientBuilder delegate, RequestHooks hooks) {
    this.delegate = delegate;
    this.hooks = hooks;
  }

  private HookedBuilder set(Consumer<HttpClient.Builder> setting) {
    if (delegate instanceof HttpClient.Builder builder) {
      setting.accept(builder);
    }
    return this;
  }

  @Override
  public HttpClient build() {
    Repetition.prepare(delegate);
    return new HookedHttpClient(delegate.build(), hooks);
  }

  @Override
  public HttpClient.Builder addOrReplaceInterceptor(String name, Interceptor interceptor) {
    delegate.addOrReplaceInterceptor(name, interceptor);
    return this;
  }

  @Override
  public HttpClient.Builder authenticatorNone() {
    delegate.authenticatorNone();
    return this;
  }

  @Override
  public HttpClient.DerivedClientBuilder tag(Object value) {
    delegate.tag(value);
    return this;
  }

  @Override
  public HttpClient.Builder connectTimeout(long timeout, TimeUnit unit) {
    return set(builder -> builder.connectTimeout(timeout, unit));
  }

  @Override
  public HttpClient.Builder sslContext(KeyManager[] keys, TrustManager[] trust) {
    return set(builder -> builder.sslContext(keys, trust));
  }

  @Override
  public HttpClient.Builder followAllRedirects() {
    return set(HttpClient.Builder::followAllRedirects);
  }

  @Override
  public HttpClient.Builder proxyAddress(InetSocketAddress address) {
    return set(builder -> builder.proxyAddress(address));
  }

  @Override
  public HttpClient.Builder proxyAuthorization(String credentials) {
    return set(builder -> builder.proxyAuthorization(credentials));
  }

  @Override
  public HttpClient.Builder tlsVersions(TlsVersion... versions) {
    return set(builder -> builder.tlsVersions(versions));
  }

  @Override
  public HttpClient.Builder tlsServerName(String name) {
    return set(builder -> builder.tlsServerName(name));
  }

  @Override
  public HttpClient.Builder preferHttp11() {
    return set(HttpClient.Builder::preferHttp11);
  }

  @Override
  public HttpClient.Builder proxyType(HttpClient.ProxyType type) {
    return set(builder -> builder.proxyType(type));
  }
}
