// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads kubeconfig files and merges them as kubectl does: the first file to define a name wins.
 * fabric8's own reader takes each file that begins with a brace for JSON, and runs the user's
 * plugin while it reads.
 */
final class KubeconfigFiles {

  private KubeconfigFiles() {}

  /**
   * Returns what the current context of some files says, without {@code exec}, see {@link
   * KubeconfigFields}.
   *
   * @throws IllegalArgumentException if a file can't be read
   */
  static Config read(List<Path> files) {
    Config config = Config.empty();
    KubeConfigUtils.merge(
        config,
        null,
        files.stream()
            .map(KubeconfigFiles::withoutPlugins)
            .toArray(io.fabric8.kubernetes.api.model.Config[]::new));
    return config;
  }

  private static io.fabric8.kubernetes.api.model.Config withoutPlugins(Path file) {
    io.fabric8.kubernetes.api.model.Config content = parse(file);
    for (NamedAuthInfo user : content.getUsers()) {
      if (user.getUser() != null) {
        user.getUser().setExec(null);
      }
    }
    return content;
  }

  /**
   * Returns the content of a file. Each entry carries the file that it stands in under the name by
   * which fabric8 looks for it: relative paths are relative to that.
   *
   * @throws IllegalArgumentException if it can't be read
   */
  static io.fabric8.kubernetes.api.model.Config parse(Path file) {
    io.fabric8.kubernetes.api.model.Config content;
    try {
      // As YAML, of which JSON is a part; fabric8 would judge by the first character.
      String text = Files.readString(file);
      content =
          Serialization.unmarshal(
              text.stripLeading().startsWith("{") ? "---\n" + text : text,
              io.fabric8.kubernetes.api.model.Config.class);
    } catch (IOException | RuntimeException e) {
      throw ClientConfig.unreadable(file, e);
    }
    if (content == null) {
      throw ClientConfig.unreadable(file, new IOException("no content"));
    }
    content
        .getContexts()
        .forEach(
            it -> it.setAdditionalProperty("KUBERNETES_CONFIG_CONTEXT_FILE_KEY", file.toFile()));
    content
        .getClusters()
        .forEach(
            it -> it.setAdditionalProperty("KUBERNETES_CONFIG_CLUSTER_FILE_KEY", file.toFile()));
    content
        .getUsers()
        .forEach(
            it -> it.setAdditionalProperty("KUBERNETES_CONFIG_AUTH_INFO_FILE_KEY", file.toFile()));
    return content;
  }
}
