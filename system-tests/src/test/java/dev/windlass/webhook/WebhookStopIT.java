// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import static dev.windlass.testsupport.Patience.eventually;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.webhook.admission.Validator;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A stop refuses no request of a real API server. */
@Timeout(120)
final class WebhookStopIT {

  private static final Logger log = LoggerFactory.getLogger(WebhookStopIT.class);

  private static final int CLIENTS = 16;
  private static final int STOPS = 4;

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @AutoClose private KubernetesClient kubectl;
  @AutoClose private final Balancer balancer = Balancer.open();

  WebhookStopIT() throws IOException {}

  @BeforeEach
  void connects() {
    kubectl = AdmissionLoad.client(kubernetes.clientConfig());
  }

  @AfterEach
  void removesTheWebhooks() {
    WebhookReplica.uninstall(kubectl);
  }

  private WebhookReplica replica(
      String name, String address, String listensOn, Validator<ConfigMap> validator) {
    WebhookReplica replica =
        new WebhookReplica(
            name,
            kubernetes.clientConfig(),
            address,
            builder -> builder.healthProbeBindAddress("127.0.0.1:0"),
            builder ->
                builder
                    .bindAddress(listensOn)
                    .drainTime(Duration.ofSeconds(2))
                    .validate(AdmissionLoad.rule().timeout(Duration.ofSeconds(10)), validator),
            manager -> {});
    replica.install(kubectl).manager.start();
    eventually().untilAsserted(() -> assertThat(replica.problem()).isEmpty());
    return replica;
  }

  /**
   * The API server uses HTTP/2 for a webhook on its own machine. The call takes longer than the
   * drain, and longer than Jetty gives HTTP/2 connections by default.
   */
  @Test
  void answersASlowRequestOverHttp2() throws Exception {
    String place;
    try (ServerSocket free = new ServerSocket(0)) {
      place = "127.0.0.1:" + free.getLocalPort();
    }
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (WebhookReplica replica =
        replica(
            "a",
            "https://" + place,
            place,
            request -> {
              if (!request.dryRun()) {
                called.countDown();
                release.await();
              }
              return Verdict.allow().withWarning("slow");
            })) {
      eventually().untilAsserted(() -> kubectl.resource(AdmissionLoad.object()).dryRun().create());
      CompletableFuture<ConfigMap> created =
          CompletableFuture.supplyAsync(() -> kubectl.resource(AdmissionLoad.object()).create());
      called.await();
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(replica::close);
      var unused = new CountDownLatch(1).await(4_000, MILLISECONDS); // the drain is over
      assertThat(created).isNotDone();
      release.countDown();
      assertThat(created.get().getMetadata().getName()).startsWith("load-");
      stopped.get();
    }
  }

  /** Sends connections to the replica while its probe succeeds, as a Service does. */
  private Thread follow(WebhookReplica replica) {
    int port = replica.port();
    URI probe =
        URI.create(
            "http://127.0.0.1:"
                + replica.manager.endpoints().probePort().orElseThrow()
                + "/readyz/webhooks");
    Thread follower =
        new Thread(
            () -> {
              balancer.add(port);
              while (isReady(probe)) {
                try {
                  Thread.sleep(100);
                } catch (InterruptedException e) {
                  return;
                }
              }
              balancer.remove(port);
            },
            "follows-" + port);
    follower.start();
    return follower;
  }

  private static boolean isReady(URI probe) {
    try {
      HttpURLConnection connection = (HttpURLConnection) probe.toURL().openConnection();
      connection.setConnectTimeout(1_000);
      connection.setReadTimeout(1_000);
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aBalancerThatFollowsReadinessSeesNoRefusedRequest() throws Exception {
    WebhookReplica current =
        replica("r0", balancer.address(), "127.0.0.1:0", request -> Verdict.allow());
    try {
      Thread follower = follow(current);
      eventually().untilAsserted(() -> kubectl.resource(AdmissionLoad.object()).dryRun().create());
      try (AdmissionLoad load =
          AdmissionLoad.start(kubernetes.clientConfig(), CLIENTS, Duration.ZERO)) {
        for (int i = 1; i <= STOPS; i++) {
          WebhookReplica next =
              replica("r" + i, balancer.address(), "127.0.0.1:0", request -> Verdict.allow());
          Thread nextFollower = follow(next);
          long before = load.requests();
          eventually()
              .untilAsserted(() -> assertThat(load.requests()).isGreaterThan(before + CLIENTS));
          current.close();
          follower.join();
          assertThat(load.failures()).as("after stop %d", i).isEmpty();
          current = next;
          follower = nextFollower;
        }
        long before = load.requests();
        eventually()
            .untilAsserted(() -> assertThat(load.requests()).isGreaterThan(before + CLIENTS));
        assertThat(load.failures()).isEmpty();
        log.info(
            "Answered {} requests during {} stops with {} failures",
            load.requests(),
            STOPS,
            load.failures().size());
      }
    } finally {
      current.close();
    }
  }
}
