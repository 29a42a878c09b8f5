// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import dev.windlass.client.transport.HookedClients;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Credentials that expire while the program runs and are then replaced, such as those of a
 * kubeconfig's {@code exec} plugin. {@link HookedClients} sends the token with each request,
 * presents the certificate in each handshake, and reports rejections. Implementations are
 * thread-safe. A call can block while new credentials are fetched.
 */
public interface RenewedCredentials extends OAuthTokenProvider {

  /**
   * A client certificate and its key.
   *
   * @param certificate the certificate chain in PEM format
   * @param key the private key in PEM format
   */
  record ClientCertificate(String certificate, String key) {

    /** Returns a description that omits the key. */
    @Override
    public String toString() {
      return "ClientCertificate";
    }
  }

  /** Returns the current token, or null if there is none. */
  @Override
  @Nullable String getToken();

  /** Returns the current certificate. The result is empty if there is none. */
  Optional<ClientCertificate> certificate();

  /**
   * Reports that the server rejected a request with 401.
   *
   * @param token the token that the request contained; null if it contained none
   * @return the token with which to repeat the request; empty if no other token is available
   */
  Optional<String> refused(@Nullable String token);
}
