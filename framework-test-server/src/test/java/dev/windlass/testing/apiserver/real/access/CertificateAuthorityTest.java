// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertificateAuthorityTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final CertificateAuthority authority =
      CertificateAuthority.create(Clock.fixed(NOW, ZoneOffset.UTC));

  @Test
  void signsTheServerForLoopbackNames() throws Exception {
    X509Certificate server = authority.server("kube-apiserver").certificate();

    assertThatCode(() -> server.verify(authority.self().certificate().getPublicKey()))
        .doesNotThrowAnyException();
    assertThat(server.getSubjectAlternativeNames())
        .extracting(name -> (Object) name.get(1))
        .containsExactly("127.0.0.1", "localhost");
    assertThat(server.getBasicConstraints()).isEqualTo(-1);
  }

  @Test
  void putsUserAndGroupsIntoTheSubject() {
    X509Certificate client = authority.client("jane", List.of("readers", "a, b")).certificate();

    assertThat(client.getSubjectX500Principal().getName())
        .contains("CN=jane", "O=readers", "O=a\\, b");
  }

  @Test
  void holdsFromAnHourAgoForAWeek() {
    X509Certificate client = authority.client("jane", List.of()).certificate();

    assertThat(client.getNotBefore()).isEqualTo(NOW.minusSeconds(3_600));
    assertThat(client.getNotAfter()).isEqualTo(NOW.plusSeconds(7 * 24 * 3_600));
  }

  @Test
  void writesKeysInTheFormThatNamesTheirAlgorithm() {
    Credentials client = authority.client("jane", List.of());

    assertThat(client.keyPem()).startsWith("-----BEGIN EC PRIVATE KEY-----");
    assertThat(client.toString()).contains("CN=jane").doesNotContain("BEGIN");
  }
}
