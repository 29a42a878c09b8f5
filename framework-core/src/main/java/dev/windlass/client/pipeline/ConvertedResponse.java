// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A response whose body, which was read as bytes, has the type that the caller expects.
 *
 * @param <T> the type: bytes, text, a stream or a reader
 */
record ConvertedResponse<T>(HttpResponse<byte[]> response, T body) implements HttpResponse<T> {

  /**
   * Converts the body of a response.
   *
   * @throws ClassCastException if bytes cannot be converted to this type
   */
  ConvertedResponse(HttpResponse<byte[]> response, Class<T> type) {
    this(response, convert(response.body(), type));
  }

  private static <T> T convert(byte @Nullable [] body, Class<T> type) {
    byte[] bytes = body == null ? new byte[0] : body;
    if (type == byte[].class) {
      return type.cast(bytes);
    }
    if (type == InputStream.class) {
      return type.cast(new ByteArrayInputStream(bytes));
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    return type.cast(type == Reader.class ? new StringReader(text) : text);
  }

  @Override
  public int code() {
    return response.code();
  }

  @Override
  public String message() {
    return response.message();
  }

  @Override
  public HttpRequest request() {
    return response.request();
  }

  @Override
  public Optional<HttpResponse<?>> previousResponse() {
    return response.previousResponse();
  }

  @Override
  public List<String> headers(String key) {
    return response.headers(key);
  }

  @Override
  public Map<String, List<String>> headers() {
    return response.headers();
  }
}
