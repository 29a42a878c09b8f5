// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link Owned#childName} gives each child a name that every kind accepts. */
final class ChildNameTest {

  private static ConfigMap named(String name) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  @ParameterizedTest
  @CsvSource({
    "shop, web, shop-web",
    "shop, '', shop",
    "1, web, 1-web",
    "shop.example.com, web, shop-example-com-web-ae28527c",
    "shop-example-com, web, shop-example-com-web",
    "system:Admin, '', system--dmin-88f8ab55",
    "shop, Web-, shop--eb-285a1aee",
    "shop, ..., shop-e5f226ca"
  })
  void keepsWhatIsALabelAndMarksWhatIsNot(String owner, String suffix, String expected) {
    assertThat(Owned.childName(named(owner), suffix)).isEqualTo(expected);
  }

  @Test
  void shortensToTheLengthThatTheKindAllows() {
    String longest = "a".repeat(59);
    assertThat(Owned.childName(named(longest), "web")).isEqualTo(longest + "-web");
    assertThat(Owned.childName(named(longest + "a"), "web"))
        .hasSize(63)
        .startsWith("a".repeat(54) + "-")
        .isNotEqualTo(Owned.childName(named(longest + "a"), "wed"));
    assertThat(Owned.childName(named(longest), "web", 52)).hasSize(52);
  }

  /** No two names have the same child, and each child has a valid name. */
  @Test
  void givesDifferentOwnersDifferentChildren() {
    Random random = new Random(20_261_201);
    Set<String> owners = new HashSet<>();
    Set<String> children = new HashSet<>();
    while (owners.size() < 20_000) {
      StringBuilder owner = new StringBuilder("o");
      for (int i = random.nextInt(80); i > 0; i--) {
        owner.append("ab-.".charAt(random.nextInt(4)));
      }
      if (owners.add(owner + "z")) {
        int longest = 9 + random.nextInt(55);
        String child = Owned.childName(named(owner + "z"), "c", longest);
        assertThat(child)
            .hasSizeLessThanOrEqualTo(longest)
            .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
        children.add(child);
      }
    }
    assertThat(children).hasSameSizeAs(owners);
  }

  @Test
  void refusesALengthThatNoNameCanHave() {
    assertThatThrownBy(() -> Owned.childName(named("a"), "b", 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the maximum length of a name must be 9 to 63: 8");
    assertThatThrownBy(() -> Owned.childName(named("a"), "b", 64))
        .hasMessageEndingWith("must be 9 to 63: 64");
    assertThatThrownBy(() -> Owned.childName(new ConfigMap(), "b"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
