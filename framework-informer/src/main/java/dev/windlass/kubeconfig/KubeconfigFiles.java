// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import dev.windlass.object.ObjectCodec;
import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads kubeconfig files and merges them as kubectl does. The first file that defines a name takes
 * precedence, and paths are relative to the file that contains them. This class does not use
 * fabric8's own reader, because that reader treats each file that begins with a brace as JSON, and
 * runs the user's plugin while it reads. This class is not thread-safe.
 */
final class KubeconfigFiles {

  /**
   * The property that names the file in which fabric8 stores tokens after it has renewed them by
   * OIDC.
   */
  private static final String USER_FILE = "KUBERNETES_CONFIG_AUTH_INFO_FILE_KEY";

  /**
   * The configuration of the current context, and the entries from which it was created.
   *
   * @param config the configuration
   * @param user the user of the context; null if no file contains the user
   * @param userFile the file that contains the user, which is used to read the token again later;
   *     null if no file contains the user
   * @param cluster the cluster of the context; null if no file contains the cluster
   */
  record Found(
      Config config, @Nullable AuthInfo user, @Nullable Path userFile, @Nullable Cluster cluster) {

    /** Returns a configuration that was not read from a kubeconfig file. */
    static Found without(Config config) {
      return new Found(config, null, null, null);
    }
  }

  /** An entry of a kubeconfig, and the file that contains it. */
  private record Entry<T>(T value, Path file) {}

  private @Nullable String currentContext;
  private final Map<String, NamedContext> contexts = new LinkedHashMap<>();
  private final Map<String, Entry<AuthInfo>> users = new HashMap<>();
  private final Map<String, Cluster> clusters = new HashMap<>();

  private KubeconfigFiles() {}

  /**
   * Returns the configuration of the current context in the given files, without the fields that
   * {@link KubeconfigFields} completes.
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
    if (currentContext == null || currentContext.isEmpty()) {
      currentContext = content.getCurrentContext();
    }
    for (NamedContext each : content.getContexts()) {
      if (each.getName() != null) { // only a context with a name can be the current one
        contexts.putIfAbsent(each.getName(), each);
      }
    }
    for (NamedCluster each : content.getClusters()) {
      if (each.getCluster() != null
          && clusters.putIfAbsent(each.getName(), each.getCluster()) == null) {
        absolute(each.getCluster(), file);
      }
    }
    for (NamedAuthInfo each : content.getUsers()) {
      if (each.getUser() != null
          && users.putIfAbsent(each.getName(), new Entry<>(each.getUser(), file)) == null) {
        absolute(each.getUser(), file);
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
    List<NamedContext> complete =
        contexts.values().stream().filter(each -> each.getContext() != null).toList();
    NamedContext current = contexts.get(currentContext);
    if (current == null || current.getContext() == null) {
      Config config = Config.empty();
      config.setContexts(complete);
      return Found.without(config);
    }
    Cluster cluster = clusters.get(current.getContext().getCluster());
    Entry<AuthInfo> user = users.get(current.getContext().getUser());
    if (user != null) {
      current.setAdditionalProperty(USER_FILE, user.file().toFile());
    }
    AuthInfo userOrNull = user == null ? null : user.value();
    Config config = ContextConfig.of(current, cluster, userOrNull);
    config.setContexts(complete);
    return new Found(config, userOrNull, user == null ? null : user.file(), cluster);
  }

  /**
   * Returns the content of a file.
   *
   * @throws IllegalArgumentException if the file cannot be read
   */
  static io.fabric8.kubernetes.api.model.Config parse(Path file) {
    io.fabric8.kubernetes.api.model.Config content;
    try {
      // Parse the file as YAML, which includes JSON. fabric8 would choose the format by the first
      // character.
      String text = Files.readString(file);
      content =
          ObjectCodec.ofYaml(
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
