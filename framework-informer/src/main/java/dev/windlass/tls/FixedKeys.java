// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A server's key manager with a single certificate. It presents the certificate to each client that
 * supports the certificate's key type. The JDK's key managers read keys from a {@code KeyStore},
 * which encrypts them with a key derived from a password (PBKDF2 with 10,000 rounds). The
 * derivation takes longer than several handshakes, and does not protect keys in memory. This class
 * therefore holds the key directly. This class is immutable.
 */
final class FixedKeys extends X509ExtendedKeyManager {

  private static final String ALIAS = "key";

  private final List<X509Certificate> chain;
  private final PrivateKey key;

  /**
   * Creates a key manager.
   *
   * @param chain the key's certificate, followed by the certificates that a client needs to verify
   *     it
   */
  FixedKeys(List<X509Certificate> chain, PrivateKey key) {
    this.chain = List.copyOf(chain);
    this.key = key;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable SSLEngine connection) {
    return type.equals(chain.get(0).getPublicKey().getAlgorithm()) ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket connection) {
    return chooseEngineServerAlias(type, issuers, null);
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    String alias = chooseEngineServerAlias(type, issuers, null);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket connection) {
    return null;
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return alias.equals(ALIAS) ? chain.toArray(new X509Certificate[0]) : null;
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return alias.equals(ALIAS) ? key : null;
  }
}
