// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Samples;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.registration.ConversionWebhook;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two replicas start at once in a cluster that has no certificates yet. */
final class FirstInstallIT {

  private static final String GROUP = "install.windlass.dev";

  @RegisterExtension
  static final RealApiServerExtension KUBERNETES = RealApiServerExtension.shared();

  @AutoClose private KubernetesClient kubectl;
  @AutoClose private final Balancer balancer = Balancer.open();
  private final Set<String> reconciled = new ConcurrentSkipListSet<>();

  FirstInstallIT() throws IOException {}

  @BeforeEach
  void connects() {
    kubectl = KUBERNETES.server().newClient();
  }

  @AfterEach
  void removesTheWebhooksAndTheDefinition() {
    WebhookReplica.uninstall(kubectl);
    var definition =
        kubectl.apiextensions().v1().customResourceDefinitions().withName("tools." + GROUP);
    if (definition.get() != null) {
      definition.edit(
          tool -> {
            tool.getSpec().setConversion(null); // nobody converts the objects that it deletes
            return tool;
          });
      definition.delete();
      eventually().until(() -> definition.get() == null);
    }
  }

  private void startTogether(WebhookReplica... replicas) {
    replicas[0].install(kubectl);
    Stream.of(replicas).parallel().forEach(replica -> replica.manager.start());
    for (WebhookReplica replica : replicas) {
      balancer.add(replica.port());
    }
  }

  /**
   * The API server must convert the stored objects before it can answer the list of a cache, and
   * the caches must be filled before there is a leader.
   */
  @Test
  void doesNotWaitForItself() {
    CustomResourceDefinition definition = Samples.crd(GROUP, "Tool");
    kubectl.resource(definition).create();
    eventually() // the server lists a new type in its discovery a little later
        .ignoreExceptions()
        .untilAsserted(() -> kubectl.genericKubernetesResources(GROUP + "/v1", "Tool").list());
    for (String name : List.of("x", "y", "z")) {
      GenericKubernetesResource old = new GenericKubernetesResource();
      old.setApiVersion(GROUP + "/v1");
      old.setKind("Tool");
      old.setMetadata(new ObjectMetaBuilder().withName(name).withNamespace("default").build());
      eventually()
          .ignoreExceptions()
          .untilAsserted(() -> kubectl.resource(old).createOr(object -> object.update()));
    }
    kubectl.resource(withTheNewVersion()).update();
    try (WebhookReplica a = converting("a");
        WebhookReplica b = converting("b")) {
      startTogether(a, b);
      for (WebhookReplica replica : List.of(a, b)) {
        eventually().untilAsserted(() -> assertThat(replica.problem()).isEmpty());
      }
      eventually().untilAsserted(() -> assertThat(reconciled).containsExactly("x", "y", "z"));
    }
  }

  private CustomResourceDefinition withTheNewVersion() {
    CustomResourceDefinition now =
        kubectl.apiextensions().v1().customResourceDefinitions().withName("tools." + GROUP).get();
    now.getSpec().getVersions().get(0).setStorage(false);
    var next = new CustomResourceDefinitionBuilder(Samples.crd(GROUP, "Tool")).build();
    next.getSpec().getVersions().get(0).setName("v2");
    now.getSpec().getVersions().add(next.getSpec().getVersions().get(0));
    return new CustomResourceDefinitionBuilder(now)
        .editSpec()
        .withNewConversion()
        .withStrategy("Webhook")
        .withNewWebhook()
        .withConversionReviewVersions("v1")
        .withNewClientConfig()
        .withUrl(balancer.address() + ConversionWebhook.PATH)
        .endClientConfig()
        .endWebhook()
        .endConversion()
        .endSpec()
        .build();
  }

  private WebhookReplica converting(String name) {
    return new WebhookReplica(
        name,
        KUBERNETES.clientConfig(),
        balancer.address(),
        builder ->
            builder.leaderElection(LeaderElectionOptions.of("install").withNamespace("default")),
        builder -> builder.convert(Conversion.hub(NewTool.class).sameSchema(OldTool.class)),
        this::reconcile);
  }

  private void reconcile(Manager manager) {
    ControllerBuilder.forType(NewTool.class)
        .reconciler(
            (request, context) -> {
              reconciled.add(request.name());
              return Result.done();
            })
        .register(manager);
  }

  /** The version that is stored at first. */
  @Group(GROUP)
  @Version("v1")
  @Kind("Tool")
  static final class OldTool extends CustomResource<Map<String, Object>, Void>
      implements Namespaced {
    private static final long serialVersionUID = 1L;
  }

  /** The version that the program reads. */
  @Group(GROUP)
  @Version("v2")
  @Kind("Tool")
  static final class NewTool extends CustomResource<Map<String, Object>, Void>
      implements Namespaced {
    private static final long serialVersionUID = 1L;
  }
}
