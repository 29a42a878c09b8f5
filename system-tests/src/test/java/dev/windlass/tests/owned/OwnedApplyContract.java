// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import static dev.windlass.client.owned.Operation.Result.CREATED;
import static dev.windlass.client.owned.Operation.Result.NONE;
import static dev.windlass.client.owned.Operation.Result.UPDATED;
import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.Client;
import dev.windlass.client.InvalidException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.owned.AlreadyOwnedException;
import dev.windlass.client.owned.NotControlledException;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.leader.Fence;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds on each server when an object is applied that another one owns. */
abstract class OwnedApplyContract {

  @AutoClose OwnedFixture on;

  private TestApiServer server;

  @BeforeEach
  void starts() {
    on = new OwnedFixture(server);
  }

  private ConfigMap wanted(String... data) {
    ConfigMap map = on.configMap("a");
    for (int i = 0; i < data.length; i += 2) {
      map = new ConfigMapBuilder(map).addToData(data[i], data[i + 1]).build();
    }
    return map;
  }

  private Operation<ConfigMap> apply(String... data) {
    return Owned.apply(on.client, on.owner, wanted(data));
  }

  private Map<String, String> data() {
    return on.get(ConfigMap.class, "a").getData();
  }

  private List<String> managers(Class<? extends HasMetadata> type) {
    return on.get(type, "a").getMetadata().getManagedFields().stream()
        .filter(entry -> entry.getSubresource() == null || entry.getSubresource().isEmpty())
        .map(OwnedApplyContract::named)
        .toList();
  }

  private static String named(ManagedFieldsEntry entry) {
    return entry.getManager() + " " + entry.getOperation();
  }

  @Test
  void createsOnceAndChangesWhatDiffers() {
    Operation<ConfigMap> created = apply("a", "1");
    assertThat(created.result()).isEqualTo(CREATED);
    assertThat(OwnerReferences.isControlledBy(created.object(), on.owner)).isTrue();
    assertThat(apply("a", "1").result()).isEqualTo(NONE);
    Operation<ConfigMap> changed = apply("a", "2");
    assertThat(changed.result()).isEqualTo(UPDATED);
    assertThat(data()).containsExactly(Map.entry("a", "2"));
  }

  /** The first apply of another field owner changes the object only in its managedFields. */
  @Test
  void reportsNoChangeIfOnlyTheOwnershipChanges() {
    apply("a", "1");
    Client other = on.client.withFieldOwner("another");
    Operation<ConfigMap> applied = Owned.apply(other, on.owner, wanted("a", "1"));
    assertThat(managers(ConfigMap.class)).contains("another Apply");
    assertThat(applied.isChange()).isFalse();
  }

  @Test
  void leavesTheCallersObjectAsItIs() {
    ConfigMap wanted = wanted("a", "1");
    Owned.apply(on.client, on.owner, wanted);
    assertThat(wanted).isEqualTo(wanted("a", "1"));
  }

  @Test
  void removesAFieldThatIsDroppedAfterTheCreation() {
    apply("a", "1", "b", "2");
    on.edit(ConfigMap.class, "a", map -> map.getData().put("others", "3"));
    assertThat(apply("a", "1").result()).isEqualTo(UPDATED);
    assertThat(data()).containsOnlyKeys("a", "others");
    apply("c", "4");
    assertThat(data()).containsOnlyKeys("c", "others");
  }

  @Test
  void removesADroppedFieldBesideDefaults() {
    Deployment deployment =
        new DeploymentBuilder(Samples.deployment(on.namespace, "a"))
            .editMetadata()
            .addToAnnotations("example.com/old", "1")
            .endMetadata()
            .editSpec()
            .withReplicas(2)
            .withMinReadySeconds(3)
            .endSpec()
            .build();
    Owned.apply(on.client, on.owner, deployment);
    deployment.getMetadata().getAnnotations().clear();
    deployment.getSpec().setMinReadySeconds(null);
    Owned.apply(on.client, on.owner, deployment);
    Deployment now = on.get(Deployment.class, "a");
    assertThat(now.getMetadata().getAnnotations()).doesNotContainKey("example.com/old");
    assertThat(now.getSpec().getMinReadySeconds()).isIn(null, 0);
    assertThat(now.getSpec().getReplicas()).isEqualTo(2);
    assertThat(managers(Deployment.class)).containsOnlyOnce("owned-test Apply");
    eventually() // until nobody writes its status any more
        .untilAsserted(
            () ->
                assertThat(Owned.apply(on.client, on.owner, deployment).result()).isEqualTo(NONE));
  }

  /** Only before its first apply does a field owner take over what it has written otherwise. */
  @Test
  void keepsWhatTheSameOwnerHasPatched() {
    apply("a", "1", "b", "2");
    on.client.patch(
        on.configMap("a"),
        ObjectPatch.merge("{\"metadata\":{\"annotations\":{\"seen\":\"yes\"}}}"));
    apply("a", "1");
    assertThat(data()).containsOnlyKeys("a");
    assertThat(on.get(ConfigMap.class, "a").getMetadata().getAnnotations())
        .containsEntry("seen", "yes");
  }

  @Test
  void doesNotConflictWithItsOwnCreation() {
    Client polite = on.client.withoutForce();
    Owned.apply(polite, on.owner, wanted("a", "1", "b", "2"));
    Owned.apply(polite, on.owner, wanted("a", "2"));
    assertThat(data()).containsExactly(Map.entry("a", "2"));
  }

  /** Somebody has replaced one half of a union by the other, and the server allows no both. */
  @Test
  void namesTheFieldAndTheManagerThatAreInTheWay() {
    String type = "policy/v1";
    ResourceType budgets =
        new ResourceType("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true);
    GenericKubernetesResource budget =
        Serialization.unmarshal(
            """
            apiVersion: %s
            kind: PodDisruptionBudget
            metadata: {name: a, namespace: %s}
            spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}
            """
                .formatted(type, on.namespace),
            GenericKubernetesResource.class);
    Owned.apply(on.client, on.owner, budget);
    on.client
        .withFieldOwner("somebody")
        .patch(
            budget, ObjectPatch.merge("{\"spec\":{\"minAvailable\":null,\"maxUnavailable\":2}}"));
    assertThatThrownBy(() -> Owned.apply(on.client, on.owner, budget))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("spec.maxUnavailable of somebody (Update)")
        .hasMessageContaining("kubectl edit");
    assertThat(
            on.client
                .get(budgets, on.key("a"))
                .orElseThrow()
                .<Integer>get("spec", "maxUnavailable"))
        .isEqualTo(2);
  }

  GenericKubernetesResource object(String yaml) {
    return Serialization.unmarshal(
        "---\n"
            + yaml.replace("metadata: {}", "metadata: {name: a, namespace: " + on.namespace + "}"),
        GenericKubernetesResource.class);
  }

  private static final String DEPLOYMENT =
      "{apiVersion: apps/v1, kind: Deployment, metadata: {}, spec: {%sselector: {matchLabels: {a:"
          + " b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}";

  /**
   * It has applied the object, too, so the fields of its updates stay until they are in the way.
   */
  @Test
  void takesOverItsOwnUpdateThatIsInTheWay() {
    GenericKubernetesResource wanted = object(DEPLOYMENT.formatted(""));
    Owned.apply(on.client, on.owner, wanted);
    on.client.patch(
        wanted,
        ObjectPatch.merge("{\"spec\":{\"strategy\":{\"rollingUpdate\":{\"maxSurge\":3}}}}"));
    Owned.apply(on.client, on.owner, object(DEPLOYMENT.formatted("strategy: {type: Recreate}, ")));
    assertThat(on.get(Deployment.class, "a").getSpec().getStrategy().getRollingUpdate()).isNull();
  }

  /** Without the addresses that the server has chosen, it would be refused as well. */
  @Test
  void claimsNothingIfTheApplyIsRefusedInTheEnd() {
    String service =
        "{apiVersion: v1, kind: Service, metadata: {}, spec: {%sports: [{name: http, port: 80}]}}";
    Owned.apply(on.client, on.owner, object(service.formatted("")));
    String before = on.get(Service.class, "a").getMetadata().getManagedFields().toString();
    assertThatThrownBy(
            () -> Owned.apply(on.client, on.owner, object(service.formatted("clusterIP: None, "))))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("clusterIP");
    assertThat(on.get(Service.class, "a").getMetadata().getManagedFields()).hasToString(before);
  }

  /** Somebody has given a port another number; the server allows no second port of that name. */
  @Test
  void namesTheListEntryThatIsInTheWay() {
    String service =
        "{apiVersion: v1, kind: Service, metadata: {}, spec: {ports: [{name: http, port: 80}]}}";
    Owned.apply(on.client, on.owner, object(service));
    on.client
        .withFieldOwner("somebody")
        .patch(
            object(service),
            ObjectPatch.json(
                "[{\"op\":\"replace\",\"path\":\"/spec/ports/0/port\",\"value\":90}]"));
    assertThatThrownBy(() -> Owned.apply(on.client, on.owner, object(service)))
        .isInstanceOf(InvalidException.class)
        .hasMessageContaining("\"port\":90")
        .hasMessageContaining("of somebody (Update)");
  }

  @Test
  void reportsTheChangeThatADryRunWouldMake() {
    apply("a", "1");
    Client dry = on.client.dryRun();
    assertThat(Owned.apply(dry, on.owner, wanted("a", "2")).result()).isEqualTo(UPDATED);
    assertThat(Owned.apply(dry, on.owner, wanted("a", "1")).result()).isEqualTo(NONE);
    assertThat(data()).containsExactly(Map.entry("a", "1"));
  }

  private void isNobodys() {
    assertThat(data()).containsExactly(Map.entry("precious", "yes"));
    assertThat(on.get(ConfigMap.class, "a").getMetadata().getOwnerReferences()).isNullOrEmpty();
  }

  private void foreignAppears() {
    on.kubectl
        .resource(new ConfigMapBuilder(on.configMap("a")).addToData("precious", "yes").build())
        .create();
  }

  private void foreignReplaces() {
    on.kubectl.resource(on.configMap("a")).delete();
    foreignAppears();
  }

  @Test
  void leavesAloneWhatNobodyControls() throws Exception {
    foreignAppears();
    for (Client client : List.of(on.client, on.behind())) {
      assertThatThrownBy(() -> Owned.apply(client, on.owner, wanted("a", "1")))
          .isExactlyInstanceOf(NotControlledException.class)
          .hasMessageContaining("exists and has no controller");
      isNobodys();
    }
    ConfigMap adopted =
        new WriterContext("adopter", Fence.OPEN)
            .call(() -> Owned.adopt(on.client, on.owner, on.get(ConfigMap.class, "a")));
    assertThat(adopted.getMetadata().getManagedFields())
        .extracting(ManagedFieldsEntry::getManager)
        .contains("adopter");
    assertThat(apply("a", "1").object().getData()).containsOnlyKeys("a", "precious");
  }

  @Test
  void leavesAloneWhatAnotherControls() {
    Widget other = on.client.create(Widget.of(on.namespace, "other"));
    Owned.apply(on.client, other, wanted("its", "1"));
    for (Client client : List.of(on.client, on.behind())) {
      assertThatThrownBy(() -> Owned.apply(client, on.owner, wanted("a", "1")))
          .isInstanceOf(AlreadyOwnedException.class);
      assertThat(data()).containsExactly(Map.entry("its", "1"));
    }
    assertThat(OwnerReferences.isControlledBy(on.get(ConfigMap.class, "a"), other)).isTrue();
  }

  /** Between the look and the write, a person makes an object of that name. */
  @Test
  void leavesAloneWhatAppearsAfterTheLook() {
    Client late = on.before("applyNew", this::foreignAppears);
    assertThatThrownBy(() -> Owned.apply(late, on.owner, wanted("a", "1")))
        .isInstanceOf(NotControlledException.class);
    isNobodys();
  }

  /** Between the look and the write, another object takes the place of the known one. */
  @Test
  void leavesAloneWhatReplacesItsOwnAfterTheLook() {
    apply("a", "1");
    Client late = on.before("applyWhole", this::foreignReplaces);
    assertThatThrownBy(() -> Owned.apply(late, on.owner, wanted("a", "2")))
        .isInstanceOf(NotControlledException.class);
    isNobodys();
  }

  @Test
  void createsAgainWhatIsDeletedAfterTheLook() {
    apply("a", "1");
    Client late = on.before("applyWhole", () -> on.kubectl.resource(on.configMap("a")).delete());
    assertThat(Owned.apply(late, on.owner, wanted("a", "2")).result()).isEqualTo(CREATED);
    assertThat(data()).containsEntry("a", "2");
  }

  /** A creation whose answer was lost, or a cache that is behind. */
  @Test
  void goesOnWithItsOwn() {
    apply("a", "1", "b", "2");
    assertThat(Owned.apply(on.behind(), on.owner, wanted("a", "2")).result()).isEqualTo(UPDATED);
    assertThat(data()).containsExactly(Map.entry("a", "2"));
  }

  @Test
  void refusesWhatNamesNothing() {
    ConfigMap nameless = on.configMap("a");
    nameless.getMetadata().setName(null);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Owned.apply(on.client, on.owner, nameless))
        .withMessageContaining("needs a name");
  }
}
