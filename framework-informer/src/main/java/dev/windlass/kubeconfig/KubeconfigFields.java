// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import dev.windlass.scheduling.Scheduler;
import dev.windlass.transport.ProxySettings;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Completes a configuration with the fields of a kubeconfig that fabric8 does not read. These
 * fields are {@code tokenFile}, a {@code proxy-url} whose scheme differs from the server's, and
 * {@code as} with the other impersonation fields. If the client ignored {@code as}, it would send
 * requests as the wrong user. This class also runs {@code exec} plugins, because fabric8 would run
 * them once a minute, or for each request, regardless of when their credentials expire.
 */
final class KubeconfigFields {

  private KubeconfigFields() {}

  /**
   * Completes a configuration with the fields of its kubeconfig, and with the proxy of the
   * environment if the kubeconfig names none.
   */
  static void complete(KubeconfigFiles.Found found, Scheduler scheduler, Clock clock) {
    Config config = found.config();
    AuthInfo user = found.user();
    Path file = found.userFile();
    Cluster cluster = found.cluster();
    if (user != null && file != null) {
      String name = config.getCurrentContext().getContext().getUser();
      impersonate(config, user, file);
      authenticate(config, user, cluster, file, name, scheduler, clock);
    }
    if (cluster != null && isSet(cluster.getProxyUrl())) {
      config.setHttpProxy(cluster.getProxyUrl());
      config.setHttpsProxy(cluster.getProxyUrl());
      config.setNoProxy(null); // as in kubectl, it applies only to the proxy of the environment
    } else {
      ProxySettings.addEnvironment(config);
    }
  }

  private static Optional<AuthInfo> user(Path file, String name) {
    return KubeconfigFiles.parse(file).getUsers().stream()
        .filter(user -> Objects.equals(user.getName(), name) && user.getUser() != null)
        .findFirst()
        .map(NamedAuthInfo::getUser);
  }

  /**
   * Sets the token provider. Without a provider, fabric8 reads the kubeconfig again for each
   * request, and the request fails if the kubeconfig cannot be read. This method therefore sets a
   * provider even if the client never sends a token.
   */
  private static void authenticate(
      Config config,
      AuthInfo user,
      @Nullable Cluster cluster,
      Path file,
      String name,
      Scheduler scheduler,
      Clock clock) {
    if (isSet(user.getTokenFile())) {
      Path token = file.toAbsolutePath().resolveSibling(user.getTokenFile());
      config.setOauthTokenProvider(new TokenFile(token, user.getToken(), scheduler));
    } else if (isSet(config.getOauthToken()) || config.getAuthProvider() != null) {
      return; // the token is from the environment, or fabric8 renews it
    } else if (isSet(user.getToken())) {
      config.setOauthTokenProvider(
          new TokenFile(() -> token(file, name), user.getToken(), scheduler));
    } else if (user.getExec() != null && !isSet(user.getUsername())) {
      config.setOauthTokenProvider(
          new ExecCredentials(new ExecPlugin(user.getExec(), file, cluster), scheduler, clock));
    } else {
      config.setOauthTokenProvider(KubeconfigFields::noToken);
    }
  }

  @SuppressWarnings("NullAway") // null means no token in fabric8, which is not documented
  private static String noToken() {
    return null;
  }

  private static String token(Path file, String name) throws IOException {
    try {
      return user(file, name)
          .map(AuthInfo::getToken)
          .filter(KubeconfigFields::isSet)
          .orElseThrow(() -> new IOException(file + " no longer contains a token"));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Sets the user to impersonate.
   *
   * @throws IllegalArgumentException if groups, a uid or extra fields are given without a user. The
   *     API server rejects such requests from kubectl, but fabric8 would send them without
   *     impersonation
   */
  private static void impersonate(Config config, AuthInfo user, Path file) {
    boolean groups = user.getAsGroups() != null && !user.getAsGroups().isEmpty();
    boolean extra = user.getAsUserExtra() != null && !user.getAsUserExtra().isEmpty();
    if (!isSet(user.getAs()) && (groups || extra || isSet(user.getAsUid()))) {
      throw new IllegalArgumentException(
          "the kubeconfig file "
              + file
              + " has 'as-groups', 'as-uid' or 'as-user-extra' without 'as'; name the user to"
              + " impersonate, or remove these fields");
    }
    if (isSet(user.getAs())) {
      config.setImpersonateUsername(user.getAs());
    }
    if (groups) {
      config.setImpersonateGroups(user.getAsGroups().toArray(new String[0]));
    }
    if (extra) {
      config.setImpersonateExtras(user.getAsUserExtra());
    }
    if (isSet(user.getAsUid())) {
      Map<String, String> headers = new HashMap<>();
      if (config.getCustomHeaders() != null) {
        headers.putAll(config.getCustomHeaders());
      }
      headers.put("Impersonate-Uid", user.getAsUid());
      config.setCustomHeaders(headers);
    }
  }

  private static boolean isSet(@Nullable String text) {
    return text != null && !text.isEmpty();
  }
}
