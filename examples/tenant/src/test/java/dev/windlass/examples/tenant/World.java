// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.examples.cli.testing.Edits;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What an administrator of the cluster sees and does with kubectl. */
final class World {

  private final KubernetesClient kubectl;

  World(KubernetesClient kubectl) {
    this.kubectl = kubectl;
  }

  Tenant create(Tenant tenant) {
    return kubectl.resource(tenant).create();
  }

  @Nullable Tenant tenant(String name) {
    return kubectl.resources(Tenant.class).withName(name).get();
  }

  void change(String tenant, Consumer<TenantSpec> change) {
    Edits.edit(
        kubectl.resources(Tenant.class).withName(tenant),
        found -> {
          change.accept(found.getSpec());
          return found;
        });
  }

  void delete(String tenant) {
    kubectl.resources(Tenant.class).withName(tenant).delete();
    eventually().until(() -> tenant(tenant) == null);
  }

  Optional<Condition> ready(String tenant) {
    Tenant found = tenant(tenant);
    return found == null || found.getStatus() == null
        ? Optional.empty()
        : found.getStatus().getConditions().stream().findFirst();
  }

  Condition awaitReady(String tenant) {
    return awaitCondition(tenant, "True");
  }

  Condition awaitFailed(String tenant) {
    return awaitCondition(tenant, "False");
  }

  private Condition awaitCondition(String tenant, String status) {
    eventually()
        .untilAsserted(
            () ->
                assertThat(ready(tenant))
                    .hasValueSatisfying(
                        ready -> {
                          assertThat(ready.getStatus()).isEqualTo(status);
                          assertThat(ready.getObservedGeneration())
                              .isEqualTo(
                                  Objects.requireNonNull(tenant(tenant))
                                      .getMetadata()
                                      .getGeneration());
                        }));
    return ready(tenant).orElseThrow();
  }

  /** Events about a Tenant, which are kept in the namespace default. */
  List<Event> events(String tenant, String reason) {
    return kubectl.events().v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .filter(event -> event.getRegarding().getName().equals(tenant))
        .toList();
  }

  /** The one event of a reason; how often it was told is not said. */
  Event awaitOneEvent(String tenant, String reason) {
    eventually().untilAsserted(() -> assertThat(events(tenant, reason)).hasSize(1));
    return events(tenant, reason).get(0);
  }

  @Nullable Namespace namespace(String name) {
    return kubectl.namespaces().withName(name).get();
  }

  @Nullable ClusterRole role(String namespace) {
    return kubectl.rbac().clusterRoles().withName(namespace + "-admin-role").get();
  }

  @Nullable RoleBinding binding(String namespace) {
    return kubectl
        .rbac()
        .roleBindings()
        .inNamespace(namespace)
        .withName(namespace + "-admin-rolebinding")
        .get();
  }

  KubernetesClient kubectl() {
    return kubectl;
  }
}
