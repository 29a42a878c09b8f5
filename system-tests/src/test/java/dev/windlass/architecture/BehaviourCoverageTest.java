// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.architecture.Behaviour.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Each behaviour that controllers are known for is proven by a test that says so, does not apply,
 * or is open, and {@code docs/behaviour-coverage.md} shows which. It is made anew with {@link
 * #REMEDY}.
 */
final class BehaviourCoverageTest {

  private static final String REMEDY =
      "mvn test -pl system-tests -am -Dtest=BehaviourCoverageTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dbehaviours=write";

  private final List<Behaviour> behaviours = Behaviour.all();
  private final Proofs proofs = Proofs.read();

  private List<String> ids(State state) {
    return behaviours.stream().filter(b -> b.state() == state).map(Behaviour::id).toList();
  }

  @Test
  void eachBehaviourIsListedOnce() {
    assertThat(Checkout.lines(Checkout.root().resolve(Behaviour.FILE)))
        .first()
        .isEqualTo(Behaviour.HEADER);
    assertThat(behaviours).extracting(Behaviour::id).isEqualTo(Behaviour.expectedIds());
    assertThat(behaviours).extracting(Behaviour::text).noneMatch(String::isBlank);
    assertThat(behaviours).extracting(Behaviour::check).noneMatch(String::isBlank);
  }

  /** A test that claims to show many things shows none of them clearly. */
  @Test
  void noTestProvesMoreThanFour() {
    assertThat(proofs.perTest())
        .hasSizeGreaterThan(200)
        .allSatisfy((test, ids) -> assertThat(ids).as(test).hasSizeLessThanOrEqualTo(4));
  }

  @Test
  void whatIsProvenHasATestAndNothingElseHas() {
    assertThat(proofs.ids())
        .as("what tests prove, and what %s calls proven", Behaviour.FILE)
        .containsExactlyInAnyOrderElementsOf(ids(State.PROVEN));
  }

  @Test
  void onlyTestsProve() {
    assertThat(proofs.noTests()).isEmpty();
  }

  @Test
  void whatIsNotProvenSaysWhy() {
    assertThat(behaviours)
        .filteredOn(b -> b.state() != State.PROVEN)
        .extracting(Behaviour::why)
        .isNotEmpty()
        .noneMatch(String::isBlank);
    assertThat(behaviours).extracting(Behaviour::why).noneMatch(why -> why.endsWith("."));
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    Path file = Checkout.root().resolve(CoveragePage.FILE);
    List<String> now = new CoveragePage(behaviours, proofs).render();
    if ("write".equals(System.getProperty("behaviours"))) {
      Files.writeString(file, String.join("\n", now).stripTrailing() + "\n");
    }
    assertThat(Files.exists(file) ? Checkout.lines(file) : List.of())
        .as("%s; if the change is meant, run: %s", CoveragePage.FILE, REMEDY)
        .isEqualTo(now.subList(0, now.size() - 1));
  }
}
