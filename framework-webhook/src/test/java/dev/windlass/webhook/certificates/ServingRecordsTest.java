// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ServingRecordsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private static final String ALIVE = NOW.plusSeconds(1).toString();
  private static final String EXPIRED = NOW.toString();

  private static ServingRecords records(String... namesAndValues) {
    Map<String, String> annotations = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      annotations.put(ServingRecords.annotation(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return ServingRecords.in(annotations);
  }

  @Test
  void agreeIfAllReplicasServeUnderTheCa() {
    assertThat(records("a", "new " + ALIVE, "b", "new " + ALIVE).agreeOn("new", NOW)).isTrue();
    assertThat(records("a", "new " + ALIVE, "b", "old " + ALIVE).agreeOn("new", NOW)).isFalse();
  }

  @Test
  void doNotWaitForAReplicaWhoseCertificateHasExpired() {
    ServingRecords records = records("a", "new " + ALIVE, "b", "old " + EXPIRED);
    assertThat(records.agreeOn("new", NOW)).isTrue();
    assertThat(records.obsolete(NOW)).containsExactly(ServingRecords.annotation("b"));
  }

  @Test
  void ignoreWhatTheyCannotRead() {
    assertThat(records("a", "", "b", "x", "c", "new tomorrow").annotations()).isEmpty();
    assertThat(ServingRecords.in(Map.of("other", "new " + ALIVE)).annotations()).isEmpty();
  }

  @Test
  void areReadAsTheyWereWritten() {
    ServingRecord record = new ServingRecord("ab12", NOW);
    assertThat(records("pod-1", record.toString()).of("pod-1")).isEqualTo(Optional.of(record));
  }

  @Test
  void nameReplicasAsKubernetesAllows() {
    assertThat(ServingRecords.annotation("my pod/" + "x".repeat(100)))
        .matches("serving\\.webhook\\.windlass\\.dev/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])");
    assertThat(ServingRecords.annotation("-a-")).endsWith("/a");
  }

  @Test
  void forgetThoseThatExpireFirstIfThereAreTooMany() {
    Map<String, String> annotations = new HashMap<>();
    for (int i = 0; i <= ServingRecords.MOST; i++) {
      annotations.put(ServingRecords.annotation("p" + i), "ca " + NOW.plusSeconds(1 + i));
    }
    assertThat(ServingRecords.in(annotations).obsolete(NOW))
        .containsExactly(ServingRecords.annotation("p0"));
  }
}
