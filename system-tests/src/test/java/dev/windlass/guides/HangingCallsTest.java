// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.awaitility.Awaitility.await;

import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.tests.owned.Widget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of "Calls that may hang" in {@code docs/concepts/reconciling.md}. */
@Timeout(60)
final class HangingCallsTest {

  @AutoClose private final GuideServer server = new GuideServer();
  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicInteger timedOut = new AtomicInteger();

  private Result report(Widget widget, IOException failure) {
    if (!widget.getMetadata().getName().isEmpty() && failure != null) {
      timedOut.incrementAndGet();
    }
    return Result.requeueAfter(Duration.ofMinutes(1));
  }

  private Controller register(URI health) {
    // sample: options
    return ControllerBuilder.forType(Widget.class)
        .reconcileTimeout(Duration.ofSeconds(20))
        .maxConcurrentReconciles(4)
        .objectReconciler((widget, context) -> check(widget, health))
        .register(server.manager);
    // end
  }

  // sample: call
  private Result check(Widget widget, URI health) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(health).timeout(Duration.ofSeconds(2)).build();
    try {
      boolean healthy = http.send(request, BodyHandlers.discarding()).statusCode() == 200;
      return healthy ? Result.done() : Result.requeueAfter(Duration.ofSeconds(30));
    } catch (IOException e) { // the time-out of the call is one, too
      return report(widget, e); // a condition; and requeueAfter(1 min), instead of throwing
    }
  }

  // end

  @Test
  void endsACallThatHangs() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      register(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"));
      server.manager.start();
      server.create("w");
      await().until(() -> timedOut.get() == 1);
    }
  }
}
