// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import dev.windlass.testsupport.TestKey;
import dev.windlass.testsupport.TrustEverything;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
final class ServerCertificateTest {

  @TempDir Path folder;

  private final ManualScheduler time = new ManualScheduler();
  private HttpEndpoint endpoint =
      new HttpEndpoint(
          "none", new BindAddress("", 0), null, RequestAuthorizer.NONE, time, Thread::new);

  private Path file(String name) {
    return folder.resolve(name);
  }

  private void write(TestKey key) throws IOException {
    Files.writeString(file("tls.crt"), key.certificate());
    Files.writeString(file("tls.key"), key.pkcs8());
  }

  private ServerCertificate certificate() {
    return new ServerCertificate(file("tls.crt"), file("tls.key"));
  }

  private void serve(ServerCertificate certificate) throws IOException {
    endpoint =
        new HttpEndpoint(
            "tls",
            new BindAddress("127.0.0.1", 0),
            certificate,
            RequestAuthorizer.NONE,
            time,
            Thread::new);
    endpoint.page("/", request -> PageReply.text(200, "ok"));
    endpoint.start();
    // The test takes the steps of its loop from now on.
    Eventually.that(() -> assertThat(time.pending()).contains(Duration.ofSeconds(10)));
  }

  @AfterEach
  void stop() throws InterruptedException {
    endpoint.stop(Duration.ZERO);
  }

  /** Connects, and says whom it has met. */
  private String met(String... protocols) throws Exception {
    SSLContext context = TrustEverything.context();
    try (SSLSocket socket =
        (SSLSocket)
            context.getSocketFactory().createSocket("127.0.0.1", endpoint.port().orElseThrow())) {
      if (protocols.length > 0) {
        socket.setEnabledProtocols(protocols);
      }
      socket.startHandshake();
      X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return shown.getSubjectX500Principal().getName();
    }
  }

  @Test
  void speaksTlsOfAtLeast12() throws Exception {
    write(TestKey.rsa("one"));
    serve(certificate());
    assertThat(endpoint.isSecure()).isTrue();
    assertThat(met("TLSv1.3")).isEqualTo("CN=one");
    assertThat(met("TLSv1.2")).isEqualTo("CN=one");
    assertThatThrownBy(() -> met("TLSv1.1")).isInstanceOf(SSLException.class);
  }

  @Test
  void takesANewPairAndKeepsTheOldOneWhileHalfOfItIsWritten() throws Exception {
    TestKey one = TestKey.rsa("one");
    TestKey two = TestKey.ec("two");
    write(one);
    ServerCertificate certificate = certificate();
    serve(certificate);
    assertThat(endpoint.loops()).hasSize(1);
    assertThat(endpoint.certificate()).contains(certificate);
    assertThat(certificate.failures()).isZero();
    long reads = certificate.reads();
    assertThat(reads).isGreaterThan(0);
    Files.writeString(file("tls.crt"), two.certificate());
    try (Logs logs = Logs.of(ServerCertificate.class)) {
      assertThat(certificate.run().limit()).contains(Duration.ofSeconds(10));
      assertThat(met()).isEqualTo("CN=one");
      certificate.run();
      assertThat(logs.lines())
          .as("told once")
          .singleElement()
          .asString()
          .startsWith("WARN Keeping the previous certificate: ");
    }
    assertThat(certificate.reads()).isEqualTo(reads + 2);
    assertThat(certificate.failures()).as("the same files fail once").isEqualTo(1);
    Files.writeString(file("tls.key"), two.pkcs8().substring(0, 60));
    certificate.run();
    assertThat(met()).isEqualTo("CN=one");
    Files.delete(file("tls.key"));
    certificate.run();
    assertThat(met()).isEqualTo("CN=one");
    Files.writeString(file("tls.key"), two.pkcs8());
    certificate.run();
    assertThat(met()).isEqualTo("CN=two");
  }

  @Test
  void countsEachReadAndEachThatFailsFromTheFirstOn() throws Exception {
    ServerCertificate certificate = certificate();
    assertThatThrownBy(certificate::load).isInstanceOf(IOException.class);
    assertThat(certificate.reads()).isEqualTo(1);
    assertThat(certificate.failures()).as("there are no files").isEqualTo(1);
    TestKey one = TestKey.ec("one");
    write(one);
    Files.writeString(file("tls.key"), TestKey.ec("two").pkcs8());
    assertThatThrownBy(certificate::load).isInstanceOf(IOException.class);
    assertThat(certificate.reads()).isEqualTo(2);
    assertThat(certificate.failures()).as("the two do not match").isEqualTo(2);
    write(one);
    certificate.load();
    assertThat(certificate.reads()).isEqualTo(3);
    assertThat(certificate.failures()).isEqualTo(2);
  }

  /** As the kubelet replaces a mounted Secret. */
  @Test
  void followsASymbolicLinkThatIsMoved() throws Exception {
    TestKey one = TestKey.rsa("one");
    TestKey two = TestKey.rsa("two");
    for (TestKey key : List.of(one, two)) {
      Path version = Files.createDirectory(file("..version-" + key.name()));
      Files.writeString(version.resolve("tls.crt"), key.certificate());
      Files.writeString(version.resolve("tls.key"), key.pkcs8());
    }
    Files.createSymbolicLink(file("..data"), Path.of("..version-one"));
    Files.createSymbolicLink(file("tls.crt"), Path.of("..data", "tls.crt"));
    Files.createSymbolicLink(file("tls.key"), Path.of("..data", "tls.key"));
    ServerCertificate certificate = certificate();
    serve(certificate);
    assertThat(met()).isEqualTo("CN=one");
    Files.createSymbolicLink(file("..data_tmp"), Path.of("..version-two"));
    Files.move(file("..data_tmp"), file("..data"), StandardCopyOption.ATOMIC_MOVE);
    certificate.run();
    assertThat(met()).isEqualTo("CN=two");
  }

  @ParameterizedTest
  @CsvSource({"RSA, true", "RSA, false", "EC, true", "EC, false"})
  void readsKeysInBothForms(String algorithm, boolean modern) throws Exception {
    TestKey key = algorithm.equals("RSA") ? TestKey.rsa("it") : TestKey.ec("it");
    Files.writeString(file("tls.crt"), key.certificate());
    Files.writeString(file("tls.key"), modern ? key.pkcs8() : key.traditional());
    serve(certificate());
    assertThat(met()).isEqualTo("CN=it");
  }

  @Test
  void saysWhyAPairCantBeUsedAndQuotesNothingOfIt() throws Exception {
    TestKey one = TestKey.ec("one");
    TestKey two = TestKey.ec("two");
    assertThatThrownBy(() -> serve(certificate())).isInstanceOf(IOException.class);
    write(one);
    Files.writeString(file("tls.key"), two.pkcs8());
    assertThatThrownBy(() -> serve(certificate()))
        .hasMessageContaining("the key does not match the certificate");
    Files.writeString(
        file("tls.key"), "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----");
    assertThatThrownBy(() -> serve(certificate()))
        .hasMessageContaining("damaged")
        .hasMessageNotContaining("AAAA");
    Files.writeString(file("tls.key"), "secret");
    assertThatThrownBy(() -> serve(certificate()))
        .hasMessageContaining("the file holds no unencrypted private key")
        .hasMessageNotContaining("secret");
    Files.writeString(file("tls.crt"), "");
    assertThatThrownBy(() -> serve(certificate()))
        .hasMessageContaining("the file holds no certificate");
  }
}
