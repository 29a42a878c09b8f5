// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A key manager that presents the current certificate to the peer, as a client or as a server. The
 * aliases that it returns contain the generation of the {@link TlsMaterial}, so a handshake never
 * combines a key with a different certificate. This class is thread-safe.
 */
final class ReloadedKeys extends X509ExtendedKeyManager {

  private static final char SEPARATOR = '/';

  private final Supplier<TlsMaterial> recent;
  private final TlsMaterialHistory generations;

  /**
   * Creates a key manager.
   *
   * @param recent a function that returns the material for a new handshake, and first reads the
   *     files if necessary
   * @param generations the current and the previous material
   */
  ReloadedKeys(Supplier<TlsMaterial> recent, TlsMaterialHistory generations) {
    this.recent = recent;
    this.generations = generations;
  }

  private @Nullable String choose(Function<X509ExtendedKeyManager, @Nullable String> choice) {
    TlsMaterial material = recent.get();
    String alias = material.keys() == null ? null : choice.apply(material.keys());
    return alias == null ? null : named(material, alias);
  }

  private String @Nullable [] all(Function<X509ExtendedKeyManager, String @Nullable []> choice) {
    TlsMaterial material = recent.get();
    String[] aliases = material.keys() == null ? null : choice.apply(material.keys());
    return aliases == null
        ? null
        : Arrays.stream(aliases).map(alias -> named(material, alias)).toArray(String[]::new);
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
        generations
            .numbered(Integer.parseInt(name.substring(0, end)))
            .flatMap(material -> Optional.ofNullable(material.keys()));
    return keys.isEmpty() ? null : content.apply(new Alias(keys.get(), name.substring(end + 1)));
  }

  /** An alias, and the key manager that defines it. */
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
    return all(keys -> keys.getClientAliases(type, issuers));
  }

  @Override
  public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
    return all(keys -> keys.getServerAliases(type, issuers));
  }

  @Override
  public @Nullable String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket connection) {
    return choose(keys -> keys.chooseServerAlias(type, issuers, connection));
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable SSLEngine connection) {
    return choose(keys -> keys.chooseEngineServerAlias(type, issuers, connection));
  }
}
