// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.processes.ServerPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs kubectl as the administrator of a server, and returns its output. This class uses the
 * kubectl binary in the directory {@code KUBEBUILDER_ASSETS}. If there is none, it uses the kubectl
 * on the {@code PATH}. This class is thread-safe.
 */
public final class Kubectl {

  private final List<String> command;

  /**
   * The result of a kubectl command.
   *
   * @param exit the exit code; 0 means success
   * @param text the output, including error messages
   */
  public record Output(int exit, String text) {

    /** Returns the lines of the output. */
    public List<String> lines() {
      return text.lines().toList();
    }
  }

  private Kubectl(List<String> command) {
    this.command = List.copyOf(command);
  }

  /**
   * Creates an instance that runs kubectl for the given server.
   *
   * @param folder the folder for kubectl's kubeconfig and cache, such as JUnit's {@code @TempDir}
   */
  public static Kubectl on(TestApiServer server, Path folder) {
    try {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
      return new Kubectl(
          List.of(
              program(), "--kubeconfig=" + kubeconfig, "--cache-dir=" + folder.resolve("cache")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String program() {
    String directory = System.getenv(ServerPrograms.VARIABLE);
    if (directory == null) {
      return "kubectl";
    }
    Path own = Path.of(directory).resolve("kubectl");
    return Files.isExecutable(own) ? own.toString() : "kubectl";
  }

  /**
   * Applies a CRD, and waits up to 30 s for the server to establish it.
   *
   * @param file the path of the file, relative to the test's working directory
   * @return the output of the apply command, which states, for example, whether the CRD was created
   *     or is unchanged
   * @throws IllegalStateException if kubectl cannot apply the CRD, or if the wait fails; the
   *     message contains kubectl's output
   */
  public String applyCrd(String file) {
    String applied = succeed("apply", "-f", file);
    succeed("wait", "--for=condition=Established", "--timeout=30s", "-f", file);
    return applied;
  }

  private String succeed(String... arguments) {
    Output output = run(arguments);
    if (output.exit() != 0) {
      throw new IllegalStateException(
          "kubectl " + String.join(" ", arguments) + ": " + output.text());
    }
    return output.text();
  }

  /**
   * Runs kubectl and returns when it has exited. This method does not set a time limit, so pass
   * {@code --timeout} to commands that can wait.
   *
   * @param arguments the arguments, such as {@code apply}, {@code -f} and a file; the path of a
   *     file is relative to the test's working directory
   * @throws UncheckedIOException if kubectl is not available
   * @throws IllegalStateException if the thread is interrupted; kubectl is then terminated
   */
  public Output run(String... arguments) {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of(arguments));
    Process process;
    String text;
    try {
      process = new ProcessBuilder(words).redirectErrorStream(true).start();
      process.getOutputStream().close();
      text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      return new Output(process.waitFor(), text);
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
