// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Requests the same stream as Windlass's informer and discards it. This measures the cost of the
 * transport and the server alone, which is the lower bound for any informer on this transport.
 */
final class StreamFetch {

  private static final String QUERY =
      "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
          + "&allowWatchBookmarks=true&timeoutSeconds=120";

  /** The text that identifies the bookmark at the end of the list. */
  private static final byte[] MARK = "initial-events-end".getBytes(StandardCharsets.UTF_8);

  /**
   * The number of most recent bytes to keep. It exceeds the number of bytes from the start of
   * {@link #MARK} to the end of the bookmark.
   */
  private static final int TAIL = 512;

  private final KubernetesClient client;
  private final CountDownLatch listed = new CountDownLatch(1);

  /** The last bytes received. */
  private final byte[] tail = new byte[TAIL];

  StreamFetch(KubernetesClient client) {
    this.client = client;
  }

  /** Requests the stream, and returns when the list is complete. */
  void run() throws InterruptedException {
    HttpRequest request =
        client
            .getHttpClient()
            .newHttpRequestBuilder()
            .uri(
                URI.create(
                    client.getMasterUrl() + "apis/bench.windlass.dev/v1/benchresources" + QUERY))
            .forStreaming()
            .build();
    HttpResponse<AsyncBody> response =
        client.getHttpClient().consumeBytes(request, this::read).join();
    if (!response.isSuccessful()) {
      throw new IllegalStateException("status " + response.code());
    }
    response.body().consume();
    listed.await();
    response.body().cancel();
  }

  private void read(List<ByteBuffer> buffers, AsyncBody body) {
    for (ByteBuffer buffer : buffers) {
      int count = Math.min(TAIL, buffer.remaining());
      buffer.position(buffer.limit() - count);
      System.arraycopy(tail, count, tail, 0, TAIL - count);
      buffer.get(tail, TAIL - count, count);
      if (isMarked()) {
        listed.countDown();
      }
    }
    body.consume();
  }

  private boolean isMarked() {
    for (int at = 0; at + MARK.length <= TAIL; at++) {
      int same = 0;
      while (same < MARK.length && tail[at + same] == MARK[same]) {
        same++;
      }
      if (same == MARK.length) {
        return true;
      }
    }
    return false;
  }
}
