// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * No public type has the simple name of another that users import beside it with a star: the
 * compiler would call each use ambiguous.
 */
final class NamesTest {

  /** Packages that users import as a whole. */
  private static final List<String> THEIRS =
      List.of(
          "java.io",
          "java.lang",
          "java.net.http",
          "java.nio.file",
          "java.time",
          "java.util",
          "java.util.concurrent",
          "java.util.function",
          "java.util.stream",
          "io.fabric8.kubernetes.client",
          "io.fabric8.kubernetes.api.model",
          "io.fabric8.kubernetes.api.model.admissionregistration.v1",
          "io.fabric8.kubernetes.api.model.apiextensions.v1",
          "io.fabric8.kubernetes.api.model.apps",
          "io.fabric8.kubernetes.api.model.authorization.v1",
          "io.fabric8.kubernetes.api.model.autoscaling.v2",
          "io.fabric8.kubernetes.api.model.batch.v1",
          "io.fabric8.kubernetes.api.model.certificates.v1",
          "io.fabric8.kubernetes.api.model.coordination.v1",
          "io.fabric8.kubernetes.api.model.discovery.v1",
          "io.fabric8.kubernetes.api.model.events.v1",
          "io.fabric8.kubernetes.api.model.flowcontrol.v1",
          "io.fabric8.kubernetes.api.model.networking.v1",
          "io.fabric8.kubernetes.api.model.node.v1",
          "io.fabric8.kubernetes.api.model.policy.v1",
          "io.fabric8.kubernetes.api.model.rbac",
          "io.fabric8.kubernetes.api.model.scheduling.v1",
          "io.fabric8.kubernetes.api.model.storage");

  /**
   * fabric8's interface above KubernetesClient, which no program names. The word is the field's for
   * ours.
   */
  private static final Set<String> ACCEPTED = Set.of("io.fabric8.kubernetes.client.Client");

  private static final Pattern TYPE =
      Pattern.compile(
          "^public .*?(?:class|interface|record|enum) dev\\.windlass\\.[\\w.]*\\.(\\w+)\\b");

  private static List<String> ours() {
    List<String> names = new ArrayList<>();
    for (String module : Checkout.FRAMEWORK) {
      for (String line : Checkout.lines(Checkout.root().resolve("docs/api/" + module + ".txt"))) {
        TYPE.matcher(line).results().map((MatchResult found) -> found.group(1)).forEach(names::add);
      }
    }
    return names;
  }

  private static boolean exists(String name) {
    try {
      Class.forName(name, false, NamesTest.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Test
  void noPublicTypeHasTheNameOfOneThatIsImportedBesideIt() {
    List<String> ours = ours();
    assertThat(ours).contains("Client", "ControllerBuilder", "Selector").hasSizeGreaterThan(150);
    List<String> clashes =
        THEIRS.stream()
            .flatMap(theirs -> ours.stream().map(name -> theirs + "." + name))
            .filter(NamesTest::exists)
            .filter(name -> !ACCEPTED.contains(name))
            .toList();
    assertThat(clashes).isEmpty();
    assertThat(ACCEPTED).allMatch(NamesTest::exists);
  }
}
