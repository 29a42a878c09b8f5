// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.object.ObjectKey;
import dev.windlass.webhook.certificates.CertificateSecret.UnusableSecretException;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CertificateSecretTest {

  private static final String CANARY = "canary-7f3a";

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final CertificateRenewal renewal =
      new CertificateRenewal(List.of("hooks.shop.svc"), CertificateValidity.DEFAULT);

  private final CertificateSet set =
      renewal.renewed(CertificateSet.NONE, Optional.empty(), List.of(List.of()), NOW);

  private final Secret secret = CertificateSecret.create(ObjectKey.of("shop", "certificates"), set);

  private Secret with(String field, String content) {
    return new SecretBuilder(secret).addToData(field, content).build();
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void readsWhatItHasWritten() throws UnusableSecretException {
    assertThat(CertificateSecret.read(secret)).isEqualTo(set);
    assertThat(secret.getType()).isEqualTo("Opaque");
    assertThat(secret.getMetadata().getLabels()).isEqualTo(CertificateSecret.labels());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ca.crt", "ca.key"})
  void readsTheRestIfThereIsNoCa(String missing) throws UnusableSecretException {
    CertificateSet stored = CertificateSecret.read(with(missing, ""));
    assertThat(stored.authority()).isEmpty();
    assertThat(stored.serving()).isEqualTo(set.serving());
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls.crt", "tls.key"})
  void readsTheRestIfThereIsNoCertificate(String missing) throws UnusableSecretException {
    CertificateSet stored = CertificateSecret.read(with(missing, ""));
    assertThat(stored.authority()).isEqualTo(set.authority());
    assertThat(stored.serving()).isEmpty();
  }

  @Test
  void ignoresAKeyOfAnotherCertificate() throws UnusableSecretException {
    CertificateSet stored = CertificateSecret.read(with("tls.key", secret.getData().get("ca.key")));
    assertThat(stored.serving()).isEmpty();
  }

  @Test
  void rejectsASecretWithoutTheLabel() {
    Secret foreign =
        new SecretBuilder(secret).editMetadata().withLabels(Map.of()).endMetadata().build();
    assertThatThrownBy(() -> CertificateSecret.read(foreign))
        .isInstanceOf(UnusableSecretException.class)
        .hasMessageContaining("shop/certificates")
        .hasMessageContaining("choose another name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ca.crt", "ca.key", "tls.crt", "tls.key"})
  void rejectsWhatItHasNotWrittenWithoutQuotingIt(String field) {
    List<String> garbage =
        List.of(
            encoded(CANARY),
            CANARY + "%",
            encoded("-----BEGIN PRIVATE KEY-----\n" + CANARY + "\n-----END PRIVATE KEY-----\n"),
            encoded("-----BEGIN CERTIFICATE-----\n" + CANARY + "\n-----END CERTIFICATE-----\n"));
    assertThat(garbage)
        .allSatisfy(
            content ->
                assertThatThrownBy(() -> CertificateSecret.read(with(field, content)))
                    .isInstanceOf(UnusableSecretException.class)
                    .hasMessageContaining(field)
                    .hasMessageNotContaining(CANARY)
                    .hasNoCause());
  }

  @Test
  void keepsEverythingElseInAnUpdate() {
    Secret before =
        new SecretBuilder(with("extra", encoded("x")))
            .editMetadata()
            .addToAnnotations("a", "b")
            .withResourceVersion("7")
            .endMetadata()
            .build();
    Secret after = CertificateSecret.replace(before, set);
    assertThat(after.getData()).containsEntry("extra", encoded("x"));
    assertThat(after.getMetadata().getAnnotations()).containsExactly(Map.entry("a", "b"));
    assertThat(after.getMetadata().getResourceVersion()).isEqualTo("7");
  }

  @Test
  void readsTheNextCaAndTheTimeOfItsPublication() throws UnusableSecretException {
    Instant due = NOW.plus(Duration.ofDays(487));
    CertificateSet created = renewal.renewed(set, set.serving(), List.of(set.bundle()), due);
    CertificateSet published =
        renewal.renewed(created, created.serving(), List.of(created.bundle()), due);
    assertThat(created.next().orElseThrow().published()).isEmpty();
    assertThat(published.next().orElseThrow().published()).contains(due);
    for (CertificateSet each : List.of(created, published)) {
      assertThat(CertificateSecret.read(CertificateSecret.replace(secret, each))).isEqualTo(each);
    }
  }

  @Test
  void neverShowsAKey() {
    SignedKey serving = set.serving().orElseThrow();
    String key = serving.keyPem().lines().skip(1).findFirst().orElseThrow();
    assertThat(List.of(set, set.authority(), serving))
        .extracting(String::valueOf)
        .noneMatch(text -> text.contains(key) || text.contains("PRIVATE"));
  }
}
