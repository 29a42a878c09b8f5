// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.acceptance;

import static dev.windlass.behaviour.Patience.eventually;

import dev.windlass.examples.tenant.Tenant;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Tenant and its children, as the server has them.
 *
 * @param name of the Tenant
 */
record TenantWorld(KubernetesClient kubectl, String name) {

  Resource<Tenant> tenant() {
    return kubectl.resources(Tenant.class).withName(name);
  }

  @Nullable Namespace namespace(String namespace) {
    return kubectl.namespaces().withName(namespace).get();
  }

  @Nullable ClusterRole role(String namespace) {
    return kubectl.rbac().clusterRoles().withName(namespace + "-admin-role").get();
  }

  @Nullable RoleBinding binding(String namespace) {
    return bindingIn(namespace).get();
  }

  Resource<RoleBinding> bindingIn(String namespace) {
    return kubectl
        .rbac()
        .roleBindings()
        .inNamespace(namespace)
        .withName(namespace + "-admin-rolebinding");
  }

  /** The three that belong to a namespace; without those that are missing. */
  List<HasMetadata> children(String namespace) {
    return Stream.of(namespace(namespace), role(namespace), binding(namespace))
        .filter(Objects::nonNull)
        .map(HasMetadata.class::cast)
        .toList();
  }

  /** The condition Ready of the state that the Tenant has now. */
  Optional<Condition> ready() {
    Tenant now = tenant().get();
    return now == null || now.getStatus() == null
        ? Optional.empty()
        : now.getStatus().getConditions().stream()
            .filter(condition -> condition.getType().equals("Ready"))
            .filter(c -> now.getMetadata().getGeneration().equals(c.getObservedGeneration()))
            .findFirst();
  }

  Condition awaitReady(String status) {
    eventually().until(() -> ready().filter(c -> c.getStatus().equals(status)).isPresent());
    return ready().orElseThrow();
  }

  /** Deletes it, and waits until it is gone. */
  void delete() {
    tenant().delete();
    eventually().until(() -> tenant().get() == null);
  }

  /** Waits until the garbage collector and the namespace controller have done their part. */
  void awaitNothingLeft(String namespace) {
    eventually().until(() -> children(namespace).isEmpty());
  }
}
