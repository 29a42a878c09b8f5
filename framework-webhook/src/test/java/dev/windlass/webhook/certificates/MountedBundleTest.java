// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.tls.Pem;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MountedBundleTest {

  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

  private static X509Certificate authority(int daysAgo, int days) {
    return CertificateAuthority.create(NOW.minus(Duration.ofDays(daysAgo)), Duration.ofDays(days))
        .self()
        .certificate();
  }

  private static String bundle(X509Certificate own, String... before) throws Exception {
    return MountedAuthorityReconciler.Bundle.of(Pem.of(List.of(own)), List.of(before), NOW);
  }

  private static List<X509Certificate> in(String bundle) throws Exception {
    return Pem.certificates(
        new String(Base64.getDecoder().decode(bundle), StandardCharsets.ISO_8859_1));
  }

  @Test
  void replicasWithDifferentFilesAgree() throws Exception {
    X509Certificate former = authority(30, 60);
    X509Certificate next = authority(0, 60);
    String before = bundle(former);
    String after = bundle(next, before);
    assertThat(in(after)).containsExactly(next, former);
    assertThat(bundle(former, after)).isEqualTo(after);
    assertThat(bundle(next, after)).isEqualTo(after);
  }

  @Test
  void whatHasExpiredOrIsNoCertificateIsLeftOut() throws Exception {
    X509Certificate expired = authority(30, 10);
    X509Certificate next = authority(0, 60);
    assertThat(in(bundle(next, bundle(expired), "", "!", "bm8="))).containsExactly(next);
  }

  @Test
  void theNumberOfCasIsLimited() throws Exception {
    List<X509Certificate> all = new ArrayList<>();
    String bundle = "";
    for (int daysAgo = 10; daysAgo >= 0; daysAgo--) {
      all.add(0, authority(daysAgo, 60));
      bundle = bundle(all.get(0), bundle);
    }
    assertThat(in(bundle)).isEqualTo(all.subList(0, 5));
  }
}
