// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.Interceptor.RequestTags;
import java.util.Optional;

/**
 * Disables fabric8's retries, which repeat all requests, also creations, and whose delays would
 * multiply with those of our own back-offs.
 */
public final class Retries {

  private Retries() {}

  /** Returns an HTTP client that shares the connections of the given client and never retries. */
  public static HttpClient disabled(KubernetesClient client) {
    return client.getHttpClient().newBuilder().tag(config(client)).build();
  }

  /**
   * Returns the {@link HttpClient.DerivedClientBuilder#tag tag} of a derived client that never
   * retries. The tag keeps the other settings of the client, such as the user to impersonate: a tag
   * without them would replace them.
   */
  public static RequestConfig config(KubernetesClient client) {
    return without(
        tag(client.getHttpClient()).orElseGet(() -> client.getConfiguration().getRequestConfig()));
  }

  /** Does the same as {@link #config(KubernetesClient)} for a client that has such a tag. */
  public static RequestConfig config(HttpClient http) {
    return without(tag(http).orElseGet(() -> new RequestConfigBuilder().build()));
  }

  private static Optional<RequestConfig> tag(HttpClient http) {
    return http instanceof RequestTags tags
        ? Optional.ofNullable(tags.getTag(RequestConfig.class))
        : Optional.empty();
  }

  private static RequestConfig without(RequestConfig own) {
    return new RequestConfigBuilder(own).withRequestRetryBackoffLimit(0).build();
  }
}
