// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents the current client certificate to servers. The aliases that it returns contain the
 * generation of their {@link TlsMaterial}, so that a key is never combined with another
 * certificate.
 */
final class ReloadedKeys extends X509ExtendedKeyManager {

  private static final char SEPARATOR = '/';

  private final TlsFiles files;

  ReloadedKeys(TlsFiles files) {
    this.files = files;
  }

  private @Nullable String choose(Function<X509ExtendedKeyManager, @Nullable String> choice) {
    TlsMaterial recent = files.recent();
    String alias = recent.keys() == null ? null : choice.apply(recent.keys());
    return alias == null ? null : named(recent, alias);
  }

  private static String named(TlsMaterial material, String alias) {
    return material.generation() + String.valueOf(SEPARATOR) + alias;
  }

  private <T> @Nullable T get(String name, Function<Alias, @Nullable T> content) {
    int end = name.indexOf(SEPARATOR);
    if (end < 0) {
      return null;
    }
    Optional<X509ExtendedKeyManager> keys =
        files
            .numbered(Integer.parseInt(name.substring(0, end)))
            .flatMap(material -> Optional.ofNullable(material.keys()));
    return keys.isEmpty() ? null : content.apply(new Alias(keys.get(), name.substring(end + 1)));
  }

  /** An alias in one of the key managers. */
  private record Alias(X509ExtendedKeyManager keys, String alias) {}

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine connection) {
    return choose(keys -> keys.chooseEngineClientAlias(types, issuers, connection));
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket connection) {
    return choose(keys -> keys.chooseClientAlias(types, issuers, connection));
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String name) {
    return get(name, alias -> alias.keys().getPrivateKey(alias.alias()));
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String name) {
    return get(name, alias -> alias.keys().getCertificateChain(alias.alias()));
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    TlsMaterial recent = files.recent();
    String[] aliases = recent.keys() == null ? null : recent.keys().getClientAliases(type, issuers);
    return aliases == null
        ? null
        : Arrays.stream(aliases).map(alias -> named(recent, alias)).toArray(String[]::new);
  }

  /** Returns null, because this is not a server. */
  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return null;
  }

  /** Returns null, because this is not a server. */
  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket connection) {
    return null;
  }
}
