// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the container of the Pod does. */
final class HelloPodsTest {

  /** Run here, as there is no kubelet to do it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 5})
  void printsAsManyLinesAsTheHelloAsksFor(int times) throws IOException, InterruptedException {
    Hello hello = HelloArtifacts.sample("default");
    hello.getSpec().setHelloTimes(times);
    List<String> command = HelloPods.wanted(hello).getSpec().getContainers().get(0).getCommand();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    assertThat(printed.lines().toList()).isEqualTo(Collections.nCopies(times, "Hello"));
  }
}
