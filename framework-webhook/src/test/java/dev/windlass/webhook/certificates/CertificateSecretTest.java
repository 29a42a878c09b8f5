// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.object.ObjectKey;
import dev.windlass.webhook.certificates.CertificateSecret.UnusableSecretException;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CertificateSecretTest {

  private static final String CANARY = "canary-7f3a";

  private final CertificateRenewal renewal =
      new CertificateRenewal(List.of("hooks.shop.svc"), CertificateValidity.DEFAULT);

  private final CertificateSet set =
      renewal.renewed(
          StoredCertificates.NONE, null, List.of(), Instant.parse("2026-03-01T12:00:00Z"));

  private final Secret secret =
      CertificateSecret.create(ObjectKey.of("shop", "certificates"), set, Map.of("a", "b"));

  private Secret with(String field, String content) {
    return new SecretBuilder(secret).addToData(field, content).build();
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void readsWhatItHasWritten() throws UnusableSecretException {
    assertThat(CertificateSecret.read(secret)).isEqualTo(StoredCertificates.of(set));
    assertThat(secret.getType()).isEqualTo("Opaque");
    assertThat(secret.getMetadata().getLabels()).isEqualTo(CertificateSecret.labels());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ca.crt", "ca.key"})
  void readsTheRestIfThereIsNoCa(String missing) throws UnusableSecretException {
    StoredCertificates stored = CertificateSecret.read(with(missing, ""));
    assertThat(stored.authority()).isEmpty();
    assertThat(stored.serving()).contains(set.serving());
  }

  @ParameterizedTest
  @ValueSource(strings = {"tls.crt", "tls.key"})
  void readsTheRestIfThereIsNoCertificate(String missing) throws UnusableSecretException {
    StoredCertificates stored = CertificateSecret.read(with(missing, ""));
    assertThat(stored.authority()).contains(set.authority());
    assertThat(stored.serving()).isEmpty();
  }

  @Test
  void ignoresAKeyOfAnotherCertificate() throws UnusableSecretException {
    StoredCertificates stored =
        CertificateSecret.read(with("tls.key", secret.getData().get("ca.key")));
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
            .addToAnnotations("obsolete", "y")
            .withResourceVersion("7")
            .endMetadata()
            .build();
    Secret after = CertificateSecret.replace(before, set, List.of("obsolete"));
    assertThat(after.getData()).containsEntry("extra", encoded("x"));
    assertThat(after.getMetadata().getAnnotations()).containsExactly(Map.entry("a", "b"));
    assertThat(after.getMetadata().getResourceVersion()).isEqualTo("7");
  }
}
