// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Logs;
import dev.windlass.testsupport.TestKey;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files are replaced as the kubelet does it: by a link to the directory in which they are. */
final class TlsFilesTest {

  private static TestKey one;
  private static TestKey two;

  private final ManualScheduler scheduler = new ManualScheduler();
  @TempDir private Path folder;
  private int versions;

  @BeforeAll
  static void makesTwoIdentities() throws Exception {
    one = TestKey.ec("one");
    two = TestKey.ec("two");
  }

  @BeforeEach
  void mountsTheFirst() throws Exception {
    mount(one, one, one);
    for (String file : new String[] {"ca.crt", "tls.crt", "tls.key"}) {
      Files.createSymbolicLink(folder.resolve(file), Path.of("..data", file));
    }
  }

  private void mount(TestKey authority, TestKey certificate, TestKey key) throws Exception {
    mount(authority.certificate(), certificate.certificate(), key.pkcs8());
  }

  private void mount(String authority, String certificate, String key) throws IOException {
    Path version = Files.createDirectory(folder.resolve("..version-" + versions++));
    Files.writeString(version.resolve("ca.crt"), authority);
    Files.writeString(version.resolve("tls.crt"), certificate);
    Files.writeString(version.resolve("tls.key"), key);
    Path link = Files.createSymbolicLink(folder.resolve("..data_tmp"), version.getFileName());
    Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
  }

  private Config config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("https://127.0.0.1:1/")
        .withCaCertFile(folder.resolve("ca.crt").toString())
        .withClientCertFile(folder.resolve("tls.crt").toString())
        .withClientKeyFile(folder.resolve("tls.key").toString())
        .withClientKeyAlgo("EC")
        .build();
  }

  private TlsFiles files() {
    return TlsFiles.of(config(), HttpClientUtils.getHttpClientFactory(), scheduler).orElseThrow();
  }

  private static void check(TlsFiles files, TestKey server) throws CertificateException {
    ((X509ExtendedTrustManager) files.trust()[0])
        .checkServerTrusted(new X509Certificate[] {server.x509()}, "ECDHE_ECDSA");
  }

  /** At the first handshake that would otherwise fail (docs/reliability.md, D4). */
  @Test
  void trustsANewAuthorityAtOnce() throws Exception {
    TlsFiles files = files();
    check(files, one);
    assertThatThrownBy(() -> check(files, two)).isInstanceOf(CertificateException.class);
    mount(two, one, one);
    assertThatCode(() -> check(files, two)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check(files, one))
        .as("whom it does not vouch for any more")
        .isInstanceOf(CertificateException.class);
  }

  @Test
  void trustsAnAuthorityThatWasTakenOutForTenSecondsAtMost() throws Exception {
    TlsFiles files = files();
    mount(two, one, one);
    scheduler.advance(Duration.ofSeconds(9));
    assertThatCode(() -> check(files, one)).as("not read again yet").doesNotThrowAnyException();
    scheduler.advance(Duration.ofSeconds(1));
    assertThatThrownBy(() -> check(files, one)).isInstanceOf(CertificateException.class);
  }

  @Test
  void saysWhyItDoesNotTrustAndWhatToDo() {
    assertThatThrownBy(() -> check(files(), two))
        .hasMessage(
            "the server's certificate is not signed by a CA in %s; put the right CA there (no"
                + " restart is needed), or correct the address of the server (the certificate was"
                + " issued by CN=two)",
            folder.resolve("ca.crt"));
  }

  /** What can't be read is no reason to trust nobody, nor anybody else. */
  @Test
  void keepsWhatItHasWhileAFileIsMissing() throws Exception {
    TlsFiles files = files();
    Path link = folder.resolve("ca.crt");
    Files.delete(link);
    try (Logs logs = Logs.of(TlsFiles.class)) {
      for (int i = 0; i < 3; i++) {
        scheduler.advance(TlsFiles.PERIOD);
        check(files, one);
        assertThatThrownBy(() -> check(files, two)).isInstanceOf(CertificateException.class);
      }
      assertThat(logs.lines())
          .singleElement()
          .asString()
          .startsWith("WARN The certificates in [" + link)
          .contains("can't be used; keeping the previous ones: ", "NoSuchFileException")
          .endsWith("Correct them; no restart is needed.");
      Files.createSymbolicLink(link, Path.of("..data", "ca.crt"));
      scheduler.advance(TlsFiles.PERIOD);
      check(files, one);
      assertThat(logs.lines()).last().asString().startsWith("INFO").endsWith("can be used again.");
    }
  }

  /** It then vouches for nobody, until it is put right. */
  @Test
  void trustsNobodyByAnEmptyFile() throws Exception {
    TlsFiles files = files();
    mount("", one.certificate(), one.pkcs8());
    scheduler.advance(TlsFiles.PERIOD);
    assertThatThrownBy(() -> check(files, one)).hasMessageContaining("is not signed by a CA in");
    mount(one, one, one);
    assertThatCode(() -> check(files, one)).doesNotThrowAnyException();
  }

  private static X509ExtendedKeyManager keys(TlsFiles files) {
    KeyManager[] keys = Objects.requireNonNull(files.keys());
    return (X509ExtendedKeyManager) keys[0];
  }

  private static String choose(X509ExtendedKeyManager keys) {
    return Objects.requireNonNull(
        keys.chooseEngineClientAlias(new String[] {"EC"}, null, null), "no certificate");
  }

  private static void assertShows(X509ExtendedKeyManager keys, String alias, TestKey identity) {
    assertThat(keys.getCertificateChain(alias)).containsExactly(identity.x509());
    assertThat(keys.getPrivateKey(alias)).isEqualTo(identity.key());
  }

  /** A handshake that is under way goes on with the certificate that it has chosen. */
  @Test
  void showsItsNewCertificateToTheNextServer() throws Exception {
    X509ExtendedKeyManager keys = keys(files());
    String before = choose(keys);
    mount(one, two, two);
    assertShows(keys, choose(keys), one);
    scheduler.advance(TlsFiles.PERIOD);
    String after = choose(keys);
    assertShows(keys, after, two);
    assertShows(keys, before, one);
    assertThat(keys.getClientAliases("EC", null)).containsExactly(after);
  }

  @Test
  void doesNotShowACertificateWithoutItsKey() throws Exception {
    X509ExtendedKeyManager keys = keys(files());
    mount(one, two, one);
    scheduler.advance(TlsFiles.PERIOD);
    assertShows(keys, choose(keys), one);
    mount(one, two, two);
    scheduler.advance(TlsFiles.PERIOD);
    assertShows(keys, choose(keys), two);
  }

  /** That of a kubeconfig's plugin, which stands in no file. */
  @Test
  void showsTheCertificateOfRenewedCredentials() throws Exception {
    AtomicReference<TestKey> holder = new AtomicReference<>(one);
    RenewedCredentials credentials =
        new RenewedCredentials() {
          @Override
          public @Nullable String getToken() {
            return null;
          }

          @Override
          public Optional<ClientCertificate> certificate() {
            TestKey identity = Objects.requireNonNull(holder.get());
            return Optional.of(new ClientCertificate(identity.certificate(), identity.pkcs8()));
          }

          @Override
          public Optional<String> refused(@Nullable String token) {
            return Optional.empty();
          }
        };
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("https://127.0.0.1:1/")
            .withOauthTokenProvider(credentials)
            .build();
    X509ExtendedKeyManager keys =
        keys(TlsFiles.of(config, HttpClientUtils.getHttpClientFactory(), scheduler).orElseThrow());
    assertShows(keys, choose(keys), one);
    holder.set(two);
    scheduler.advance(TlsFiles.PERIOD);
    assertShows(keys, choose(keys), two);
  }

  @Test
  void leavesAConfigurationAloneThatNamesNoFiles() throws Exception {
    Config data = new ConfigBuilder(Config.empty()).withCaCertData(one.certificate()).build();
    assertThat(TlsFiles.of(data, HttpClientUtils.getHttpClientFactory(), scheduler)).isEmpty();
  }

  @Test
  void refusesFilesThatCantBeUsedFromTheStart() throws Exception {
    Files.delete(folder.resolve("ca.crt"));
    assertThatThrownBy(this::files)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ca.crt")
        .hasMessageContaining("can't be used");
  }
}
