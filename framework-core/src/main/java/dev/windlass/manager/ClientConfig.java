// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds out where the API server is and who we are, or says in one sentence why it can't. */
final class ClientConfig {

  /** What fabric8 assumes when it finds no configuration at all. */
  private static final String NOTHING_FOUND = "https://kubernetes.default.svc/";

  private ClientConfig() {}

  /**
   * The configuration of a client.
   *
   * @param kubeconfig the file to read; null for the usual places: {@code KUBECONFIG}, {@code
   *     ~/.kube/config}, and the ServiceAccount of the Pod
   * @param master overrides the server's address; null for none
   * @throws IllegalArgumentException saying what is wrong with which file, and what to do
   */
  static Config load(@Nullable Path kubeconfig, @Nullable String master) {
    Config config =
        kubeconfig != null ? read(kubeconfig) : master != null ? Config.empty() : found();
    if (master != null) {
      config.setMasterUrl(master.endsWith("/") ? master : master + "/");
    }
    return config;
  }

  /**
   * As {@link #load(Path, String)}. What the program names comes before anything from outside, also
   * before the other of the two.
   */
  static Config load(@Nullable Path kubeconfig, @Nullable String master, Settings outside) {
    return kubeconfig != null || master != null
        ? load(kubeconfig, master)
        : load(
            outside.text(Setting.KUBECONFIG).map(Path::of).orElse(null),
            outside.text(Setting.MASTER).orElse(null));
  }

  private static Config found() {
    Config config = Config.autoConfigure(null);
    boolean inCluster = System.getenv("KUBERNETES_SERVICE_HOST") != null;
    if (!inCluster && NOTHING_FOUND.equals(config.getMasterUrl())) {
      throw new IllegalArgumentException(
          "there is no kubeconfig in KUBECONFIG or ~/.kube/config, and this is no Pod with a"
              + " ServiceAccount; name a kubeconfig file or the address of an API server");
    }
    return config;
  }

  private static Config read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "there is no kubeconfig file "
              + file
              + "; name one that exists, or none to use KUBECONFIG or ~/.kube/config");
    }
    Config config;
    try {
      config =
          Config.fromKubeconfig(file.toFile()); // knows what relative paths in it are relative to
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "the kubeconfig file "
              + file
              + " can't be read ("
              + e.getClass().getSimpleName()
              + "); check it with: kubectl --kubeconfig "
              + file
              + " config view",
          e);
    }
    if (config.getCurrentContext() == null || config.getCurrentContext().getContext() == null) {
      throw new IllegalArgumentException(
          "the kubeconfig file "
              + file
              + " names no current context that it contains; choose one with: kubectl --kubeconfig "
              + file
              + " config use-context NAME");
    }
    return config;
  }
}
