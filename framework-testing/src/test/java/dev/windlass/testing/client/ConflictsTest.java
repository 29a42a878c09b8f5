// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.ConflictException;
import dev.windlass.client.Conflicts;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of an object that somebody else keeps changing, too. */
@Timeout(60)
final class ConflictsTest {

  private static final ObjectKey KEY = ObjectKey.of("default", "shared");

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final KubernetesClient rival = server.newClient();
  private final Manager manager = Manager.builder().config(server.clientConfig()).build();
  private final AtomicInteger tries = new AtomicInteger();

  @BeforeEach
  void hasSomethingToShare() {
    rival.resource(Samples.map("default", "shared")).create();
  }

  @AfterEach
  void stops() {
    assertThat(manager.stop()).isTrue();
    rival.close();
    server.close();
  }

  /** Between the read and the write of whoever is in this callback. */
  private void interfere() {
    int number = tries.incrementAndGet();
    rival
        .configMaps()
        .inNamespace("default")
        .withName("shared")
        .edit(map -> new ConfigMapBuilder(map).addToData("rival-" + number, "x").build());
  }

  @Test
  void retryOnAFreshCopyAndLoseNoOtherChange() {
    ConfigMap written =
        Conflicts.retry(
                manager.client(),
                ConfigMap.class,
                KEY,
                map -> {
                  if (tries.get() < 2) {
                    interfere();
                  } else {
                    tries.incrementAndGet();
                  }
                  map.setData(new ConfigMapBuilder(map).addToData("mine", "y").build().getData());
                })
            .orElseThrow();
    assertThat(tries).hasValue(3);
    assertThat(written.getData()).containsOnlyKeys("mine", "rival-1", "rival-2");
  }

  @Test
  void areGivenUpAfterFiveTries() {
    assertThatThrownBy(
            () ->
                Conflicts.retry(
                    manager.client(),
                    ConfigMap.class,
                    KEY,
                    map -> {
                      interfere();
                      map.getMetadata().getAnnotations().put("mine", "y");
                    }))
        .isInstanceOf(ConflictException.class);
    assertThat(tries).hasValue(5);
  }

  @Test
  void areNothingIfThereIsNothingToChange() {
    assertThat(
            Conflicts.retry(
                manager.client(),
                ConfigMap.class,
                ObjectKey.of("default", "absent"),
                map -> tries.incrementAndGet()))
        .isEmpty();
    assertThat(tries).hasValue(0);
  }
}
