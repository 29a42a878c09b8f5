// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Credentials that can expire while the program runs and are then renewed. For example, an {@code
 * exec} plugin in a kubeconfig provides such credentials. A client that the pipeline of a cluster
 * creates sends the token with each request, presents the certificate in each TLS handshake, and
 * reports rejected requests. Implementations must be thread-safe. The methods can block while they
 * fetch new credentials.
 */
public interface RenewedCredentials extends OAuthTokenProvider {

  /**
   * A client certificate and its key.
   *
   * @param certificate the certificate chain in PEM format
   * @param key the private key in PEM format
   */
  record ClientCertificate(String certificate, String key) {

    /** Returns a string that contains neither the certificate nor the private key. */
    @Override
    public String toString() {
      return "ClientCertificate";
    }
  }

  /** Returns the current token, or null if there is none. */
  @Override
  @Nullable String getToken();

  /** Returns the current certificate, or empty if there is none. */
  Optional<ClientCertificate> certificate();

  /**
   * Reports that the server has rejected a request with the status code 401. Returns another token
   * if one is available.
   *
   * @param token the token in the rejected request, or null if the request did not contain a token
   * @return the token for repeating the request, or empty if no other token is available
   */
  Optional<String> refused(@Nullable String token);
}
