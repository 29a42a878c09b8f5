// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.tests.owned.Samples;
import dev.windlass.webhook.admission.AdmissionRequest;
import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Operation;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The kinds of requests for which an API server calls webhooks, beyond creations and updates. */
@Timeout(40)
abstract class AdmissionKindsContract {

  /** A namespace of its own, since the program must not answer for the one in which it starts. */
  static final String NAMESPACE = "kinds";

  private static final String LABEL = "kinds";

  static final ResourceType DEPLOYMENTS =
      new ResourceType("apps", "v1", "deployments", "Deployment", true);

  static final ResourceType NETWORK_POLICIES =
      new ResourceType("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true);

  @AutoClose private final Balancer balancer = Balancer.open();
  final Queue<AdmissionRequest<?>> seen = new ConcurrentLinkedQueue<>();
  KubernetesClient kubectl;
  private WebhookReplica replica;

  AdmissionKindsContract() throws IOException {}

  abstract TestApiServer server();

  static LabelSelector here() {
    return new LabelSelectorBuilder()
        .addToMatchLabels("kubernetes.io/metadata.name", NAMESPACE)
        .build();
  }

  @BeforeEach
  void connects() {
    kubectl = AdmissionLoad.client(server().clientConfig());
    kubectl.resource(Samples.namespace(NAMESPACE)).serverSideApply();
  }

  @AfterEach
  void removes() {
    stop();
    for (var type :
        List.of(
            kubectl.admissionRegistration().v1().validatingWebhookConfigurations(),
            kubectl.admissionRegistration().v1().mutatingWebhookConfigurations())) {
      type.withName(WebhookReplica.CONFIGURATION).delete();
    }
    kubectl.configMaps().inNamespace(NAMESPACE).withLabel(LABEL).delete();
    kubectl.apps().deployments().inNamespace(NAMESPACE).delete();
    kubectl.close();
  }

  private void stop() {
    if (replica != null) {
      balancer.remove(replica.port());
      replica.close();
      replica = null;
    }
  }

  void start(Consumer<WebhookBuilder> declarations) {
    stop();
    replica =
        WebhookReplica.started("a", server().clientConfig(), balancer.address(), declarations);
    replica.install(kubectl);
    balancer.add(replica.port());
    eventually().untilAsserted(() -> assertThat(replica.problem()).isEmpty());
  }

  /** Declares a validator that records what it sees, and waits until the API server calls it. */
  <T> void validate(AdmissionRule<T> rule, String denial) {
    start(
        builder ->
            builder
                .validate(
                    rule.inNamespacesWith(here()),
                    request -> {
                      seen.add(request);
                      return denial.isEmpty() ? Verdict.allow() : Verdict.deny(denial);
                    })
                .validate(
                    AdmissionLoad.rule()
                        .named("probe.example.com")
                        .path("/probe")
                        .inNamespacesWith(here()),
                    request -> Verdict.deny("this is the probe")));
    eventually()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> kubectl.resource(probe()).dryRun().create())
                    .hasMessageContaining("this is the probe"));
    seen.clear();
  }

  static ConfigMap configMap(String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(NAMESPACE)
        .addToLabels(LABEL, "yes")
        .endMetadata()
        .build();
  }

  private static ConfigMap probe() {
    return new ConfigMapBuilder(configMap("probe"))
        .editMetadata()
        .addToLabels(AdmissionLoad.LABEL, "yes")
        .endMetadata()
        .build();
  }

  private RollableScalableResource<Deployment> web() {
    return kubectl.apps().deployments().inNamespace(NAMESPACE).withName("web");
  }

  private void createDeployment() {
    Deployment web = Samples.deployment(NAMESPACE, "web");
    web.getSpec().setReplicas(0);
    kubectl.resource(web).create();
  }

  @Test
  void aRuleForStatusSeesOnlyWritesOfTheStatus() {
    createDeployment();
    validate(
        AdmissionRule.of(Deployment.class).subresource("status").on(Operation.UPDATE),
        "the status is frozen");

    PatchContext merge = PatchContext.of(PatchType.JSON_MERGE);
    assertThatThrownBy(
            () ->
                web()
                    .subresource("status")
                    .patch(merge, "{\"status\": {\"observedGeneration\": 7}}"))
        .hasMessageContaining("the status is frozen");
    assertThat(seen)
        .isNotEmpty()
        .allSatisfy(
            request -> {
              assertThat(request.subresource()).isEqualTo("status");
              assertThat(request.object()).isInstanceOf(Deployment.class);
              assertThat(request.oldObject()).isPresent();
            });
    web().patch(merge, "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}");
  }

  @Test
  void aRuleForScaleSeesTheScale() {
    createDeployment();
    validate(
        AdmissionRule.of(DEPLOYMENTS).subresource("scale").on(Operation.UPDATE),
        "the size is fixed");

    String scale = "/apis/apps/v1/namespaces/" + NAMESPACE + "/deployments/web/scale";
    assertThatThrownBy(
            () ->
                kubectl.raw(
                    scale,
                    "PUT",
                    Map.of(
                        "apiVersion",
                        "autoscaling/v1",
                        "kind",
                        "Scale",
                        "metadata",
                        Map.of("name", "web", "namespace", NAMESPACE),
                        "spec",
                        Map.of("replicas", 9))))
        .hasMessageContaining("the size is fixed");
    assertThat(seen)
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.subresource()).isEqualTo("scale");
              assertThat(request.name()).isEqualTo("web");
              GenericKubernetesResource object = (GenericKubernetesResource) request.object();
              assertThat(object.getKind()).isEqualTo("Scale");
              assertThat(object.<Integer>get("spec", "replicas")).isEqualTo(9);
            });
  }

  @Test
  void aRuleForATypeWithoutAClassSeesAllFields() {
    validate(AdmissionRule.of(NETWORK_POLICIES), "no policies here");

    GenericKubernetesResource policy = new GenericKubernetesResource();
    policy.setApiVersion("networking.k8s.io/v1");
    policy.setKind("NetworkPolicy");
    policy.setMetadata(configMap("policy").getMetadata());
    policy.setAdditionalProperty(
        "spec", Map.of("podSelector", Map.of("matchLabels", Map.of("app", "web"))));
    assertThatThrownBy(() -> kubectl.resource(policy).create())
        .hasMessageContaining("no policies here");
    assertThat(seen)
        .singleElement()
        .satisfies(
            request ->
                assertThat(
                        ((GenericKubernetesResource) request.object())
                            .<String>get("spec", "podSelector", "matchLabels", "app"))
                    .isEqualTo("web"));
  }

  @Test
  void aDeletionOfACollectionIsReviewedObjectByObject() {
    List<String> names = List.of("one", "two", "three");
    names.forEach(name -> kubectl.resource(configMap(name)).create());
    validate(AdmissionRule.of(ConfigMap.class).on(Operation.DELETE), "");

    kubectl.raw(
        "/api/v1/namespaces/" + NAMESPACE + "/configmaps?labelSelector=" + LABEL + "%3Dyes",
        "DELETE",
        null);

    assertThat(seen)
        .allMatch(request -> request.operation() == Operation.DELETE)
        .extracting(AdmissionRequest::name)
        .containsExactlyInAnyOrderElementsOf(names);
    assertThat(seen)
        .extracting(request -> ((ConfigMap) request.object()).getMetadata().getName())
        .containsExactlyInAnyOrderElementsOf(names);
    assertThat(kubectl.configMaps().inNamespace(NAMESPACE).withLabel(LABEL).list().getItems())
        .isEmpty();
  }

  @Test
  void aDryRunIsReviewedAndMarked() {
    validate(AdmissionRule.of(ConfigMap.class).on(Operation.CREATE), "");

    kubectl.resource(configMap("tried")).dryRun().create();
    kubectl.resource(configMap("real")).create();

    assertThat(seen).extracting(AdmissionRequest::dryRun).containsExactly(true, false);
    assertThat(kubectl.resource(configMap("tried")).get()).isNull();
  }
}
