// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the images' Dockerfiles do, without Docker, and what the stored classes are good for. */
final class ImageIT {

  /** The flags of the Dockerfiles, and what they are called on JDK 25. */
  private static final Map<String, String> AOT =
      Map.of(
          "-XX:ArchiveClassesAtExit",
          "-XX:AOTCacheOutput",
          "-XX:SharedArchiveFile",
          "-XX:AOTCache");

  @TempDir private Path root;

  private Map<String, String> environment = Map.of();

  private List<String> build(String example, UnaryOperator<String> here) throws Exception {
    Dockerfile file = new Dockerfile(Path.of("../../examples", example), root, here);
    List<String> command = file.build();
    environment = file.environment();
    return command;
  }

  /** With -Xshare:on, a JVM that can't use its archive does not start. */
  @ParameterizedTest
  @ValueSource(strings = {"foo", "hello", "tenant", "versions"})
  void startsWithTheClassesThatItsBuildStored(String example) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = build(example, word -> word.equals("java") ? java : word);
    assertThat(Files.readString(root.resolve("output")))
        .as("at least once for each of 100 objects")
        .containsPattern("The program has written [1-9]\\d\\d+ times");
    Path log = root.resolve("classes");
    start(command, "-Xshare:on", "-Xlog:class+load:file=" + log);
    List<String> loaded = Files.readAllLines(log);
    loaded.removeIf(line -> !line.contains("source: "));
    List<String> missing = new ArrayList<>(loaded);
    missing.removeIf(line -> line.contains("source: shared objects"));
    System.out.printf(
        "%s: all but %d of %d classes come from the archive%n",
        example, missing.size(), loaded.size());
    assertThat(missing).hasSizeLessThan(loaded.size() / 10);
    assertThat(missing).filteredOn(line -> line.contains(" sun.security.")).isEmpty();
    assertThat(loaded).anyMatch(line -> line.contains(" sun.security.ssl."));
    printsOnlyTheProgramsOutput(command);
  }

  /** Neither other options of the chart nor an archive that is too old disturb the output. */
  private void printsOnlyTheProgramsOutput(List<String> entrypoint) throws Exception {
    environment = Map.of("JAVA_TOOL_OPTIONS", "-XX:+UseG1GC -XX:MaxRAMPercentage=75 -Xshare:on");
    assertThat(version(entrypoint)).doesNotContain("archive");
    environment = Map.of();
    Path changed;
    try (Stream<Path> files = Files.list(root.resolve("app/lib"))) {
      changed = files.findAny().orElseThrow();
    }
    Files.setLastModifiedTime(changed, FileTime.fromMillis(0));
    assertThat(version(entrypoint)).contains("[warning][cds", "Unable to use shared archive");
  }

  /** Checks that --version prints one line to standard output, and returns the standard error. */
  private String version(List<String> entrypoint) throws Exception {
    List<String> command = new ArrayList<>(entrypoint);
    command.add("--version");
    Path output = root.resolve("output");
    Path errors = root.resolve("errors");
    ProcessBuilder program =
        new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
    program.environment().putAll(environment);
    assertThat(program.start().waitFor()).as(Files.readString(errors)).isZero();
    assertThat(Files.readAllLines(output)).singleElement().asString().contains(", with Windlass ");
    return Files.readString(errors);
  }

  @Test
  void startsWithAnAotCacheOnJdk25() throws Exception {
    String java = jdk25().toString();
    List<String> command = build("foo", word -> word.equals("java") ? java : aot(word));
    assertThat(start(command, "-XX:AOTMode=on"))
        .anyMatch(line -> line.contains("The manager has started."));
  }

  private static String aot(String word) {
    String name = word.substring(0, Math.max(0, word.indexOf('=')));
    return AOT.containsKey(name) ? AOT.get(name) + word.substring(name.length()) : word;
  }

  private static Path jdk25() throws IOException {
    Path homes = Path.of(System.getProperty("java.home")).toRealPath().getParent();
    try (Stream<Path> neighbours = Files.list(homes)) {
      return neighbours
          .filter(home -> home.getFileName().toString().contains("25"))
          .map(home -> home.resolve("bin").resolve("java"))
          .filter(Files::isExecutable)
          .findFirst()
          .orElseGet(() -> abort("there is no JDK 25 in " + homes));
    }
  }

  /** Starts the program of an image with more flags, and returns what it prints until a stop. */
  private List<String> start(List<String> entrypoint, String... flags) throws Exception {
    Path output = root.resolve("output");
    List<String> command = new ArrayList<>(entrypoint);
    command.addAll(1, List.of(flags));
    command.addAll(
        List.of(
            "--install-crds",
            "--health-probe-bind-address=127.0.0.1:0",
            "--metrics-bind-address=127.0.0.1:0"));
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().withTls().start()) {
      ProcessBuilder program =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      program.environment().putAll(environment);
      program
          .environment()
          .put(
              "KUBECONFIG",
              Files.writeString(root.resolve("kubeconfig"), server.kubeconfig()).toString());
      Process process = program.start();
      try {
        eventually()
            .untilAsserted(
                () -> assertThat(Files.readString(output)).contains("The manager has started."));
        process.destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readAllLines(output);
      } finally {
        process.destroyForcibly();
      }
    }
  }
}
