// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.ObjectCodec;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.util.Collection;
import org.junit.jupiter.api.Test;

final class TenantIndicesTest {

  private static Collection<String> owner(String apiVersion, String kind, boolean controller) {
    Namespace namespace =
        new NamespaceBuilder()
            .withNewMetadata()
            .withName("n")
            .addNewOwnerReference()
            .withApiVersion(apiVersion)
            .withKind(kind)
            .withName("sample")
            .withUid("1-2-3")
            .withController(controller)
            .endOwnerReference()
            .endMetadata()
            .build();
    return TenantIndices.owner(ObjectCodec.of(Namespace.class).encode(namespace));
  }

  @Test
  void knowsTheTenantThatControlsAnObject() {
    assertThat(owner("multitenancy.example.com/v1", "Tenant", true)).containsExactly("sample");
    assertThat(owner("other.example.com/v1", "Tenant", true)).isEmpty();
    assertThat(owner("multitenancy.example.com/v1", "Landlord", true)).isEmpty();
    assertThat(owner("multitenancy.example.com/v1", "Tenant", false)).isEmpty();
  }
}
