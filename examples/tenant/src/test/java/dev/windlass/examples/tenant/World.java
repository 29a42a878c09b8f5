// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.testsupport.Edits;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an administrator of the cluster sees and does with kubectl. */
public final class World {

  private final KubernetesClient kubectl;

  public World(KubernetesClient kubectl) {
    this.kubectl = kubectl;
  }

  public Tenant create(Tenant tenant) {
    return kubectl.resource(tenant).create();
  }

  public @Nullable Tenant tenant(String name) {
    return kubectl.resources(Tenant.class).withName(name).get();
  }

  public void change(String tenant, Consumer<TenantSpec> change) {
    Edits.edit(
        kubectl.resources(Tenant.class).withName(tenant), found -> change.accept(found.getSpec()));
  }

  public void delete(String tenant) {
    kubectl.resources(Tenant.class).withName(tenant).delete();
    eventually().until(() -> tenant(tenant) == null);
  }

  public Optional<Condition> ready(String tenant) {
    Tenant found = tenant(tenant);
    return found == null || found.getStatus() == null
        ? Optional.empty()
        : found.getStatus().getConditions().stream().findFirst();
  }

  public Condition awaitReady(String tenant) {
    return awaitCondition(tenant, "True");
  }

  public Condition awaitFailed(String tenant) {
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
  public List<Event> events(String tenant, String reason) {
    return kubectl.events().v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .filter(event -> event.getRegarding().getName().equals(tenant))
        .toList();
  }

  /** The one event of a reason; how often it was told is not said. */
  public Event awaitOneEvent(String tenant, String reason) {
    eventually().untilAsserted(() -> assertThat(events(tenant, reason)).hasSize(1));
    return events(tenant, reason).get(0);
  }

  public @Nullable Namespace namespace(String name) {
    return kubectl.namespaces().withName(name).get();
  }

  public @Nullable ClusterRole role(String namespace) {
    return kubectl.rbac().clusterRoles().withName(namespace + "-admin-role").get();
  }

  public @Nullable RoleBinding binding(String namespace) {
    return bindingIn(namespace).get();
  }

  public Resource<RoleBinding> bindingIn(String namespace) {
    return kubectl
        .rbac()
        .roleBindings()
        .inNamespace(namespace)
        .withName(namespace + "-admin-rolebinding");
  }

  /** The three that belong to a namespace; without those that are missing. */
  public List<HasMetadata> children(String namespace) {
    return Stream.of(namespace(namespace), role(namespace), binding(namespace))
        .filter(Objects::nonNull)
        .map(HasMetadata.class::cast)
        .toList();
  }

  /** Waits until the garbage collector and the namespace controller have done their part. */
  public void awaitNothingLeft(String namespace) {
    eventually().until(() -> children(namespace).isEmpty());
  }

  /** What each of them says of its owner. */
  public static OwnerReference owner(Tenant tenant) {
    return new OwnerReferenceBuilder()
        .withApiVersion("multitenancy.example.com/v1")
        .withKind("Tenant")
        .withName(tenant.getMetadata().getName())
        .withUid(tenant.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(true)
        .build();
  }

  /** Access to this namespace, and to nothing else. */
  public void assertRole(String namespace) {
    ClusterRole role = Objects.requireNonNull(role(namespace));
    assertThat(role.getMetadata().getName()).isEqualTo(namespace + "-admin-role");
    assertThat(role.getRules())
        .containsExactly(
            new PolicyRuleBuilder()
                .withVerbs("get", "list", "watch")
                .withApiGroups("")
                .withResources("namespaces")
                .withResourceNames(namespace)
                .build());
  }

  /** The role is bound to the administrator of the sample. */
  public void assertBinding(String namespace) {
    RoleBinding binding = Objects.requireNonNull(binding(namespace));
    assertThat(binding.getMetadata().getNamespace()).isEqualTo(namespace);
    assertThat(binding.getMetadata().getName()).isEqualTo(namespace + "-admin-rolebinding");
    assertThat(binding.getRoleRef().getApiGroup()).isEqualTo("rbac.authorization.k8s.io");
    assertThat(binding.getRoleRef().getKind()).isEqualTo("ClusterRole");
    assertThat(binding.getRoleRef().getName()).isEqualTo(namespace + "-admin-role");
    assertThat(binding.getSubjects())
        .containsExactly(
            new SubjectBuilder()
                .withKind("ServiceAccount")
                .withName("default")
                .withNamespace("default")
                .build());
  }

  public KubernetesClient kubectl() {
    return kubectl;
  }
}
