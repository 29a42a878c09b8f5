// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.rbac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.URI;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UsedPermissionsTest {

  private static final ResourceType MAPS = ResourceType.of(ConfigMap.class);
  private static final ResourceType SECRETS = ResourceType.of(Secret.class);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET    | /api/v1/configmaps                                 | list configmaps in the whole cluster
          GET    | /api/v1/configmaps?watch=true&limit=1              | watch configmaps in the whole cluster
          GET    | /api/v1/namespaces                                 | list namespaces in the whole cluster
          GET    | /api/v1/namespaces/shop                            | get namespaces "shop" in the whole cluster
          PUT    | /api/v1/namespaces/shop/status                     | update namespaces/status "shop" in the whole cluster
          GET    | /api/v1/namespaces/shop/configmaps/a               | get configmaps "a" in the namespace shop
          POST   | /apis/apps/v1/namespaces/shop/deployments          | create deployments.apps in the namespace shop
          PATCH  | /apis/apps/v1/namespaces/shop/deployments/a/scale  | patch deployments.apps/scale "a" in the namespace shop
          DELETE | /apis/apps/v1/namespaces/shop/deployments/a        | delete deployments.apps "a" in the namespace shop
          DELETE | /apis/apps/v1/namespaces/shop/deployments          | deletecollection deployments.apps in the namespace shop
          """)
  void tellsTheRightFromTheRequest(String method, String path, String right) {
    assertThat(
            UsedPermissions.required(method, URI.create("https://host" + path))
                .map(Permission::toString))
        .contains(right);
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/version",
    "GET,/apis",
    "GET,/apis/apps/v1",
    "GET,/api/v1",
    "POST,/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"
  })
  void needsNoRightForWhatEverybodyMayAsk(String method, String path) {
    assertThat(UsedPermissions.required(method, URI.create("https://host" + path)))
        .isEqualTo(Optional.empty());
  }

  @Test
  void reportsMissingAndUnneededPermissions() {
    UsedPermissions used = new UsedPermissions();
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client = used.client(server.clientConfig())) {
      client.resource(Samples.map("default", "a")).create();

      assertThatCode(() -> used.assertMatch(Permissions.writes("owns", MAPS, "")))
          .doesNotThrowAnyException();
      assertThatCode(() -> used.assertMatch(Permissions.uses(MAPS, "default", Verb.CREATE)))
          .doesNotThrowAnyException();
      assertThatThrownBy(
              () ->
                  used.assertMatch(
                      Permissions.uses(SECRETS, "", Verb.GET)
                          .and(Permissions.writes("owns(Secret)", SECRETS, "shop"))))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(
              "not declared, but used: create configmaps in the namespace default")
          .hasMessageContaining(
              "declared by uses(Secret, ...), but not used: get secrets in the whole cluster")
          .hasMessageContaining(
              "declared by owns(Secret), but not used: patch secrets in the namespace shop");
    }
  }
}
