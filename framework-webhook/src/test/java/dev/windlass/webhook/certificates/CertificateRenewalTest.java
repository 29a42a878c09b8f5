// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CertificateRenewalTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  private final CertificateRenewal renewal =
      new CertificateRenewal(
          List.of("hooks.shop.svc", "127.0.0.1", "::1"), CertificateValidity.DEFAULT);

  private CertificateSet first() {
    return renewal.renewed(StoredCertificates.NONE, null, List.of(), NOW);
  }

  private static StoredCertificates stored(CertificateSet set) {
    return StoredCertificates.of(set);
  }

  /** Whether a client that trusts only the CA of the first set accepts the second. */
  private static boolean accepts(CertificateSet trusted, CertificateSet presented) {
    CertificateSet alone = trusted.trimmed();
    return CertificateChain.isTrusted(presented.serving().chain(), alone.caBundle());
  }

  @Test
  void createsACaAndACertificateIfThereIsNothing() {
    CertificateSet set = first();
    assertThat(set.serving().chain()).hasSize(1);
    assertThat(set.bundle()).containsExactly(set.authority().self().certificate());
    assertThat(set.serving().leaf().getNotAfter().toInstant())
        .isEqualTo(NOW.plus(Duration.ofDays(90)));
    assertThat(set.authority().self().certificate().getNotAfter().toInstant())
        .isEqualTo(NOW.plus(Duration.ofDays(730)));
    assertThat(accepts(set, set)).isTrue();
  }

  @Test
  void keepsWhatIsNotDue() {
    CertificateSet set = first();
    Instant due = renewal.due(set, NOW);
    assertThat(due).isEqualTo(NOW.plus(Duration.ofDays(60)));
    assertThat(renewal.renewed(stored(set), null, List.of(), due.minusSeconds(1))).isEqualTo(set);
  }

  @Test
  void renewsTheCertificateUnderTheSameCaWhenAThirdOfItsTimeIsLeft() {
    CertificateSet set = first();
    CertificateSet next =
        renewal.renewed(stored(set), set, List.of(), NOW.plus(Duration.ofDays(60)));
    assertThat(next.authority()).isEqualTo(set.authority());
    assertThat(next.bundle()).isEqualTo(set.bundle());
    assertThat(next.serving().leaf()).isNotEqualTo(set.serving().leaf());
    assertThat(next.serving().leaf().getNotAfter().toInstant())
        .isEqualTo(NOW.plus(Duration.ofDays(150)));
  }

  /**
   * Clients that trust only the old CA, only the new one, or both: each accepts each certificate.
   */
  @Test
  void crossSignsTheNextCa() {
    CertificateSet before = first();
    CertificateSet after =
        renewal.renewed(stored(before), null, List.of(), NOW.plus(Duration.ofDays(487)));
    assertThat(after.authorityId()).isNotEqualTo(before.authorityId());
    assertThat(after.bundle())
        .containsExactly(
            after.authority().self().certificate(), before.authority().self().certificate());
    assertThat(after.serving().chain()).hasSize(2);
    assertThat(accepts(before, after)).as("an old bundle, a new certificate").isTrue();
    assertThat(accepts(after, after)).as("a trimmed bundle, a new certificate").isTrue();
    assertThat(CertificateChain.isTrusted(before.serving().chain(), after.caBundle()))
        .as("a new bundle, an old certificate")
        .isTrue();
    assertThat(accepts(after, before)).as("why the old CA stays in the bundle").isFalse();
  }

  @Test
  void keepsTheCrossCertificateWhileTheOldCaIsInTheBundle() {
    CertificateSet before = first();
    Instant turn = NOW.plus(Duration.ofDays(487));
    CertificateSet after = renewal.renewed(stored(before), null, List.of(), turn);
    CertificateSet later =
        renewal.renewed(stored(after), null, List.of(), turn.plus(Duration.ofDays(61)));
    assertThat(later.serving().crossCertificates()).isEqualTo(after.serving().crossCertificates());
    CertificateSet trimmed =
        renewal.renewed(stored(after.trimmed()), null, List.of(), turn.plus(Duration.ofDays(61)));
    assertThat(trimmed.serving().crossCertificates()).isEmpty();
  }

  @Test
  void bridgesTwoTurnsInARow() {
    CertificateSet first = first();
    CertificateSet second =
        renewal.renewed(StoredCertificates.NONE, first, List.of(), NOW.plus(DAY));
    CertificateSet third =
        renewal.renewed(StoredCertificates.NONE, second, List.of(), NOW.plus(DAY));
    assertThat(third.bundle()).hasSize(3);
    assertThat(accepts(first, third)).isTrue();
    assertThat(accepts(second, third)).isTrue();
  }

  @Test
  void continuesFromItsMemoryIfTheSecretWasDeleted() {
    CertificateSet before = first();
    CertificateSet after =
        renewal.renewed(StoredCertificates.NONE, before, List.of(), NOW.plus(DAY));
    assertThat(after.authorityId()).isNotEqualTo(before.authorityId());
    assertThat(accepts(before, after)).isTrue();
    assertThat(after.bundle()).hasSize(2);
  }

  @Test
  void continuesFromItsMemoryIfTheKeyOfTheCaIsMissing() {
    CertificateSet before = first();
    StoredCertificates without =
        new StoredCertificates(Optional.empty(), before.bundle(), Optional.of(before.serving()));
    CertificateSet after = renewal.renewed(without, before, List.of(), NOW.plus(DAY));
    assertThat(accepts(before, after)).isTrue();
    assertThat(after.bundle()).hasSize(2);
  }

  /** Nobody can sign then, but replicas with the old certificate are accepted until they reload. */
  @Test
  void keepsTheOldCaInTheBundleIfNobodyHasItsKey() {
    CertificateSet before = first();
    StoredCertificates without =
        new StoredCertificates(Optional.empty(), before.bundle(), Optional.of(before.serving()));
    CertificateSet after = renewal.renewed(without, null, List.of(), NOW.plus(DAY));
    assertThat(after.bundle()).hasSize(2);
    assertThat(CertificateChain.isTrusted(before.serving().chain(), after.caBundle())).isTrue();
    assertThat(accepts(before, after)).isFalse();
  }

  /** A replica that has just started creates the next Secret, and the others still serve. */
  @Test
  void keepsWhatTheApiServerTrustsInTheBundle() {
    CertificateSet before = first();
    CertificateSet fresh =
        renewal.renewed(StoredCertificates.NONE, null, before.bundle(), NOW.plus(DAY));
    assertThat(fresh.bundle()).hasSize(2);
    assertThat(CertificateChain.isTrusted(before.serving().chain(), fresh.caBundle())).isTrue();
    assertThat(accepts(before, fresh)).as("nobody has certified it yet").isFalse();
  }

  @Test
  void certifiesTheCaOfAReplicaThatRemembersNothing() {
    CertificateSet before = first();
    CertificateSet fresh = first();
    CertificateSet bridged = renewal.renewed(stored(fresh), before, List.of(), NOW.plus(DAY));
    assertThat(bridged.authority()).isEqualTo(fresh.authority());
    assertThat(bridged.serving().leaf()).isEqualTo(fresh.serving().leaf());
    assertThat(bridged.bundle()).hasSize(2);
    assertThat(accepts(before, bridged)).isTrue();
    assertThat(accepts(fresh, bridged)).isTrue();
    assertThat(renewal.renewed(stored(bridged), before, List.of(), NOW.plus(DAY)))
        .as("another replica with the same memory has nothing to add")
        .isEqualTo(bridged);
  }

  @Test
  void bridgesEvenIfTheCertificateOfTheServerIsMissing() {
    CertificateSet before = first();
    CertificateSet fresh = first();
    StoredCertificates without =
        new StoredCertificates(Optional.of(fresh.authority()), fresh.bundle(), Optional.empty());
    CertificateSet after = renewal.renewed(without, before, List.of(), NOW.plus(DAY));
    assertThat(accepts(before, after)).isTrue();
    assertThat(accepts(fresh, after)).isTrue();
  }

  @Test
  void doesNotCertifyWithAnExpiredCa() {
    CertificateSet before = first();
    Instant later = NOW.plus(Duration.ofDays(731));
    CertificateSet fresh = renewal.renewed(StoredCertificates.NONE, null, List.of(), later);
    assertThat(renewal.renewed(stored(fresh), before, List.of(), later)).isEqualTo(fresh);
  }

  @Test
  void replacesAnExpiredCaAndForgetsIt() {
    CertificateSet before = first();
    CertificateSet after =
        renewal.renewed(stored(before), before, List.of(), NOW.plus(Duration.ofDays(731)));
    assertThat(after.bundle()).hasSize(1);
    assertThat(after.serving().chain()).hasSize(1);
  }

  @Test
  void replacesACertificateForOtherNames() {
    CertificateSet before = first();
    CertificateRenewal other =
        new CertificateRenewal(List.of("other.shop.svc"), CertificateValidity.DEFAULT);
    CertificateSet after = other.renewed(stored(before), null, List.of(), NOW.plus(DAY));
    assertThat(after.authority()).isEqualTo(before.authority());
    assertThat(SubjectNames.cover(after.serving().leaf(), List.of("other.shop.svc"))).isTrue();
    assertThat(SubjectNames.cover(after.serving().leaf(), List.of("hooks.shop.svc"))).isFalse();
  }

  @Test
  void replacesACertificateOfAnotherCa() {
    CertificateSet one = first();
    CertificateSet other = first();
    StoredCertificates mixed =
        new StoredCertificates(
            Optional.of(one.authority()), one.bundle(), Optional.of(other.serving()));
    CertificateSet after = renewal.renewed(mixed, null, List.of(), NOW.plus(DAY));
    assertThat(after.authority()).isEqualTo(one.authority());
    assertThat(accepts(one, after)).isTrue();
  }

  @Test
  void limitsTheBundleHoweverOftenTheSecretIsDeleted() {
    CertificateSet set = first();
    for (int i = 0; i < 20; i++) {
      set = renewal.renewed(StoredCertificates.NONE, set, List.of(), NOW);
    }
    assertThat(set.bundle()).hasSize(CertificateRenewal.LONGEST_BUNDLE);
    assertThat(set.serving().chain()).hasSize(CertificateRenewal.LONGEST_BUNDLE);
  }

  @Test
  void acceptsClocksThatAreBehind() {
    X509Certificate leaf = first().serving().leaf();
    assertThat(CertificateValidity.isValid(leaf, NOW.minus(Duration.ofMinutes(59)))).isTrue();
  }

  @Test
  void namesTheServerInEachForm() {
    X509Certificate leaf = first().serving().leaf();
    assertThat(SubjectNames.cover(leaf, List.of("127.0.0.1", "::1", "hooks.shop.svc"))).isTrue();
    assertThat(SubjectNames.cover(leaf, List.of("127.0.0.2"))).isFalse();
  }

  @Test
  void neverShowsAKey() {
    CertificateSet set = first();
    String key = set.serving().keyPem().lines().skip(1).findFirst().orElseThrow();
    assertThat(List.of(set, set.authority(), set.authority().self(), set.serving(), stored(set)))
        .extracting(String::valueOf)
        .noneMatch(text -> text.contains(key) || text.contains("PRIVATE"));
  }
}
