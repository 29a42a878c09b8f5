// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DiagnosisTest {

  private static final Diagnosis SAMPLE =
      new Diagnosis(
          new Versions("0.1.0", "7.9.0", "17.0.15", Optional.of("v1.34.1")),
          List.of(
              new ControllerDiagnosis(
                  "foo",
                  true,
                  true,
                  Optional.empty(),
                  2,
                  Map.of("normal", 3),
                  1,
                  Duration.ofMillis(1_250),
                  List.of(
                      new ControllerDiagnosis.KeyInWork(
                          "shop/cart",
                          "f3c1f0a2-6f0e-4f3e-9d55-0d5f3f6f6f11",
                          Duration.ofSeconds(42),
                          0,
                          false,
                          false,
                          List.of("updated foos shop/cart"))),
                  List.of(
                      new ControllerDiagnosis.FailingKey(
                          "shop/web",
                          "ForbiddenException: can't create deployments.apps shop/web",
                          7,
                          Duration.ofMillis(90),
                          Optional.of(Duration.ofMillis(230)),
                          List.of("retry after an error"))))),
          List.of(
              new CacheDiagnosis(
                  "",
                  "foos.samplecontroller.k8s.io",
                  "",
                  Optional.empty(),
                  true,
                  Optional.empty(),
                  2,
                  1_184,
                  Duration.ZERO,
                  Optional.of(Duration.ofSeconds(12)),
                  Optional.of(Duration.ofMillis(3_500)),
                  1,
                  Optional.of("EXPIRED"),
                  Optional.of(Duration.ofMinutes(5)))),
          List.of(
              new LeaseDiagnosis(
                  "operators/foo-operator",
                  "foo-6c9d_0123456789abcdef",
                  true,
                  1,
                  Optional.of("foo-6c9d_0123456789abcdef"),
                  Optional.empty())));

  @Test
  void looksAsInTheDocumentation() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "operations", "diagnosis.md"));
    int begin = page.indexOf("```json\n") + "```json\n".length();
    assertThat(page.substring(begin, page.indexOf("```", begin))).isEqualTo(SAMPLE.json());
  }

  @Test
  void escapesWhatWouldDoHarm() {
    Versions odd = new Versions("\"\\\n\u001b\u202e", "", "", Optional.empty());
    assertThat(JsonWriter.of(odd))
        .contains("\"windlass\": \"\\\"\\\\\\\\u000a\\\\u001b\\\\u202e\"")
        .doesNotContain("kubernetes");
  }

  @Test
  void knowsWhatRunsHere() {
    Versions here = Versions.ofProcess(Optional.empty());
    assertThat(here.java()).isEqualTo(System.getProperty("java.version"));
    assertThat(here.client()).matches("\\d+\\.\\d+\\.\\d+");
  }

  /** In a jar that holds a whole program, the manifests are gone. */
  @Test
  void knowsVersionsWithoutAManifest() {
    assertThat(Versions.written("io.fabric8/kubernetes-client-api"))
        .contains(Versions.ofProcess(Optional.empty()).client());
    assertThat(Versions.written("nobody/nothing")).isEmpty();
  }
}
