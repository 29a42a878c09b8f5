// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.clientconfig;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads kubeconfig files and merges them as kubectl does. The first file that defines a name takes
 * precedence, and paths are relative to the file that contains them. fabric8's own reader is not
 * used, because it treats each file that begins with a brace as JSON, and runs the user's plugin
 * while it reads. This class is not thread-safe.
 */
final class KubeconfigFiles {

  /** The property that names the file in which fabric8 stores the tokens that it renews by OIDC. */
  private static final String USER_FILE = "KUBERNETES_CONFIG_AUTH_INFO_FILE_KEY";

  /**
   * The configuration of the current context, and its sources.
   *
   * @param users the file that contains the user of the context, from which values are read again
   *     later; null if no file contains the user
   * @param clusters the file that contains the cluster of the context; null if no file contains it
   */
  record Found(Config config, @Nullable Path users, @Nullable Path clusters) {

    /** Returns a configuration that was not read from a kubeconfig file. */
    static Found without(Config config) {
      return new Found(config, null, null);
    }
  }

  private final io.fabric8.kubernetes.api.model.Config all =
      new io.fabric8.kubernetes.api.model.Config();
  private final List<NamedContext> contexts = new ArrayList<>();
  private final Map<String, Path> users = new HashMap<>();
  private final Map<String, Path> clusters = new HashMap<>();

  private KubeconfigFiles() {}

  /**
   * Returns the configuration of the current context of some files. It omits {@code exec}, which
   * {@link KubeconfigFields} adds.
   *
   * @throws IllegalArgumentException if a file cannot be read
   */
  static Found read(List<Path> files) {
    KubeconfigFiles merged = new KubeconfigFiles();
    files.forEach(merged::add);
    return merged.found();
  }

  private void add(Path file) {
    io.fabric8.kubernetes.api.model.Config content = parse(file);
    if (all.getCurrentContext() == null || all.getCurrentContext().isEmpty()) {
      all.setCurrentContext(content.getCurrentContext());
    }
    for (NamedContext each : content.getContexts()) {
      String name = each.getName(); // without a name, it cannot be the current context
      if (name != null && contexts.stream().noneMatch(known -> name.equals(known.getName()))) {
        contexts.add(each);
      }
    }
    for (NamedCluster each : content.getClusters()) {
      if (each.getCluster() != null && clusters.putIfAbsent(each.getName(), file) == null) {
        absolute(each.getCluster(), file);
        all.getClusters().add(each);
      }
    }
    for (NamedAuthInfo each : content.getUsers()) {
      if (each.getUser() != null && users.putIfAbsent(each.getName(), file) == null) {
        each.getUser().setExec(null);
        absolute(each.getUser(), file);
        all.getUsers().add(each);
      }
    }
  }

  private static void absolute(Cluster cluster, Path file) {
    cluster.setCertificateAuthority(absolute(cluster.getCertificateAuthority(), file));
  }

  private static void absolute(AuthInfo user, Path file) {
    user.setClientCertificate(absolute(user.getClientCertificate(), file));
    user.setClientKey(absolute(user.getClientKey(), file));
  }

  private static @Nullable String absolute(@Nullable String path, Path file) {
    return path == null || path.isEmpty()
        ? path
        : file.toAbsolutePath().resolveSibling(path).toString();
  }

  private Found found() {
    all.setContexts(contexts);
    Config config = Config.fromKubeconfig(Serialization.asYaml(all));
    NamedContext current = config.getCurrentContext();
    if (current == null || current.getContext() == null) {
      return Found.without(config);
    }
    Context context = current.getContext();
    Path user = users.get(context.getUser());
    if (user != null) {
      current.setAdditionalProperty(USER_FILE, user.toFile());
    }
    return new Found(config, user, clusters.get(context.getCluster()));
  }

  /**
   * Returns the content of a file.
   *
   * @throws IllegalArgumentException if the file cannot be read
   */
  static io.fabric8.kubernetes.api.model.Config parse(Path file) {
    io.fabric8.kubernetes.api.model.Config content;
    try {
      // Parse the file as YAML, which includes JSON. fabric8 would choose by the first character.
      String text = Files.readString(file);
      content =
          Serialization.unmarshal(
              text.stripLeading().startsWith("{") ? "---\n" + text : text,
              io.fabric8.kubernetes.api.model.Config.class);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // The parser recurses without a limit into YAML that contains itself or is nested deeply.
      throw ClientConfig.unreadable(file, e);
    }
    if (content == null) {
      throw ClientConfig.unreadable(file, new IOException("no content"));
    }
    return content;
  }
}
