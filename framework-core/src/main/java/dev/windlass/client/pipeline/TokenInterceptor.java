// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import dev.windlass.tls.RenewedCredentials;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Sends the token of {@link RenewedCredentials} with each request. If the server rejects a request
 * with 401, this interceptor reports the rejection to the credentials. If they return a different
 * token, the client repeats the request with this token. This interceptor replaces fabric8's
 * interceptor, which cannot report rejections.
 */
final class TokenInterceptor implements Interceptor {

  private static final String HEADER = "Authorization";
  private static final String BEARER = "Bearer ";

  private final RenewedCredentials credentials;

  TokenInterceptor(RenewedCredentials credentials) {
    this.credentials = credentials;
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    String token = credentials.getToken();
    if (token != null) {
      builder.setHeader(HEADER, BEARER + token);
    }
  }

  @Override
  public CompletableFuture<Boolean> afterFailure(
      BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
    if (response.code() != HttpURLConnection.HTTP_UNAUTHORIZED) {
      return CompletableFuture.completedFuture(false);
    }
    String sent = response.request().header(HEADER);
    Optional<String> next =
        credentials.refused(
            sent != null && sent.startsWith(BEARER) ? sent.substring(BEARER.length()) : null);
    next.ifPresent(token -> builder.setHeader(HEADER, BEARER + token));
    return CompletableFuture.completedFuture(next.isPresent());
  }
}
