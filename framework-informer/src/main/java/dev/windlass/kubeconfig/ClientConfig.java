// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Scheduler;
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
 * Determines the client configuration: the address of the API server and the credentials. The
 * messages of its exceptions consist of one sentence. This class has no state.
 */
public final class ClientConfig {

  /** The address that fabric8 assumes if it finds no configuration. */
  private static final String NOTHING_FOUND = "https://kubernetes.default.svc/";

  private ClientConfig() {}

  /**
   * Loads a client's configuration. If {@code kubeconfig} and {@code master} are both null,
   * searches the default locations: the files in {@code KUBECONFIG}, {@code ~/.kube/config}, and
   * the Pod's ServiceAccount. If only {@code master} is given, does not read any file. Outside a
   * Pod, the namespace is {@code default} if nothing names another one, as for kubectl.
   *
   * @param kubeconfig the file to read, or null
   * @param master the address that replaces the server's address in the file, or null
   * @param scheduler the clock that determines when a token file is read again
   * @param clock the clock that determines when a plugin's credentials have expired
   * @throws IllegalArgumentException if the configuration cannot be determined; the message states
   *     the file, the error and the remedy
   */
  public static Config load(
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
    if (!isInPod() && (config.getNamespace() == null || config.getNamespace().isEmpty())) {
      config.setNamespace("default");
    }
    return config;
  }

  /**
   * Returns the given address of an API server in a normalised form, which ends with a slash. If
   * the address does not have a scheme, http is assumed, as in fabric8.
   *
   * @throws IllegalArgumentException if the address is invalid; the message omits the user name and
   *     the password
   */
  public static String address(String text) {
    try {
      String whole = text.contains("://") ? text : "http://" + text;
      URL url = new URI(whole).toURL();
      if (url.getProtocol().startsWith("http") && !url.getHost().isEmpty()) {
        return text.endsWith("/") ? text : text + "/";
      }
    } catch (URISyntaxException | MalformedURLException e) {
      // Reject the address below, like other invalid addresses.
    }
    throw new IllegalArgumentException(
        "'"
            + OneLine.of(text.replaceFirst("//.*@", "//"), 200)
            + "' is not the address of an API server, such as 'https://10.0.0.1:6443'");
  }

  private static KubeconfigFiles.Found found() {
    KubeconfigFiles.Found found = fromUsualPlaces();
    if (!isInPod() && NOTHING_FOUND.equals(found.config().getMasterUrl())) {
      throw new IllegalArgumentException(
          "there is no kubeconfig in KUBECONFIG or ~/.kube/config, and this is not a Pod with a"
              + " ServiceAccount; name a kubeconfig file or the address of an API server");
    }
    return found;
  }

  private static boolean isInPod() {
    return System.getenv("KUBERNETES_SERVICE_HOST") != null;
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
   * Returns whether the user has set the location of kubeconfig files through the environment
   * variable {@code KUBECONFIG} or fabric8's system property.
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
              + "; name one that exists, or remove the setting that names this one");
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
   * Returns the exception for an unreadable file. The message does not quote the content, because
   * the content includes credentials.
   */
  static IllegalArgumentException unreadable(Path file, Throwable e) {
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
