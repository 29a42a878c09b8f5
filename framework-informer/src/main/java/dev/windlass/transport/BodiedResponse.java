// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import java.util.Optional;

/** A response whose header has been read but whose body has not. */
final class BodiedResponse extends StandardHttpHeaders implements HttpResponse<AsyncBody> {

  private final ResponseHead head;
  private final HttpRequest request;
  private final AsyncBody body;

  BodiedResponse(ResponseHead head, HttpRequest request, AsyncBody body) {
    super(head.headers());
    this.head = head;
    this.request = request;
    this.body = body;
  }

  @Override
  public int code() {
    return head.code();
  }

  @Override
  public String message() {
    return head.reason().isEmpty() ? HttpResponse.super.message() : head.reason();
  }

  @Override
  public AsyncBody body() {
    return body;
  }

  @Override
  public HttpRequest request() {
    return request;
  }

  @Override
  public Optional<HttpResponse<?>> previousResponse() {
    return Optional.empty();
  }
}
