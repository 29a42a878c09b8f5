// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.manager;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * An {@link EmbeddedApiServer} in a JVM of its own, for tests that measure theirs: the server keeps
 * its latest changes and requests, and a thread and a socket for each watch until it notices that
 * nobody listens. It ends with the process that started it.
 */
final class ServerProcess implements AutoCloseable {

  private final Process process;
  private final String url;

  /** Starts it, and returns when it can be asked. */
  ServerProcess() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                ServerProcess.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line = process.inputReader(StandardCharsets.UTF_8).readLine();
    if (line == null) {
      throw new IOException("the server's process ended before it was ready: " + process);
    }
    url = line;
  }

  /** How to reach it. */
  Config clientConfig() {
    return new ConfigBuilder(Config.empty()).withMasterUrl(url).withNamespace("default").build();
  }

  /** Runs a server until the input ends, as it does when the process on its other side is gone. */
  @SuppressWarnings("SystemOut") // its output is what the test reads
  public static void main(String[] arguments) throws IOException {
    PrintStream answer = System.out;
    System.setOut(System.err); // nobody reads what it logs
    try (EmbeddedApiServer server =
        EmbeddedApiServer.builder().logCapacity(1_000).requestCapacity(1).start()) {
      answer.println(server.url());
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
