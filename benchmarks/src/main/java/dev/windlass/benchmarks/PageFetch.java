// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fetches a list page by page and throws it away: what the transport alone costs. */
final class PageFetch {

  private static final Pattern CONTINUE = Pattern.compile("\"continue\":\"([^\"]+)\"");

  /** Where the token is: custom resources' lists end with their metadata. */
  private static final int END = 4096;

  private final KubernetesClient client;

  /** The last bytes of the page, in a ring. */
  private final byte[] last = new byte[END];

  private long length;

  PageFetch(KubernetesClient client) {
    this.client = client;
  }

  /** Returns when all pages were read. */
  void run(int limit) {
    String token = "";
    do {
      length = 0;
      String query = "?limit=" + limit + "&continue=" + encode(token);
      HttpRequest request =
          client
              .getHttpClient()
              .newHttpRequestBuilder()
              .uri(
                  URI.create(
                      client.getMasterUrl() + "apis/bench.windlass.dev/v1/benchresources" + query))
              .forStreaming()
              .build();
      HttpResponse<AsyncBody> response =
          client.getHttpClient().consumeBytes(request, this::read).join();
      if (!response.isSuccessful()) {
        throw new IllegalStateException("status " + response.code());
      }
      response.body().consume();
      response.body().done().join();
      token = token();
    } while (!token.isEmpty());
  }

  private void read(List<ByteBuffer> buffers, AsyncBody body) {
    for (ByteBuffer buffer : buffers) {
      int skipped = Math.max(0, buffer.remaining() - END);
      buffer.position(buffer.position() + skipped);
      length += skipped;
      while (buffer.hasRemaining()) {
        int at = (int) (length % END);
        int count = Math.min(END - at, buffer.remaining());
        buffer.get(last, at, count);
        length += count;
      }
    }
    body.consume();
  }

  private String token() {
    int from = (int) (length % END);
    byte[] end = new byte[END];
    System.arraycopy(last, from, end, 0, END - from);
    System.arraycopy(last, 0, end, END - from, from);
    Matcher matcher = CONTINUE.matcher(new String(end, StandardCharsets.UTF_8));
    return matcher.find() ? matcher.group(1) : "";
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
