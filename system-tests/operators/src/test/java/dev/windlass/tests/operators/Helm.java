// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.TestApiServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs Helm as the administrator of a server. The program is the one that {@code helm.sh} builds if
 * it is not there yet, so that no test is ever skipped.
 */
final class Helm {

  private static final Path SCRIPT = Path.of("../../framework-test-server/real-apiserver/helm.sh");

  private final String program;
  private final Map<String, String> environment;

  private Helm(String program, Map<String, String> environment) {
    this.program = program;
    this.environment = environment;
  }

  /**
   * Makes a Helm for a server.
   *
   * @param folder where it keeps its files
   */
  static Helm on(TestApiServer server, Path folder) throws IOException, InterruptedException {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig-of-helm"), server.kubeconfig());
    Result script = run(List.of("bash", SCRIPT.toString()), Map.of());
    assertThat(script.exit()).as(script.text()).isZero();
    String program = script.text().lines().reduce((first, last) -> last).orElseThrow();
    return new Helm(
        program,
        Map.of(
            "KUBECONFIG", kubeconfig.toString(),
            "HELM_CACHE_HOME", folder.resolve("helm").toString(),
            "HELM_CONFIG_HOME", folder.resolve("helm").toString(),
            "HELM_DATA_HOME", folder.resolve("helm").toString()));
  }

  /** What a command has printed, and its exit code. */
  record Result(int exit, String text) {}

  Result run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(arguments);
    return run(command, environment);
  }

  /** The output of a command that must not fail. */
  String succeed(List<String> arguments) throws IOException, InterruptedException {
    Result result = run(arguments);
    assertThat(result.exit()).as(result.text()).isZero();
    return result.text();
  }

  private static Result run(List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), text);
  }
}
