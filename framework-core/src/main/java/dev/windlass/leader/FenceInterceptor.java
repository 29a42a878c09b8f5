// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Checks a fence before each write. {@link Fence#guarding} creates instances. */
final class FenceInterceptor implements Interceptor {

  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

  /**
   * The maximum time-out that this interceptor sets: 1 h. It does not set longer time-outs, because
   * they have no practical effect and some transports cannot represent them.
   */
  private static final Duration LONGEST = Duration.ofHours(1);

  private final Fence fence;

  FenceInterceptor(Fence fence) {
    this.fence = fence;
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    if (READS.contains(request.method())) {
      return;
    }
    Duration limit = fence.check();
    if (limit.compareTo(LONGEST) < 0
        && builder instanceof HttpRequest.Builder http
        && request instanceof StandardHttpRequest given
        && isShorter(limit, timeout(given))) {
      http.timeout(Math.max(1, limit.toMillis()), TimeUnit.MILLISECONDS);
    }
  }

  private static boolean isShorter(Duration limit, @Nullable Duration own) {
    return own == null || own.isZero() || limit.compareTo(own) < 0;
  }

  private static @Nullable Duration timeout(StandardHttpRequest request) {
    return request.getTimeout();
  }

  @Override
  public String toString() {
    return "a guard by " + fence;
  }
}
