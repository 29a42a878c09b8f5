// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ObjectKeyTest {

  /** Namespace/name, or the name alone for a cluster-scoped object. */
  @Test
  void isWrittenAsNamespaceSlashName() {
    assertThat(ObjectKey.of("default", "example-foo")).hasToString("default/example-foo");
    assertThat(ObjectKey.of("node-1")).hasToString("node-1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"default/example-foo", "node-1", "n/a.b.c"})
  void isReadAsItIsWritten(String text) {
    assertThat(ObjectKey.of(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b/c", "", "/", "a/", "//"})
  void isNotReadFromAnythingElse(String text) {
    assertThatThrownBy(() -> ObjectKey.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("invalid resource key: " + text + "; it must be namespace/name, or name");
  }

  @Test
  void isEqualByNamespaceAndName() {
    ObjectKey key = ObjectKey.of("n", "a");
    assertThat(key).isEqualTo(ObjectKey.of("n", "a")).hasSameHashCodeAs(ObjectKey.of("n", "a"));
    assertThat(key)
        .isNotEqualTo(ObjectKey.of("n", "b"))
        .isNotEqualTo(ObjectKey.of("m", "a"))
        .isNotEqualTo(ObjectKey.of("a"))
        .isNotEqualTo(ObjectKey.of("a", "n"))
        .isNotEqualTo(null)
        .isNotEqualTo("n/a");
    assertThat(key).doesNotHaveSameHashCodeAs(ObjectKey.of("a", "n"));
  }

  record Refused(String namespace, String name) {}

  static Stream<Refused> refused() {
    return Stream.of(
        new Refused("n", ""),
        new Refused("", ""),
        new Refused("n", "a/b"),
        new Refused("n/m", "a"),
        new Refused("..", "../../etc/passwd"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refusesSlashesAndEmptyNames(Refused c) {
    assertThatThrownBy(() -> ObjectKey.of(c.namespace(), c.name()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + c.name() + "'");
  }

  /** An object without metadata has no key. */
  @Test
  void isTakenFromATypedObjectThatHasAName() {
    ConfigMap named = new ConfigMapBuilder().withNewMetadata().withName("a").endMetadata().build();
    assertThat(ObjectKey.of(named)).isEqualTo(ObjectKey.of("a"));
    named.getMetadata().setNamespace("n");
    assertThat(ObjectKey.of(named)).isEqualTo(ObjectKey.of("n", "a"));

    assertThatThrownBy(() -> ObjectKey.of(new ConfigMap()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> ObjectKey.of(new ConfigMapBuilder().withNewMetadata().endMetadata().build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ConfigMap");
  }

  @Test
  void isOrderedByNamespaceAndThenByName() {
    assertThat(
            Stream.of(
                    ObjectKey.of("b", "a"),
                    ObjectKey.of("a", "b"),
                    ObjectKey.of("z"),
                    ObjectKey.of("a", "a"))
                .sorted()
                .map(ObjectKey::toString))
        .containsExactly("z", "a/a", "a/b", "b/a");
  }
}
