// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

import dev.windlass.http.ServerCertificate.Pair;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A key manager with a single key, which can be replaced. A handshake keeps the key that it began
 * with until it is over, even if the key is replaced meanwhile. Thread safe.
 */
final class CurrentKey extends X509ExtendedKeyManager {

  /** A key and its alias in handshakes. */
  private record Named(String alias, Pair pair) {}

  private volatile @Nullable Named current;
  private volatile @Nullable Named previous;

  /** How many keys there have been. */
  private int number;

  /** Replaces the key. */
  synchronized void use(Pair pair) {
    previous = current;
    current = new Named("key-" + ++number, pair);
  }

  private @Nullable Pair pair(@Nullable String alias) {
    for (Named each : new Named[] {current, previous}) {
      if (each != null && each.alias().equals(alias)) {
        return each.pair();
      }
    }
    return null;
  }

  private @Nullable String alias(String keyType) {
    Named named = current;
    return named != null && named.pair().key().getAlgorithm().equalsIgnoreCase(keyType)
        ? named.alias()
        : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyType);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
    Pair pair = pair(alias);
    return pair == null ? null : pair.chain().toArray(new X509Certificate[0]);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
    Pair pair = pair(alias);
    return pair == null ? null : pair.key();
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    String alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
