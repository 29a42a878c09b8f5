// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.aot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The way to a success is that of the examples' images, in ImageIT. */
final class TrainingRunTest {

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void writeFile() throws Exception {
    file = folder.resolve("x.yaml");
    Files.writeString(file, "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: a, name: x}\n");
  }

  @Test
  void readsItsArguments() {
    TrainingOptions options =
        TrainingOptions.parse(
            "--apply=" + file,
            "--object=" + file,
            "--lease=a/b",
            "--",
            "java",
            "--",
            "--objects=1");
    assertThat(options)
        .isEqualTo(
            new TrainingOptions(
                List.of(file),
                Optional.of(file),
                100,
                Optional.of(new TrainingOptions.LeaseName("a", "b")),
                List.of("java", "--", "--objects=1")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          java                       | no program: name it and its arguments after --
          --                         | no program: name it and its arguments after --
          --lease=a -- java          | --lease=a: use NAMESPACE/NAME
          --lease=a/b/c -- java      | --lease=a/b/c: use NAMESPACE/NAME
          --lease -- java            | --lease: use NAMESPACE/NAME
          --apply=nothing -- java    | --apply=nothing: there is no such file
          --objects=0 -- java        | --objects=0: use a number from 1 to 10000
          --objects=many -- java     | --objects=many: use a number from 1 to 10000
          --objects=5 -- java        | --objects needs --object, which names the object's file
          -x -- java                 | unknown argument -x; the program follows after --
          """)
  void namesABadArgument(String arguments, String message) {
    assertThatThrownBy(() -> TrainingOptions.parse(arguments.split(" ", -1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private Duration startLimit = Duration.ofMinutes(1);

  private String failure(String script, String... options) {
    List<String> arguments = new java.util.ArrayList<>(List.of(options));
    arguments.addAll(List.of("--", "sh", "-c", script));
    TrainingRun run =
        new TrainingRun(
            TrainingOptions.parse(arguments.toArray(String[]::new)),
            new PrintStream(new ByteArrayOutputStream()),
            startLimit,
            Duration.ofMillis(1));
    try {
      run.run();
    } catch (Exception e) {
      return String.valueOf(e.getMessage());
    }
    return "none";
  }

  @Test
  void failsIfTheProgramEnds() {
    assertThat(failure("exit 3", "--object=" + file))
        .isEqualTo("the program has exited early, with 3; see its output above");
  }

  @Test
  void failsIfTheFileHasNoObject() throws Exception {
    Files.writeString(file, "apiVersion: v1\nkind: ConfigMap\n");
    assertThat(failure("exec sleep 60", "--object=" + file))
        .isEqualTo(file + " contains no object with a name");
  }

  @Test
  void trainsOverHttpsWithAClientCertificate() {
    String check = "grep -q 'server: https://' $KUBECONFIG && grep -q client-key-data $KUBECONFIG";
    assertThat(failure(check + " && exit 3", "--object=" + file))
        .isEqualTo("the program has exited early, with 3; see its output above");
  }

  @Test
  void namesTheCrdThatIsMissing() throws Exception {
    startLimit = Duration.ZERO;
    Files.writeString(file, "apiVersion: a.b/v1\nkind: Website\nmetadata: {name: x}\n");
    assertThat(failure("exec sleep 60", "--object=" + file))
        .isEqualTo(
            "after 0 s, the server does not serve Website of a.b/v1, because the program has not"
                + " installed the CRD. Name the CRD's file with --apply, or add --install-crds to"
                + " the arguments of a program with framework-cli");
  }

  @Test
  void waitsForTheFirstWriteOfASlowProgram() {
    assertThat(failure("sleep 0.5; exit 3", "--object=" + file))
        .isEqualTo("the program has exited early, with 3; see its output above");
  }

  @Test
  void failsIfTheProgramNeverWrites() {
    startLimit = Duration.ZERO;
    assertThat(failure("exec sleep 60", "--object=" + file))
        .startsWith("the program wrote nothing for its objects");
  }
}
