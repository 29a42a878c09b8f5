// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.informer.reflector.http.HttpFailure;
import io.netty.channel.ConnectTimeoutException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.security.cert.CertificateException;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class TlsFailureTest {

  private record Case(Throwable failure, Reason reason, String message) {}

  /** As the transports have it that give up, and wait no longer. */
  private static final class ClosedInHandshake extends SSLHandshakeException {
    private static final long serialVersionUID = 1;

    ClosedInHandshake() {
      super("closed");
    }
  }

  private static Throwable chain(Throwable... causes) {
    for (int i = 1; i < causes.length; i++) {
      causes[i - 1].initCause(causes[i]);
    }
    return causes[0];
  }

  private static Stream<Case> cases() {
    return Stream.of(
        new Case(
            chain(
                new IOException("no answer"),
                new SSLHandshakeException("failed"),
                new CertificateException("not ours"),
                new CertificateException("the depths of PKIX")),
            Reason.TLS,
            "not ours"),
        new Case(
            new CompletionException(new SSLPeerUnverifiedException("another host")),
            Reason.TLS,
            "another host"),
        new Case(
            chain(new SSLHandshakeException("outer"), new SSLHandshakeException("alert")),
            Reason.TLS,
            "alert"),
        new Case(
            chain(new SSLHandshakeException("ended"), new EOFException("closed")),
            Reason.UNREACHABLE,
            "EOFException: closed"),
        new Case(new ClosedInHandshake(), Reason.UNREACHABLE, "ClosedInHandshake: closed"),
        new Case(new SSLException("reset"), Reason.UNREACHABLE, "SSLException: reset"),
        new Case(
            chain(new SSLHandshakeException("wrapper"), new ClosedInHandshake()),
            Reason.UNREACHABLE,
            "ClosedInHandshake: closed"),
        new Case(
            chain(
                new SSLHandshakeException("wrapper"),
                new ClosedInHandshake(),
                new CertificateException("not ours")),
            Reason.TLS,
            "not ours"),
        new Case(
            chain(new IOException("no answer"), new ConnectException("refused")),
            Reason.CONNECTION_REFUSED,
            "ConnectException: refused"),
        new Case(
            chain(new HttpConnectTimeoutException("10 s"), new ConnectException("timed out")),
            Reason.UNREACHABLE,
            "ConnectException: timed out"),
        new Case(
            new ConnectTimeoutException("10 s"),
            Reason.UNREACHABLE,
            "ConnectTimeoutException: 10 s"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void tellsWhoIsNotTrustedFromWhoIsNotThere(Case c) {
    FeedFailure failure = HttpFailure.ofTransport(c.failure());
    assertThat(failure).isEqualTo(FeedFailure.of(c.reason(), c.message()));
  }
}
