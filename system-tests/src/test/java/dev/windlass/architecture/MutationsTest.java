// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Each row of {@code docs/mutations.tsv} can still be carried out. Whether the tests fail then,
 * {@code java .ci/Mutations.java} finds out.
 */
final class MutationsTest {

  private final List<Mutation> mutations = Mutation.all();

  @Test
  void theTableHasItsHeaderAndNoRowTwice() {
    assertThat(Checkout.lines(Checkout.root().resolve(Mutation.FILE)))
        .first()
        .isEqualTo(Mutation.HEADER);
    assertThat(mutations).hasSizeGreaterThan(150).doesNotHaveDuplicates();
  }

  /** If the code has changed, change the row as well, so that it breaks the same behaviour. */
  @Test
  void eachRowReplacesATextThatItsFileContainsOnce() {
    assertThat(mutations)
        .allSatisfy(
            row -> {
              assertThat(row.was()).as("was").isNotEmpty().isNotEqualTo(row.becomes());
              assertThat(row.occurrences()).as("occurrences of: %s", row.was()).isEqualTo(1);
            });
  }

  @Test
  void eachRowNamesTestsThatExist() {
    NamedTests tests = new NamedTests();
    assertThat(mutations)
        .allSatisfy(row -> assertThat(row.tests()).isNotEmpty().allMatch(tests::exists));
  }

  /** The page says of each of the 35 known bugs which tests catch it. */
  @Test
  void thePageNamesTheTestsThatCatchEachPlantedBug() {
    Map<Integer, Set<String>> caughtBy = new TreeMap<>();
    for (Mutation row : mutations) {
      for (int bug : row.planted()) {
        caughtBy.computeIfAbsent(bug, none -> new TreeSet<>()).addAll(row.tests());
      }
    }
    Map<Integer, Set<String>> named = new TreeMap<>();
    for (String line : Checkout.lines(Checkout.root().resolve("docs/mutations.md"))) {
      if (line.matches("\\| [0-9]+ \\|.*")) {
        String[] cells = line.split(" \\| ?");
        Set<String> tests = new TreeSet<>(List.of(cells[2].replace("`", "").split(", ")));
        named.put(Integer.valueOf(cells[0].substring(2)), tests);
      }
    }
    assertThat(named).hasSize(35).isEqualTo(caughtBy);
  }

  @Test
  void theIdsAreThoseOfBehaviours() {
    Set<String> known = new HashSet<>();
    Behaviour.all().forEach(behaviour -> known.add(behaviour.id()));
    assertThat(mutations).allSatisfy(row -> assertThat(known).containsAll(row.ids()));
    assertThat(mutations).flatExtracting(Mutation::ids).hasSizeGreaterThan(70);
  }
}
