// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.windlass.webhook.admission.AdmissionRule;
import dev.windlass.webhook.admission.Operation;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StartDependenciesTest {

  private static final String NAME = "kubernetes.io/metadata.name";

  private final StartDependencies dependencies =
      new StartDependencies("shop", Map.of("app", "hooks"), Map.of("ours", "v1"));

  private static LabelSelector labels(String key, String value) {
    return new LabelSelectorBuilder().addToMatchLabels(key, value).build();
  }

  private static LabelSelector expression(String key, String operator, String... values) {
    return new LabelSelectorBuilder()
        .addToMatchExpressions(new LabelSelectorRequirement(key, operator, List.of(values)))
        .build();
  }

  private void check(AdmissionRule<?> rule) {
    dependencies.requireIndependent(new AdmissionWebhook(rule, false));
  }

  private void rejects(AdmissionRule<?> rule, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> check(rule))
        .withMessageContaining(message);
  }

  private void accepts(AdmissionRule<?> rule) {
    assertThatCode(() -> check(rule)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Secret.class,
        Pod.class,
        Deployment.class,
        ReplicaSet.class,
        StatefulSet.class,
        DaemonSet.class,
        Endpoints.class,
        EndpointSlice.class,
      })
  void rejectsWhatIsInTheNamespaceOfTheProgram(Class<? extends HasMetadata> type) {
    rejects(AdmissionRule.of(type), "inNamespacesWith(...) with the expression " + NAME);
    accepts(AdmissionRule.of(type).inNamespacesWith(expression(NAME, "NotIn", "shop")));
    accepts(AdmissionRule.of(type).inNamespacesWith(labels(NAME, "other")));
    rejects(AdmissionRule.of(type).inNamespacesWith(expression(NAME, "NotIn", "other")), NAME);
    rejects(AdmissionRule.of(type).inNamespacesWith(labels("team", "blue")), NAME);
    rejects(AdmissionRule.of(type).inNamespacesWith(new LabelSelector()), NAME);
    rejects(AdmissionRule.of(type).objectsWith(new LabelSelector()), NAME);
  }

  @Test
  void rejectsTheLeasesOfTheControlPlaneThatStartsThePods() {
    rejects(
        AdmissionRule.of(Lease.class).inNamespacesWith(expression(NAME, "NotIn", "shop")),
        NAME + " NotIn [shop, kube-system, kube-node-lease]");
    accepts(
        AdmissionRule.of(Lease.class)
            .inNamespacesWith(expression(NAME, "NotIn", "shop", "kube-system", "kube-node-lease")));
    accepts(AdmissionRule.of(Lease.class).objectsWith(labels("check", "me")));
  }

  @Test
  void acceptsASelectorThatOurObjectsDoNotMatch() {
    accepts(AdmissionRule.of(Secret.class).objectsWith(labels("check", "me")));
    accepts(AdmissionRule.of(Secret.class).objectsWith(expression("ours", "DoesNotExist")));
    rejects(AdmissionRule.of(Secret.class).objectsWith(expression("ours", "Exists")), "Secret");
    accepts(AdmissionRule.of(Pod.class).objectsWith(expression("app", "NotIn", "hooks")));
    rejects(AdmissionRule.of(Pod.class).objectsWith(labels("check", "me")), "Pods");
    rejects(AdmissionRule.of(Deployment.class).objectsWith(labels("check", "me")), "workload");
  }

  @Test
  void doesNotCountOnConditions() {
    AdmissionRule<Secret> rule =
        AdmissionRule.of(Secret.class).onlyIf("elsewhere", "request.namespace != 'shop'");
    rejects(rule, "the webhook vsecret.core.k8s.io, whose rule is for secrets, matches the Secret");
    rejects(rule, "the conditions of onlyIf(...) can't be evaluated here");
    accepts(rule.inNamespacesWith(expression(NAME, "NotIn", "shop")));
  }

  @Test
  void rejectsTheSubresourcesThatAStartNeeds() {
    rejects(AdmissionRule.of(Pod.class).subresource("binding"), "the Pods of the program");
    rejects(AdmissionRule.of(Pod.class).subresource("status"), "the Pods of the program");
    rejects(AdmissionRule.of(ServiceAccount.class).subresource("token"), "ServiceAccount tokens");
    rejects(AdmissionRule.of(Deployment.class).subresource("scale"), "(deployments/scale)");
    accepts(AdmissionRule.of(Pod.class).subresource("exec").on(Operation.CONNECT));
    accepts(AdmissionRule.of(ServiceAccount.class));
  }

  @Test
  void rejectsARuleForAllSubresources() {
    rejects(AdmissionRule.of(ServiceAccount.class).subresource("*"), "(serviceaccounts/token)");
    rejects(AdmissionRule.of(Pod.class).subresource("*"), "(pods)");
    rejects( // labels exclude the Pods, but nothing excludes their bindings
        AdmissionRule.of(Pod.class).subresource("*").objectsWith(labels("app", "other")),
        "(pods/binding)");
    accepts(
        AdmissionRule.of(Pod.class)
            .subresource("*")
            .inNamespacesWith(expression(NAME, "NotIn", "shop")));
  }

  @Test
  void rejectsOnlyTheOperationsThatAStartNeeds() {
    accepts(AdmissionRule.of(Secret.class).on(Operation.DELETE));
    accepts(AdmissionRule.of(Deployment.class).on(Operation.DELETE));
    // A StatefulSet deletes a Pod before it creates the next one.
    rejects(AdmissionRule.of(Pod.class).on(Operation.DELETE), "the Pods of the program");
  }

  @Test
  void rejectsDefinitionsAndConfigurations() {
    rejects(AdmissionRule.of(CustomResourceDefinition.class), "objectsWith(...)");
    rejects(
        AdmissionRule.of(CustomResourceDefinition.class)
            .inNamespacesWith(expression(NAME, "NotIn", "shop")),
        "objectsWith(...)");
    accepts(AdmissionRule.of(CustomResourceDefinition.class).objectsWith(labels("check", "me")));
    rejects(AdmissionRule.of(ValidatingWebhookConfiguration.class), "never calls webhooks");
  }

  @Test
  void acceptsEverythingElse() {
    accepts(AdmissionRule.of(ConfigMap.class));
  }
}
