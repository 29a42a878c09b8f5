// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testsupport.JavaProcess;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The program of an installed Deployment, run as a process, because there is no kubelet: with the
 * arguments and the environment of its container, and with a token of its ServiceAccount. Only the
 * addresses differ, because all processes share the ports of this machine.
 *
 * @param process what runs
 * @param metrics the port of the metrics
 * @param webhooks the port of the webhooks
 * @param limit the memory limit of the container, in bytes
 */
record InstalledProgram(JavaProcess process, int metrics, int webhooks, long limit)
    implements AutoCloseable {

  private static final long TOKEN_SECONDS = 3_600;

  /** The packaged program of an example. */
  static Path jar(String example, String operator) {
    return Path.of("../../examples", example, "target", operator + ".jar");
  }

  /** Makes a packaged program write its chart. */
  static void write(Path jar, String... options) throws IOException, InterruptedException {
    try (JavaProcess program = JavaProcess.startJar(jar, options)) {
      assertThat(program.awaitExit()).as(program.lines().toString()).isZero();
    }
  }

  /**
   * Starts a replica of a Deployment. Because there is no container, the JVM is told of its memory
   * limit. The JVM touches its whole heap at once, as an operator does sooner or later.
   */
  static InstalledProgram start(
      TestApiServer server, String namespace, String deployment, Path jar, Path folder)
      throws IOException {
    try (KubernetesClient kubectl = server.newClient()) {
      PodSpec pod =
          kubectl
              .apps()
              .deployments()
              .inNamespace(namespace)
              .withName(deployment)
              .get()
              .getSpec()
              .getTemplate()
              .getSpec();
      Container container = pod.getContainers().get(0);
      String token = token(kubectl, namespace, pod.getServiceAccountName());
      Map<String, String> environment = new HashMap<>();
      for (EnvVar variable : container.getEnv()) {
        environment.put(variable.getName(), variable.getValue());
      }
      BigDecimal limit = container.getResources().getLimits().get("memory").getNumericalAmount();
      environment.merge(
          "JAVA_TOOL_OPTIONS",
          " -XX:MaxRAM=" + limit + " -XX:InitialRAMPercentage=100 -XX:+AlwaysPreTouch",
          String::concat);
      Path kubeconfig = Files.createTempFile(folder, "kubeconfig", "");
      Files.writeString(kubeconfig, kubeconfig(server.clientConfig(), namespace, token));
      environment.put("KUBECONFIG", kubeconfig.toString());

      int metrics = freePort();
      int webhooks = freePort();
      List<String> arguments = new ArrayList<>();
      for (String argument : container.getArgs()) {
        String port = argument.startsWith("--metrics-bind-address") ? ":" + metrics : ":0";
        arguments.add(argument.replaceFirst("(bind-address=[^:]*):\\d+$", "$1" + port));
      }
      assertThat(arguments).contains("--health-probe-bind-address=:0");
      if (arguments.stream().anyMatch(argument -> argument.startsWith("--webhook-service="))) {
        arguments.add("--webhook-bind-address=:" + webhooks);
      }
      JavaProcess process =
          JavaProcess.startJar(environment, jar, arguments.toArray(String[]::new));
      return new InstalledProgram(process, metrics, webhooks, limit.longValueExact());
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The share of the memory limit that has not been used so far. */
  double memoryLeft() throws IOException {
    try (Stream<String> status = Files.lines(Path.of("/proc", "" + process.pid(), "status"))) {
      long peak =
          status
              .filter(line -> line.startsWith("VmHWM:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
              .findAny()
              .orElseThrow();
      System.out.printf("memory: %d of %d MiB at most%n", peak >> 20, limit >> 20);
      return 1 - (double) peak / limit;
    }
  }

  /** A token of a ServiceAccount, as the kubelet mounts it. */
  static String token(KubernetesClient kubectl, String namespace, String account) {
    return kubectl
        .serviceAccounts()
        .inNamespace(namespace)
        .withName(account)
        .tokenRequest(
            new TokenRequestBuilder()
                .withNewSpec()
                .withExpirationSeconds(TOKEN_SECONDS)
                .endSpec()
                .build())
        .getStatus()
        .getToken();
  }

  private static String kubeconfig(Config server, String namespace, String token) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: cluster
      cluster: {server: "%s", certificate-authority-data: "%s"}
    users:
    - name: account
      user: {token: "%s"}
    contexts:
    - name: pod
      context: {cluster: cluster, user: account, namespace: "%s"}
    current-context: pod
    """
        .formatted(server.getMasterUrl(), server.getCaCertData(), token, namespace);
  }

  @Override
  public void close() {
    process.close();
  }
}
