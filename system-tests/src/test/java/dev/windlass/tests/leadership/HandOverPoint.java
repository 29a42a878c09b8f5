// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.leadership;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sees each request of a client when it is handed to the transport, right before the fence looks at
 * it, and knows by its own measure until when this process may write: a renew deadline from the
 * start of the last renewal that was answered. Writes of other things come one at a time.
 *
 * <p>A request that is here in time may be frozen further down and leave late; one that is late
 * here must not leave at all.
 */
final class HandOverPoint implements Interceptor {

  private final long renewDeadline;
  private final AtomicInteger inTime = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private volatile long renewalStarted;
  private volatile long deadline;
  private volatile boolean lastWasLate;

  HandOverPoint(Duration renewDeadline) {
    this.renewDeadline = renewDeadline.toNanos();
    this.deadline = System.nanoTime();
  }

  private static boolean isWrite(HttpRequest request) {
    return !request.method().equals("GET");
  }

  private static boolean isRenewal(HttpRequest request) {
    return isWrite(request) && request.uri().getPath().contains("/leases");
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    long now = System.nanoTime();
    if (isRenewal(request)) {
      renewalStarted = now;
    } else if (isWrite(request) && request.uri().getPath().contains("/configmaps")) {
      lastWasLate = now - deadline > 0;
      (lastWasLate ? late : inTime).incrementAndGet();
    }
  }

  @Override
  public void after(
      HttpRequest request,
      HttpResponse<?> response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    if (isRenewal(request) && response.isSuccessful()) {
      deadline = renewalStarted + renewDeadline;
    }
  }

  /** The fence kept the last write back: if it was late, it has not left. */
  void refused() {
    if (lastWasLate) {
      late.decrementAndGet();
    }
  }

  /** How many writes were handed over before the deadline. */
  int inTime() {
    return inTime.get();
  }

  /** How many writes were handed over after the deadline, and were not refused. */
  int late() {
    return late.get();
  }
}
