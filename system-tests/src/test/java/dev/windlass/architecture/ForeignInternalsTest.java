// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What fabric8 calls internal changes with any of its releases. We use none of it, so that users
 * may take another release than we do.
 */
final class ForeignInternalsTest {

  private static final String[] INTERNALS = {
    "io.fabric8..impl..", "io.fabric8..internal..", "io.fabric8.kubernetes.client.dsl.internal.."
  };

  private static final Pattern NAME =
      Pattern.compile("io\\.fabric8\\.(\\w+\\.)*(impl|internal)\\.");

  @Test
  void noClassOfOursDependsOnInternalsOfFabric8() {
    assertThat(fakes()).isNotEmpty();
    for (JavaClasses shipped : List.of(Checkout.mainClasses(), fakes())) {
      noClasses().should().dependOnClassesThat(resideInAnyPackage(INTERNALS)).check(shipped);
    }
  }

  /** The public interface names none either, whatever it inherits or throws. */
  @Test
  void noPublicSignatureNamesInternalsOfFabric8() {
    List<String> found = new ArrayList<>();
    for (String module : Checkout.FRAMEWORK) {
      Path dump = Checkout.root().resolve("docs/api/" + module + ".txt");
      List<String> lines = Checkout.lines(dump);
      assertThat(lines).as("%s", dump).isNotEmpty();
      lines.stream().filter(line -> NAME.matcher(line).find()).forEach(found::add);
    }
    assertThat(found).isEmpty();
  }

  /** The fakes, which are shipped in jars of their own. */
  private static JavaClasses fakes() {
    return new ClassFileImporter()
        .importPaths(
            Stream.of("framework-workqueue", "framework-informer")
                .map(Checkout.root()::resolve)
                .map(owner -> owner.resolve("target/test-classes/dev/windlass/testing"))
                .filter(Files::exists)
                .toList());
  }
}
