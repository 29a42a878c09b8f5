// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.Conflicts;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Changes of an object that somebody else keeps changing, too. */
final class ConflictsTest {

  private static final ObjectKey KEY = ObjectKey.of("default", "shared");

  private final Client client = FakeClient.of(Samples.map("default", "shared"));
  private final AtomicInteger tries = new AtomicInteger();

  /** Between the read and the write of the caller. */
  private void interfere() {
    int number = tries.incrementAndGet();
    ConfigMap map = client.get(ConfigMap.class, KEY).orElseThrow();
    client.update(new ConfigMapBuilder(map).addToData("rival-" + number, "x").build());
  }

  @Test
  void retryOnAFreshCopyAndLoseNoOtherChange() {
    ConfigMap written =
        Conflicts.retry(
                client,
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
                    client,
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
                client,
                ConfigMap.class,
                ObjectKey.of("default", "absent"),
                map -> tries.incrementAndGet()))
        .isEmpty();
    assertThat(tries).hasValue(0);
  }
}
