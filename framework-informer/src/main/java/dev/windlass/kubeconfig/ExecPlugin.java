// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.tls.RenewedCredentials.ClientCertificate;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.api.model.ExecEnvVar;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The {@code exec} entry of a kubeconfig user, which names a program that prints credentials. The
 * program runs without a terminal and with the environment of this process. The program shares this
 * process's standard error. Instances are immutable.
 */
final class ExecPlugin {

  /** The time limit for a run of the plugin: 1 min. In client-go, there is no limit. */
  static final Duration LIMIT = Duration.ofMinutes(1);

  /** The maximum length of the output that is read: 1 MiB. */
  private static final int LARGEST = 1 << 20;

  private static final String CLUSTER_EXTENSION = "client.authentication.k8s.io/exec";

  /**
   * The credentials that a plugin printed.
   *
   * @param token the token; null if the plugin printed none
   * @param certificate the client certificate; null if the plugin printed none
   * @param expires the time at which the plugin must run again; null if the credentials do not
   *     expire
   */
  record Credential(
      @Nullable String token, @Nullable ClientCertificate certificate, @Nullable Instant expires) {

    /** Returns a description that omits the credentials. */
    @Override
    public String toString() {
      return "Credential[expires=" + expires + "]";
    }
  }

  private final ExecConfig entry;
  private final String command;
  private final String request;

  /**
   * Creates a plugin from its entry. The plugin is not run.
   *
   * @param file the kubeconfig file; a command that contains a slash is relative to its directory
   * @param cluster the cluster, which is passed to the plugin if the entry requests it
   * @throws IllegalArgumentException if the plugin requires a terminal
   */
  ExecPlugin(ExecConfig entry, Path file, @Nullable Cluster cluster) {
    this.entry = entry;
    String named = Objects.requireNonNullElse(entry.getCommand(), "");
    this.command =
        named.contains(File.separator)
            ? file.toAbsolutePath().resolveSibling(named).normalize().toString()
            : named;
    if ("Always".equals(entry.getInteractiveMode())) {
      throw new IllegalArgumentException(
          "the exec plugin of the kubeconfig can't be used: "
              + command
              + " requires a terminal (interactiveMode: Always); name one that does not");
    }
    this.request = Serialization.asJson(request(entry, cluster));
  }

  private static Map<String, Object> request(ExecConfig entry, @Nullable Cluster cluster) {
    Map<String, Object> spec = new LinkedHashMap<>();
    if (Boolean.TRUE.equals(entry.getProvideClusterInfo()) && cluster != null) {
      Map<String, Object> about = new LinkedHashMap<>();
      put(about, "server", cluster.getServer());
      put(about, "tls-server-name", cluster.getTlsServerName());
      put(about, "insecure-skip-tls-verify", cluster.getInsecureSkipTlsVerify());
      put(about, "certificate-authority-data", cluster.getCertificateAuthorityData());
      put(about, "proxy-url", cluster.getProxyUrl());
      cluster.getExtensions().stream()
          .filter(extension -> CLUSTER_EXTENSION.equals(extension.getName()))
          .findFirst()
          .ifPresent(extension -> put(about, "config", extension.getExtension()));
      spec.put("cluster", about);
    }
    spec.put("interactive", false);
    Map<String, Object> request = new LinkedHashMap<>();
    put(request, "apiVersion", entry.getApiVersion());
    request.put("kind", "ExecCredential");
    request.put("spec", spec);
    return request;
  }

  private static void put(Map<String, Object> map, String key, @Nullable Object value) {
    if (value != null) {
      map.put(key, value);
    }
  }

  /**
   * Runs the plugin, and waits at most {@link #LIMIT} for it to exit.
   *
   * @throws IOException if the plugin does not return credentials; the message is one sentence that
   *     does not quote the output
   */
  Credential run(Scheduler scheduler) throws IOException {
    List<String> line = new ArrayList<>(List.of(command));
    if (entry.getArgs() != null) {
      line.addAll(entry.getArgs());
    }
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("KUBERNETES_EXEC_INFO", request);
    if (entry.getEnv() != null) {
      for (ExecEnvVar variable : entry.getEnv()) {
        builder.environment().put(variable.getName(), variable.getValue());
      }
    }
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new IOException(command + " can't be run" + hint(), e);
    }
    Scheduler.Alarm alarm = scheduler.schedule(() -> kill(process), LIMIT);
    try (InputStream output = process.getInputStream()) {
      process.getOutputStream().close(); // the plugin receives no input
      String answer = new String(output.readNBytes(LARGEST), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException(command + " ended with exit code " + code + hint());
      }
      return read(answer);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(command + " was interrupted", e);
    } finally {
      alarm.cancel();
      kill(process);
    }
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /**
   * Returns the installation hint from the kubeconfig, for users who have not installed the
   * program.
   */
  private String hint() {
    String hint = entry.getInstallHint();
    return hint == null || hint.isBlank() ? "" : ". " + OneLine.of(hint.strip(), 500);
  }

  private Credential read(String answer) throws IOException {
    Map<?, ?> credential;
    try {
      credential = Serialization.unmarshal(answer, Map.class);
    } catch (RuntimeException e) {
      throw new IOException(command + " did not print an ExecCredential"); // e quotes the output
    }
    if (credential == null || !"ExecCredential".equals(credential.get("kind"))) {
      throw new IOException(command + " did not print an ExecCredential");
    }
    Object version = credential.get("apiVersion");
    if (entry.getApiVersion() != null && !entry.getApiVersion().equals(version)) {
      throw new IOException(
          command
              + " printed the apiVersion "
              + OneLine.of(String.valueOf(version), 100)
              + "; the kubeconfig requires "
              + entry.getApiVersion());
    }
    Map<?, ?> status = credential.get("status") instanceof Map<?, ?> map ? map : Map.of();
    String token = text(status, "token");
    String certificate = text(status, "clientCertificateData");
    String key = text(status, "clientKeyData");
    if ((certificate == null) != (key == null)) {
      throw new IOException(command + " printed a certificate or a key without the other");
    }
    if (token == null && certificate == null) {
      throw new IOException(command + " printed neither a token nor a certificate");
    }
    return new Credential(
        token,
        certificate == null || key == null ? null : new ClientCertificate(certificate, key),
        expires(text(status, "expirationTimestamp")));
  }

  private @Nullable Instant expires(@Nullable String text) throws IOException {
    try {
      return text == null ? null : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      throw new IOException(command + " printed an expirationTimestamp that is not a time", e);
    }
  }

  private static @Nullable String text(Map<?, ?> map, String key) {
    return map.get(key) instanceof String text && !text.isEmpty() ? text : null;
  }
}
