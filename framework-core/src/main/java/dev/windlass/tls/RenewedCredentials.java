// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import dev.windlass.client.transport.HookedClients;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Credentials that expire while the program runs, and are then replaced: those of a kubeconfig's
 * {@code exec} plugin. {@link HookedClients} sends the token with each request, presents the
 * certificate in each handshake, and reports rejections. Implementations are thread safe; a call
 * may block while new credentials are fetched.
 */
public interface RenewedCredentials extends OAuthTokenProvider {

  /**
   * A client certificate and its key.
   *
   * @param certificate the chain, as PEM
   * @param key the private key, as PEM
   */
  record ClientCertificate(String certificate, String key) {

    /** Omits the key. */
    @Override
    public String toString() {
      return "ClientCertificate";
    }
  }

  /** Returns the token to send now; null if there is none. */
  @Override
  @Nullable String getToken();

  /** Returns the certificate to present now; empty if there is none. */
  Optional<ClientCertificate> certificate();

  /**
   * Reports that the server answered a request with 401.
   *
   * @param token the token of the request; null if it had none
   * @return the token with which to repeat the request; empty if there is no other one
   */
  Optional<String> refused(@Nullable String token);
}
