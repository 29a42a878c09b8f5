// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The program's options. */
final class FooOptionsTest {

  private final CommandLine program = new FooOperator().commandLine();

  @Test
  void areThoseOfTheOriginal() {
    assertThat(program.getUsageMessage().replaceAll("\\s+", " "))
        .contains(
            "-kubeconfig",
            "Path to a kubeconfig. Only required if out-of-cluster.",
            "-master",
            "The address of the Kubernetes API server. Overrides any value in kubeconfig. Only"
                + " required if out-of-cluster.");
    for (List<String> given :
        List.of(
            List.of("-kubeconfig", "file", "-master", "http://localhost:1"),
            List.of("--kubeconfig=file", "--master=http://localhost:1"))) {
      CommandLine.ParseResult parsed = program.parseArgs(given.toArray(new String[0]));
      Path kubeconfig = parsed.matchedOptionValue("--kubeconfig", Path.of("none"));
      String master = parsed.matchedOptionValue("--master", "none");
      assertThat(kubeconfig).isEqualTo(Path.of("file"));
      assertThat(master).isEqualTo("http://localhost:1");
    }
  }

  /** Two workers, and neither metrics nor probes. */
  @Test
  void haveTheDefaultsOfTheOriginal() {
    assertThat(program.getUsageMessage().lines().map(String::strip))
        .contains("Default: 2.", "Default: 0. Also --metrics-addr.", "Default: 0.");
  }
}
