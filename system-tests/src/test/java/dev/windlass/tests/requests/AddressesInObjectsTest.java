// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.windlass.client.owned.Owned;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Objects that are full of addresses: docs/security.md, inputs 31 to 33. A server on loopback,
 * which would redirect to the metadata service of a cloud, waits for a request in vain.
 */
final class AddressesInObjectsTest {

  private final AtomicInteger requests = new AtomicInteger();
  private final HttpServer trap;

  AddressesInObjectsTest() throws IOException {
    trap = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    trap.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          exchange.getResponseHeaders().add("Location", "http://169.254.169.254/latest/");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    trap.start();
  }

  @AfterEach
  void stops() {
    trap.stop(0);
  }

  private List<String> addresses() {
    String host = "127.0.0.1:" + trap.getAddress().getPort();
    return List.of(
        "http://" + host + "/",
        "https://" + host + "/",
        "http://localhost:" + trap.getAddress().getPort() + "/",
        "jar:http://" + host + "/x.jar!/",
        "ldap://" + host + "/x",
        "${jndi:ldap://" + host + "/x}",
        "http://169.254.169.254/latest/meta-data/",
        "file:///var/run/secrets/kubernetes.io/serviceaccount/token");
  }

  private Result copies(Widget widget, ReconcileContext context) {
    ConfigMap copy = Samples.map("default", widget.getMetadata().getName());
    copy.setData(Map.copyOf(widget.getMetadata().getAnnotations()));
    Owned.apply(context.client(), widget, copy);
    return Result.done();
  }

  @Test
  void areNeverOpened() {
    try (ReconcilerTest test =
        ReconcilerTest.of(Widget.class, () -> this::copies, ConfigMap.class)) {
      int count = 0;
      for (String address : addresses()) {
        Widget widget = Widget.of("default", "w" + count++);
        widget.getMetadata().setAnnotations(Map.of("url", address));
        test.create(widget);
      }
      test.assertEventuallyStable();
      assertThat(test.get(ConfigMap.class, "default", "w0").orElseThrow().getData())
          .containsEntry("url", addresses().get(0));
    }
    assertThat(requests).hasValue(0);
  }
}
