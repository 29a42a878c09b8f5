// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.time.Scheduler;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Completes a configuration by what fabric8 does not take from a kubeconfig: {@code tokenFile}, and
 * {@code as} with its relatives, without which a request goes out as somebody else; and a {@code
 * proxy-url} of another scheme than the server's.
 */
final class KubeconfigFields {

  private KubeconfigFields() {}

  /** Completes a configuration that was read from a kubeconfig; any other stays as it is. */
  static void complete(Config config, Scheduler scheduler) {
    NamedContext context = config.getCurrentContext();
    File users = config.getFileWithAuthInfo();
    File clusters = config.getFileWithCluster();
    if (context == null || context.getContext() == null) {
      return;
    }
    if (users != null) {
      String name = context.getContext().getUser();
      content(users).getUsers().stream()
          .filter(user -> Objects.equals(user.getName(), name) && user.getUser() != null)
          .findFirst()
          .ifPresent(user -> complete(config, user.getUser(), users.toPath(), scheduler));
    }
    if (clusters != null) {
      String name = context.getContext().getCluster();
      content(clusters).getClusters().stream()
          .filter(cluster -> Objects.equals(cluster.getName(), name))
          .map(cluster -> cluster.getCluster() == null ? "" : cluster.getCluster().getProxyUrl())
          .filter(KubeconfigFields::isSet)
          .findFirst()
          .ifPresent(
              proxy -> {
                config.setHttpProxy(proxy);
                config.setHttpsProxy(proxy);
              });
    }
  }

  private static io.fabric8.kubernetes.api.model.Config content(File file) {
    try {
      return Serialization.unmarshal(
          Files.readString(file.toPath()), io.fabric8.kubernetes.api.model.Config.class);
    } catch (IOException | RuntimeException e) {
      throw ClientConfig.unreadable(file.toPath(), e);
    }
  }

  private static void complete(Config config, AuthInfo user, Path file, Scheduler scheduler) {
    if (isSet(user.getTokenFile())) {
      Path token = file.toAbsolutePath().resolveSibling(user.getTokenFile());
      config.setOauthTokenProvider(new TokenFile(token, user.getToken(), scheduler));
    }
    if (isSet(user.getAs())) {
      config.setImpersonateUsername(user.getAs());
    }
    if (user.getAsGroups() != null && !user.getAsGroups().isEmpty()) {
      config.setImpersonateGroups(user.getAsGroups().toArray(new String[0]));
    }
    if (user.getAsUserExtra() != null && !user.getAsUserExtra().isEmpty()) {
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
