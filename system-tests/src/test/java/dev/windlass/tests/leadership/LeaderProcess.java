// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.leadership;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testsupport.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@link LeaderProgram} in a JVM of its own, which can be frozen. */
final class LeaderProcess implements AutoCloseable {

  final String user;
  private final JavaProcess process;
  private final List<String> lines;

  LeaderProcess(String user, Path kubeconfig, String mode, String... options) throws IOException {
    this.user = user;
    List<String> all =
        new ArrayList<>(
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx128m"));
    all.addAll(List.of(options)); // the last one counts
    process =
        JavaProcess.start(
            Map.of(), List.of(), all, LeaderProgram.class, kubeconfig.toString(), user, mode);
    lines = process.lines();
  }

  boolean hasSaid(String part) {
    return lines.stream().anyMatch(line -> line.startsWith("@@ " + part));
  }

  void awaitSaid(String part) {
    eventually()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(lines).anyMatch(line -> line.startsWith("@@ " + part)));
  }

  /** What it said behind a word. */
  String said(String part) {
    awaitSaid(part);
    return lines.stream()
        .filter(line -> line.startsWith("@@ " + part))
        .map(line -> line.substring(3 + part.length()).trim())
        .findFirst()
        .orElseThrow();
  }

  /** Makes it hold more and more, from now on. */
  void leak() throws IOException {
    process.input().write('\n');
    process.input().flush();
  }

  void signal(String name) {
    process.signal(name);
  }

  int awaitExit() throws InterruptedException {
    return process.awaitExit();
  }

  @Override
  public void close() {
    process.close();
  }
}
