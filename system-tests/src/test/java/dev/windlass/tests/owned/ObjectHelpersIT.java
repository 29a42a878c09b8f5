// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.InvalidException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.leader.Fence;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testing.junit.RealKubernetes;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What the real server has a say in: subresources, field ownership, and finalizers in a namespace
 * that ends. {@link ObjectHelpersOnEmbeddedTest} runs all contracts.
 */
@Timeout(300)
final class ObjectHelpersIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.sharedWithControllerManager();

  @Nested
  @RealKubernetes(controllerManager = true)
  final class BlockedNameIT extends BlockedNameContract {}

  @Nested
  @RealKubernetes(controllerManager = true)
  final class ChangedWishIT extends ChangedWishContract {
    @Override
    boolean hasRules() {
      return true;
    }
  }

  @Nested
  @RealKubernetes(controllerManager = true)
  final class CreateOrUpdateIT extends CreateOrUpdateContract {}

  @Nested
  @RealKubernetes(controllerManager = true)
  final class FinalizersIT extends FinalizersContract {}

  @Nested
  @RealKubernetes(controllerManager = true)
  final class OwnedApplyIT extends OwnedApplyContract {
    private static final String AUTOSCALER =
        "{apiVersion: autoscaling/%s, kind: HorizontalPodAutoscaler, metadata: {}, spec: {%s"
            + "maxReplicas: 3, scaleTargetRef: {kind: Deployment, name: d, apiVersion: apps/v1}}}";

    private Object minReplicas() {
      return on.client
          .get(object(AUTOSCALER.formatted("v2", "")))
          .orElseThrow()
          .get("spec", "minReplicas");
    }

    @Test
    void takesOverWhatWasCreatedInAnotherVersionOfTheApi() {
      GenericKubernetesResource first = object(AUTOSCALER.formatted("v1", "minReplicas: 2, "));
      OwnerReferences.setController(first, on.owner);
      on.client.create(first);
      Owned.apply(on.client, on.owner, object(AUTOSCALER.formatted("v2", "")));
      assertThat(minReplicas()).isEqualTo(1);
    }

    @Test
    void takesOverWhatAFormerOwnerHasAppliedInAnotherVersionOfTheApi() {
      Owned.apply(on.client, on.owner, object(AUTOSCALER.formatted("v1", "minReplicas: 2, ")));
      WriterContext renamed =
          new WriterContext("renamed", Set.of("owned-test"), Fence.OPEN, made -> {});
      Client client = Manager.builder().client(on.kubectl).build().client();
      renamed.run(() -> Owned.apply(client, on.owner, object(AUTOSCALER.formatted("v2", ""))));
      assertThat(minReplicas()).isEqualTo(1);
    }
  }

  @Nested
  @RealKubernetes(controllerManager = true)
  final class PruneIT extends PruneContract {}

  /** A policy refuses the old state, and not the new one: what was created is taken over later. */
  @Test
  void appliesBeforeAHandOverThatAPolicyRefuses() {
    try (OwnedFixture on = new OwnedFixture(kubernetes.server())) {
      ConfigMap created = on.configMap("a");
      created.setData(Map.of("kept", "1", "dropped", "1"));
      OwnerReferences.setController(created, on.owner);
      on.client.create(created);
      String policy =
          """
          apiVersion: admissionregistration.k8s.io/v1
          kind: ValidatingAdmissionPolicy%1$s
          metadata: {name: %2$s}
          spec: %3$s
          """;
      on.kubectl
          .resource(
              policy.formatted(
                  "",
                  on.namespace,
                  "{matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1],"
                      + " operations: [UPDATE], resources: [configmaps]}]}, validations:"
                      + " [{expression: \"has(object.metadata.labels)\", message: label}]}"))
          .create();
      on.kubectl
          .resource(
              policy.formatted(
                  "Binding",
                  on.namespace,
                  "{policyName: %1$s, validationActions: [Deny], matchResources: {namespaceSelector:"
                          .formatted(on.namespace)
                      + " {matchLabels: {kubernetes.io/metadata.name: %s}}}}"
                          .formatted(on.namespace)))
          .create();
      eventually()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                try {
                  on.client.dryRun().patch(created, ObjectPatch.merge("{\"data\":{\"x\":\"y\"}}"));
                  return false;
                } catch (InvalidException e) {
                  return true;
                }
              });
      ConfigMap wanted = on.configMap("a");
      wanted.getMetadata().setLabels(Map.of("team", "a"));
      wanted.setData(Map.of("kept", "1"));
      Owned.apply(on.client, on.owner, wanted);
      assertThat(on.get(ConfigMap.class, "a").getData()).containsOnlyKeys("kept");
      on.kubectl
          .genericKubernetesResources(
              "admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding")
          .withName(on.namespace)
          .delete();
    }
  }

  /** The garbage collector understands what is written as an owner. */
  @Test
  void theGarbageCollectorDeletesWhatIsOwned() {
    try (OwnedFixture on = new OwnedFixture(kubernetes.server())) {
      // Not a custom resource: the garbage collector learns of a new type after a while only.
      ConfigMap owner = on.client.create(on.configMap("owner"));
      ConfigMap child = on.configMap("child");
      OwnerReferences.setController(child, owner);
      ConfigMap created = on.client.create(child);
      assertThat(OwnerReferences.isControlledBy(created, owner)).isTrue();
      on.kubectl.resource(owner).delete();
      eventually()
          .atMost(Duration.ofSeconds(60))
          .until(() -> on.client.get(ConfigMap.class, on.key("child")).isEmpty());
    }
  }
}
