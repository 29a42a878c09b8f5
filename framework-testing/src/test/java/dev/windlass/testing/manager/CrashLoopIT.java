// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.manager;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.client.transport.HookedClients;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.events.EventRecorder;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testing.owned.Mortal;
import dev.windlass.testing.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of objects on the server does not grow with the number of crashes
 * (docs/reliability.md, G2).
 */
final class CrashLoopIT {

  private static final Logger log = LoggerFactory.getLogger(CrashLoopIT.class);

  private static final int LIVES = 24;
  private static final List<String> PARTS = List.of("a", "b", "c");

  @RegisterExtension
  final RealApiServerExtension kubernetes = RealApiServerExtension.own(RealApiServer.builder());

  @TempDir private Path folder;
  @AutoClose private KubernetesClient kubectl;

  @BeforeEach
  void connects() {
    kubectl = kubernetes.server().newClient();
  }

  /** How much is there. */
  private record Counts(int leases, int events, int secrets) {}

  private Counts counts() {
    return new Counts(
        kubectl.leases().inNamespace("default").list().getItems().size(),
        kubectl.v1().events().inNamespace("default").list().getItems().size(),
        kubectl.secrets().inNamespace("default").withLabel("made").list().getItems().size());
  }

  private ConfigMap owner() {
    return kubectl.resource(Samples.map("default", "owner")).create();
  }

  /** From its start to its death after so many writes. Nothing is given back. */
  private void live(int writes) {
    Mortal mortal = new Mortal(writes);
    LeaderElectionOptions options =
        LeaderElectionOptions.of("crash-loop")
            .withNamespace("default")
            .withDurations(Duration.ofSeconds(1), Duration.ofMillis(800), Duration.ofMillis(100));
    try (KubernetesClient base = HookedClients.of(kubernetes.server().clientConfig(), mortal);
        Manager manager =
            Manager.builder()
                .client(base)
                .leaderElection(options)
                .stopTimeout(Duration.ofSeconds(2))
                .build()) {
      EventRecorder events = manager.eventRecorder("crash-loop");
      ControllerBuilder.forType(ConfigMap.class, event -> event.key().name().equals("owner"))
          .owns(Secret.class)
          .reconciler(
              (request, context) -> {
                ConfigMap owner =
                    manager.client().get(ConfigMap.class, request.key()).orElseThrow();
                for (String part : PARTS) {
                  if (make(manager.client(), owner, part).result() == Operation.Result.CREATED) {
                    events.normal(owner, "Created", part);
                  }
                }
                return Result.done();
              })
          .register(manager);
      manager.start();
      eventually().atMost(Duration.ofSeconds(30)).until(mortal::isDead);
    }
  }

  private static Operation<Secret> make(Client client, ConfigMap owner, String part) {
    Secret skeleton =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName("owner-" + part)
            .endMetadata()
            .build();
    return CreateOrUpdate.createOrUpdate(
        client,
        skeleton,
        secret -> {
          secret.getMetadata().setLabels(Map.of("made", "yes"));
          OwnerReferences.setController(secret, owner);
        });
  }

  @Test
  @Timeout(400)
  void leavesNoMoreBehindAfterManyCrashesThanAfterOneLife() {
    owner();
    for (int life = 0; life < LIVES; life++) {
      live(1 + life % 6);
      Counts now = counts();
      assertThat(now.leases()).as("leases after %s lives", life + 1).isEqualTo(1);
      assertThat(now.events()).as("events").isLessThanOrEqualTo(PARTS.size());
      assertThat(now.secrets()).as("children").isLessThanOrEqualTo(PARTS.size());
    }
    Counts end = counts();
    log.info("{} lives: {}", LIVES, end);
    assertThat(end.secrets()).isEqualTo(PARTS.size());
  }

  /** Processes that are killed as soon as the first write of their term is there. */
  @Test
  @Timeout(200)
  void leavesOneLeaseBehindOfProcessesThatAreKilled() throws Exception {
    Path file = Files.writeString(folder.resolve("kubeconfig"), kubernetes.server().kubeconfig());
    owner();
    for (int life = 0; life < 4; life++) {
      String before = version();
      try (LeaderProcess process = new LeaderProcess("owner", file, "write")) {
        eventually().atMost(Duration.ofSeconds(60)).until(() -> !version().equals(before));
        process.signal("KILL");
        assertThat(process.awaitExit()).isEqualTo(137);
      }
      assertThat(counts()).as("after %s lives", life + 1).isEqualTo(new Counts(1, 0, 0));
    }
  }

  private String version() {
    return kubectl
        .configMaps()
        .inNamespace("default")
        .withName("owner")
        .get()
        .getMetadata()
        .getResourceVersion();
  }
}
