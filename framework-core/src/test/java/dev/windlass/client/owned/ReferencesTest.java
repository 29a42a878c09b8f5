// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an object may refer to: docs/security.md, input 27. */
final class ReferencesTest {

  private final ConfigMap from =
      new ConfigMapBuilder()
          .withNewMetadata()
          .withNamespace("default")
          .withName("example")
          .endMetadata()
          .build();

  @Test
  void leadToTheOwnNamespace() {
    ObjectKey key = ObjectKey.of("default", "token");
    assertThat(References.local(from, null, "token")).isEqualTo(key);
    assertThat(References.local(from, "", "token")).isEqualTo(key);
    assertThat(References.local(from, "default", "token")).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kube-system", "Default", "default ", "..", "*"})
  void doNotLeadToAnotherNamespace(String namespace) {
    assertThatExceptionOfType(References.ForbiddenException.class)
        .isThrownBy(() -> References.local(from, namespace, "token"))
        .withMessage(
            "ConfigMap default/example must not refer to %s/token, which is in another namespace",
            namespace)
        .satisfies(
            refusal -> assertThat(refusal.target()).isEqualTo(ObjectKey.of(namespace, "token")));
  }

  @Test
  void showNoRawTextOfTheObject() {
    assertThatExceptionOfType(References.ForbiddenException.class)
        .isThrownBy(() -> References.local(from, "a\r\nERROR forged", "x".repeat(10_000)))
        .satisfies(
            refusal ->
                assertThat(refusal.getMessage())
                    .hasSizeLessThan(1_024)
                    .doesNotContain("\r")
                    .doesNotContain("\n"));
  }

  @Test
  void needAName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> References.local(from, null, ""))
        .withMessage("ConfigMap default/example refers to an object without a name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> References.local(from, "default/..", "token"));
  }

  @Test
  void leadToAnotherNamespaceIfItGrantsThat() {
    List<ObjectKey> asked = new ArrayList<>();
    References.granted(from, null, "token", asked::add);
    assertThat(asked).as("no grant is necessary").isEmpty();
    ObjectKey key = ObjectKey.of("shared", "token");
    assertThat(References.granted(from, "shared", "token", asked::add)).isEqualTo(key);
    assertThat(asked).containsExactly(key);
  }

  /** Whoever writes an object without a namespace needs a grant for each namespace. */
  @Test
  void ofAnObjectWithoutANamespaceNeedAGrant() {
    HasMetadata role =
        new ClusterRoleBuilder().withNewMetadata().withName("role").endMetadata().build();
    assertThatExceptionOfType(References.ForbiddenException.class)
        .isThrownBy(() -> References.local(role, "kube-system", "token"));
    assertThatExceptionOfType(References.ForbiddenException.class)
        .isThrownBy(() -> References.local(role, null, "token"));
    assertThat(References.granted(role, "shared", "token", target -> true).namespace())
        .isEqualTo("shared");
  }
}
