// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificates and CAs turn over under load, and a real API server refuses no request. The option
 * {@code -Dwebhook.rotations=1000} turns them over more often, which takes one and a half hours. It
 * can't be faster: the API server keeps the idle connections of each rotation for 90 s, and a
 * webhook server that has 1,000 of them closes those that are idle.
 */
final class CertificateRotationIT {

  private static final Logger log = LoggerFactory.getLogger(CertificateRotationIT.class);

  private static final int ROTATIONS = Integer.getInteger("webhook.rotations", 20);

  private static final int ROLLOUTS = 5;

  private static final int CLIENTS = 32;

  /** Some 250 requests a second, so that the machine has time for the rotations. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** How many requests must be answered after a rotation, before the next one. */
  private static final int REQUESTS = 100;

  /** How many handshakes the API server must complete with each replica after a rotation. */
  private static final int HANDSHAKES = 2;

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @AutoClose private KubernetesClient kubectl;
  private CopiedConfiguration copy;
  @AutoClose private final Balancer balancer = Balancer.open();
  private final AtomicLong calls = new AtomicLong();

  CertificateRotationIT() throws IOException {}

  @BeforeEach
  void connects() {
    kubectl = kubernetes.server().newClient();
    copy = new CopiedConfiguration(kubectl);
  }

  @AfterEach
  void removesTheWebhooks() {
    WebhookReplica.uninstall(kubectl);
  }

  private WebhookReplica replica(String name) {
    WebhookReplica replica =
        WebhookReplica.started(
            name,
            kubernetes.clientConfig(),
            balancer.address(),
            builder ->
                builder.validate(
                    AdmissionLoad.rule(),
                    request -> {
                      calls.incrementAndGet();
                      return Verdict.allow();
                    }));
    return replica;
  }

  private Secret secret() {
    return kubectl.secrets().inNamespace("default").withName(WebhookReplica.SECRET).get();
  }

  private void rotate(int number) {
    switch (number % 3) {
      case 0 -> lose("tls.crt"); // the certificate
      case 1 -> kubectl.resource(secret()).delete(); // the CA
      default -> lose("ca.key"); // the CA, too
    }
  }

  private void lose(String field) {
    kubectl
        .secrets()
        .inNamespace("default")
        .withName(WebhookReplica.SECRET)
        .edit(
            secret -> {
              secret.getData().remove(field);
              return secret;
            });
  }

  /**
   * Waits until all replicas serve a new certificate. The API server learns of each new bundle
   * late, and opens new connections whenever a replica has a new certificate.
   */
  private void awaitRotation(Collection<WebhookReplica> replicas, X509Certificate before) {
    Set<X509Certificate> presented = new HashSet<>(Set.of(before));
    eventually()
        .untilAsserted(
            () -> {
              copy.follow();
              for (WebhookReplica replica : replicas) {
                if (presented.add(replica.presented())) {
                  copy.reconnect();
                }
              }
              X509Certificate now = replicas.iterator().next().presented();
              assertThat(now).isNotEqualTo(before);
              for (WebhookReplica replica : replicas) {
                assertThat(replica.presented()).isEqualTo(now);
                assertThat(replica.problem()).isEmpty();
              }
              assertThat(copy.authorities()).as("CAs in the bundle").isLessThanOrEqualTo(2);
            });
  }

  private static List<Double> handshakes(Collection<WebhookReplica> replicas) {
    return replicas.stream().map(WebhookReplica::handshakes).toList();
  }

  /** Waits for new connections to each replica, and for requests. */
  private static void awaitUse(
      Collection<WebhookReplica> replicas, List<Double> handshakes, AdmissionLoad load) {
    long requests = load.requests();
    eventually()
        .untilAsserted(
            () -> {
              Iterator<Double> before = handshakes.iterator();
              for (WebhookReplica replica : replicas) {
                assertThat(replica.handshakes()).isGreaterThanOrEqualTo(before.next() + HANDSHAKES);
              }
              assertThat(load.requests()).isGreaterThan(requests + REQUESTS);
            });
  }

  private void awaitReady(Collection<WebhookReplica> replicas) {
    for (WebhookReplica replica : replicas) {
      eventually().untilAsserted(() -> assertThat(replica.problem()).isEmpty());
    }
    eventually().untilAsserted(() -> kubectl.resource(AdmissionLoad.object()).dryRun().create());
  }

  /** In each turn, a new replica starts while the Secret is lost, and the oldest one stops. */
  @Test
  void refusesNoRequestIfTheSecretIsDeletedDuringARollout() throws Exception {
    Deque<WebhookReplica> replicas = new ArrayDeque<>(List.of(replica("a"), replica("b")));
    try {
      replicas.iterator().next().install(kubectl);
      replicas.forEach(replica -> balancer.add(replica.port()));
      awaitReady(replicas);
      copy.trust(copy.bundle());
      try (AdmissionLoad load = AdmissionLoad.start(kubernetes.clientConfig(), CLIENTS, PAUSE)) {
        for (int turn = 0; turn < ROLLOUTS; turn++) {
          X509Certificate before = replicas.getFirst().presented();
          kubectl.resource(secret()).delete();
          WebhookReplica next = replica("next-" + turn);
          replicas.addLast(next);
          awaitReady(List.of(next));
          balancer.add(next.port());
          awaitRotation(replicas, before);
          List<Double> handshakes = handshakes(replicas);
          copy.trust(copy.bundle()); // new connections under the new certificate
          awaitUse(replicas, handshakes, load);
          WebhookReplica oldest = replicas.removeFirst();
          balancer.remove(oldest.port());
          oldest.close();
          assertThat(load.failures()).as("after %d turns", turn + 1).isEmpty();
        }
        log.info(
            "Answered {} requests during {} rollouts with 0 failures", load.requests(), ROLLOUTS);
      }
    } finally {
      replicas.forEach(WebhookReplica::close);
    }
  }

  @Test
  @Timeout(14_400)
  void refusesNoRequest() throws Exception {
    try (WebhookReplica a = replica("a");
        WebhookReplica b = replica("b")) {
      List<WebhookReplica> replicas = List.of(a, b);
      replicas.iterator().next().install(kubectl);
      replicas.forEach(replica -> balancer.add(replica.port()));
      awaitReady(replicas);
      copy.trust(copy.bundle());
      try (AdmissionLoad load = AdmissionLoad.start(kubernetes.clientConfig(), CLIENTS, PAUSE)) {
        for (int i = 0; i < ROTATIONS; i++) {
          X509Certificate before = a.presented();
          rotate(i);
          awaitRotation(replicas, before);
          List<Double> handshakes = handshakes(replicas);
          copy.trust(copy.bundle()); // new connections under the new certificate
          awaitUse(replicas, handshakes, load);
          assertThat(load.failures()).as("after %d rotations", i + 1).isEmpty();
          if ((i + 1) % 100 == 0) {
            log.info("{} requests during {} rotations", load.requests(), i + 1);
          }
        }
        log.info(
            "Answered {} requests ({} calls of webhooks) during {} rotations with {} failures",
            load.requests(),
            calls.get(),
            ROTATIONS,
            load.failures().size());
        assertThat(calls.get()).isGreaterThan(load.requests());
      }
    }
  }
}
