// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testsupport.Logs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program's switches, and its last words. */
final class HelloProgramTest {

  @TempDir private Path folder;

  @Test
  void hasTheSwitchesAndDefaultsOfTheOriginal() {
    String help = new HelloOperator().commandLine().getUsageMessage();
    assertThat(help.lines().map(String::strip)).contains("Default: :8080. Also --metrics-addr.");
    assertThat(help.replaceAll("\\s+", " "))
        .contains("Default: false, Lease b9d77817.whichxjy.com. Also --enable-leader-election.");
  }

  @Test
  void hasASwitchOfItsOwn() {
    assertThat(new HelloOperator().commandLine().getUsageMessage().lines().map(String::strip))
        .containsSubsequence("This operator:", "Default: requeue.");
  }

  /** What the logger setup says, up to the end with exit code 1. */
  @Test
  void saysThatItCantStartIfThePortOfItsMetricsIsTaken() throws IOException {
    try (Logs said = Logs.by(Level.INFO, "setup");
        EmbeddedApiServer kubernetes = EmbeddedApiServer.start();
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path file = Files.writeString(folder.resolve("kubeconfig"), kubernetes.kubeconfig());
      String address = "127.0.0.1:" + taken.getLocalPort();
      int code = new HelloOperator().run("--kubeconfig=" + file, "--metrics-addr=" + address);
      assertThat(code).isEqualTo(1);
      List<String> lines = said.messages();
      assertThat(lines).contains("starting manager");
      assertThat(lines.get(lines.size() - 1))
          .startsWith("unable to start manager: ")
          .contains(address);
    }
  }
}
