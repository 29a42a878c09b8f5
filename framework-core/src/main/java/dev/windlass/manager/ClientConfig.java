// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.object.OneLine;
import dev.windlass.time.Scheduler;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Determines the address of the API server and the credentials to use, or reports in one sentence
 * why it can't. For use by one thread.
 */
final class ClientConfig {

  /** The address that fabric8 assumes when it finds no configuration at all. */
  private static final String NOTHING_FOUND = "https://kubernetes.default.svc/";

  @Nullable Path kubeconfig;
  @Nullable String master;
  @Nullable Config config;

  /**
   * Returns the configuration that the program sets, or otherwise the one from outside of it. If
   * the program sets a file or an address, neither is taken from outside.
   */
  Config choose(Settings outside, Scheduler scheduler, Clock clock) {
    if (config != null) {
      return config;
    }
    return kubeconfig != null || master != null
        ? load(kubeconfig, master, scheduler, clock)
        : load(
            outside.text(Setting.KUBECONFIG).map(Path::of).orElse(null),
            outside.master().orElse(null),
            scheduler,
            clock);
  }

  /**
   * Returns the configuration of a client.
   *
   * @param kubeconfig the file to read; null for the usual places: {@code KUBECONFIG}, {@code
   *     ~/.kube/config}, and the ServiceAccount of the Pod
   * @param master overrides the server's address; null for none
   * @param scheduler measures when a token file is read again
   * @param clock determines when the credentials of a plugin have expired
   * @throws IllegalArgumentException if it can't be determined; the message says what is wrong with
   *     which file, and what to do
   */
  static Config load(
      @Nullable Path kubeconfig, @Nullable String master, Scheduler scheduler, Clock clock) {
    KubeconfigFiles.Found found =
        kubeconfig != null
            ? read(kubeconfig)
            : master != null ? KubeconfigFiles.Found.without(Config.empty()) : found();
    KubeconfigFields.complete(found, scheduler, clock);
    Config config = found.config();
    if (master != null) {
      config.setMasterUrl(address(master));
    }
    return config;
  }

  /**
   * Returns the address of an API server, with a slash at its end. An address without a scheme is
   * treated as http, as in fabric8.
   *
   * @throws IllegalArgumentException if it is not a valid address; the message omits user name and
   *     password
   */
  static String address(String text) {
    try {
      String whole = text.contains("://") ? text : "http://" + text;
      URL url = new URI(whole).toURL();
      if (url.getProtocol().startsWith("http") && !url.getHost().isEmpty()) {
        return text.endsWith("/") ? text : text + "/";
      }
    } catch (URISyntaxException | MalformedURLException e) {
      // rejected below, like other invalid addresses
    }
    throw new IllegalArgumentException(
        "'"
            + OneLine.of(text.replaceFirst("//.*@", "//"), 200)
            + "' is not the address of an API server, such as 'https://10.0.0.1:6443'");
  }

  private static KubeconfigFiles.Found found() {
    KubeconfigFiles.Found found = fromUsualPlaces();
    boolean inCluster = System.getenv("KUBERNETES_SERVICE_HOST") != null;
    if (!inCluster && NOTHING_FOUND.equals(found.config().getMasterUrl())) {
      throw new IllegalArgumentException(
          "there is no kubeconfig in KUBECONFIG or ~/.kube/config, and this is not a Pod with a"
              + " ServiceAccount; name a kubeconfig file or the address of an API server");
    }
    return found;
  }

  private static KubeconfigFiles.Found fromUsualPlaces() {
    List<Path> named = Config.getKubeconfigFilenames().stream().map(Path::of).toList();
    List<Path> files =
        named.stream().filter(file -> Files.isRegularFile(file) && !isBlank(file)).toList();
    boolean chosen = isChosen();
    if (files.isEmpty()) {
      if (chosen) {
        named.forEach(ClientConfig::requireContent);
      }
      return KubeconfigFiles.Found.without(Config.autoConfigure(null)); // a Pod's ServiceAccount
    }
    KubeconfigFiles.Found found = KubeconfigFiles.read(files);
    if (chosen) {
      requireContext(found.config(), files);
    }
    Config.configFromSysPropsOrEnvVars(found.config());
    return found;
  }

  /**
   * Returns whether the user has set where kubeconfigs are, as kubectl and fabric8 understand it.
   */
  private static boolean isChosen() {
    return !String.valueOf(System.getProperty(Config.KUBERNETES_KUBECONFIG_FILE, "")).isEmpty()
        || System.getenv("KUBECONFIG") != null;
  }

  private static boolean isBlank(Path file) {
    try {
      return Files.readString(file).isBlank();
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static KubeconfigFiles.Found read(Path file) {
    requireContent(file);
    KubeconfigFiles.Found found = KubeconfigFiles.read(List.of(file));
    requireContext(found.config(), List.of(file));
    return found;
  }

  private static void requireContent(Path file) {
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(
          "the kubeconfig " + file + " is a directory; name a file in it");
    }
    if (!Files.exists(file)) {
      throw new IllegalArgumentException(
          "there is no kubeconfig file "
              + file
              + "; name one that exists, or none to use KUBECONFIG or ~/.kube/config");
    }
    if (isBlank(file)) {
      throw new IllegalArgumentException(
          "the kubeconfig file "
              + file
              + " is empty; write one, for instance with: kubectl --kubeconfig "
              + file
              + " config set-cluster NAME --server=URL");
    }
  }

  private static void requireContext(Config config, List<Path> files) {
    if (config.getCurrentContext() == null || config.getCurrentContext().getContext() == null) {
      throw new IllegalArgumentException(
          "the kubeconfig file "
              + files.get(0)
              + " has no current context, or does not contain it; choose one with: kubectl"
              + " --kubeconfig "
              + files.get(0)
              + " config use-context NAME");
    }
  }

  /**
   * Returns the exception for an unreadable file. It quotes nothing of the content, which holds
   * credentials.
   */
  static IllegalArgumentException unreadable(Path file, Exception e) {
    return new IllegalArgumentException(
        "the kubeconfig file "
            + file
            + " can't be read ("
            + e.getClass().getSimpleName()
            + "); check it with: kubectl --kubeconfig "
            + file
            + " config view",
        e);
  }
}
