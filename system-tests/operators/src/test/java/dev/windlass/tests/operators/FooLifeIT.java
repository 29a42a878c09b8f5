// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.cli.testsupport.Edits.edit;
import static dev.windlass.cli.testsupport.Edits.editStatus;
import static dev.windlass.cli.testsupport.Edits.isAnother;
import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.controller.Controller;
import dev.windlass.examples.foo.Foo;
import dev.windlass.examples.foo.FooEntry;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A Foo's life as the document tells it: each step, each request, each line and each Event. */
final class FooLifeIT {

  private static final String NAME = "example-foo";
  private static final String NAMESPACE = "foo-life";

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.sharedWithControllerManager();

  /** What the operator wrote, such as {@code PUT foos/status}; Events don't count. */
  private final List<String> writes = new CopyOnWriteArrayList<>();

  @AutoClose
  private final Logs said =
      Logs.by(
          Level.DEBUG,
          "dev.windlass.controller.Controller",
          "dev.windlass.examples.foo.FooReconciler");

  private KubernetesClient kubectl;
  private KubernetesClient client;
  private Manager manager;

  private final class Recorder implements Interceptor {
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      String path = request.uri().getPath();
      if (!request.method().equals("GET") && path.matches(".*/namespaces/[^/]+/(?!events).*")) {
        String resource = path.replaceFirst(".*/namespaces/[^/]+/([^/]+)(/[^/]+)?", "$1");
        writes.add(request.method() + " " + resource);
      }
    }
  }

  @BeforeEach
  void starts() {
    kubectl = kubernetes.server().newClient();
    kubernetes.server().install(FooEntry.crd());
    kubectl
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
    client =
        new KubernetesClientBuilder()
            .withConfig(kubernetes.server().clientConfig())
            .withHttpClientBuilderConsumer(
                http -> http.addOrReplaceInterceptor("recorder", new Recorder()))
            .build();
    manager = Manager.builder().client(client).namespace(NAMESPACE).build();
  }

  @AfterEach
  void stops() {
    boolean stopped = manager.stop();
    client.close();
    kubectl.namespaces().withName(NAMESPACE).delete();
    kubectl.close();
    assertThat(stopped).as("stopped in time").isTrue();
  }

  private Resource<Foo> foo() {
    return kubectl.resources(Foo.class).inNamespace(NAMESPACE).withName(NAME);
  }

  private Resource<Deployment> deploymentOfFoo() {
    return kubectl.apps().deployments().inNamespace(NAMESPACE).withName(NAME);
  }

  private @Nullable Deployment deployment() {
    return deploymentOfFoo().get();
  }

  /** Sets the status that the Deployment controller and a kubelet would report. */
  private void becomesAvailable(int replicas) {
    editStatus(
        deploymentOfFoo(),
        deployment ->
            deployment.setStatus(
                new DeploymentStatusBuilder()
                    .withReplicas(replicas)
                    .withReadyReplicas(replicas)
                    .withAvailableReplicas(replicas)
                    .build()));
    awaitAvailable(replicas);
  }

  private void awaitAvailable(int replicas) {
    eventually().until(() -> foo().require().getStatus().getAvailableReplicas() == replicas);
  }

  private List<Event> events() {
    return kubectl.events().v1().events().inNamespace(NAMESPACE).list().getItems().stream()
        .filter(event -> "Synced".equals(event.getReason()))
        .filter(event -> NAME.equals(event.getRegarding().getName()))
        .toList();
  }

  @Test
  void playsFromTheFirstStepToTheLast() {
    // Step 1: it starts.
    Controller controller = FooEntry.withoutResync(manager).register(manager);
    manager.start();
    eventually().until(controller::isReady);
    assertThat(said.messages())
        .containsSubsequence(
            "Starting Foo controller",
            "Waiting for informer caches to sync",
            "Starting workers",
            "Started workers");

    // Step 2: a Foo is created.
    Foo example = FooEntry.example(NAMESPACE);
    example.getSpec().setDeploymentName(NAME);
    Foo foo = kubectl.resource(example).create();
    eventually().until(() -> deployment() != null);
    Deployment first = Objects.requireNonNull(deployment());
    String synced = "Successfully synced '" + NAMESPACE + "/" + NAME + "'";
    eventually().until(() -> said.messages().contains(synced));
    eventually().until(() -> !events().isEmpty());
    assertThat(first.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(
            owner -> {
              assertThat(owner.getUid()).isEqualTo(foo.getMetadata().getUid());
              assertThat(owner.getController()).isTrue();
              assertThat(owner.getBlockOwnerDeletion()).isTrue();
            });
    assertThat(first.getSpec().getReplicas()).isEqualTo(1);
    assertThat(writes).first().isEqualTo("POST deployments");
    Event event = events().get(0);
    assertThat(event.getType()).isEqualTo("Normal");
    assertThat(event.getNote()).isEqualTo("Foo synced successfully");
    assertThat(event.getReportingController()).isEqualTo("sample-controller");
    assertThat(event.getRegarding().getKind()).isEqualTo("Foo");
    assertThat(event.getRegarding().getUid()).isEqualTo(foo.getMetadata().getUid());

    // Step 3: its Deployment becomes available.
    becomesAvailable(1);

    // Step 4: it is scaled, with one write.
    edit(foo(), changed -> changed.getSpec().setReplicas(3));
    eventually().until(() -> deploymentOfFoo().require().getSpec().getReplicas() == 3);
    becomesAvailable(3);
    assertThat(writes).containsOnlyOnce("PUT deployments");

    // Step 5: its Deployment is deleted, and made again.
    kubectl.resource(first).delete();
    eventually().until(() -> isAnother(deployment(), first));
    assertThat(deploymentOfFoo().require().getSpec().getReplicas()).isEqualTo(3);
    assertThat(foo().require().getMetadata().getUid()).isEqualTo(foo.getMetadata().getUid());
    awaitAvailable(0);
    assertThat(writes).filteredOn("POST deployments"::equals).hasSize(2);

    // Step 6: it is deleted, and the garbage collector takes its Deployment.
    foo().delete();
    eventually().until(() -> foo().get() == null && deployment() == null);
    eventually().until(() -> controller.queueLength() == 0 && controller.running().isEmpty());
    assertThat(controller.diagnosis().delayed()).as("nothing to be tried again").isZero();

    // Step 7: it stops.
    assertThat(manager.stop()).isTrue();
    assertThat(said.messages())
        .last()
        .asString()
        .matches("Shutting down workers|The manager stopped after .*");
    assertThat(writes)
        .containsSubsequence(
            "POST deployments",
            "PUT foos/status",
            "PUT deployments",
            "PUT foos/status",
            "POST deployments")
        .noneMatch(write -> write.startsWith("DELETE"));
    assertThat(events())
        .as("one Event that counts")
        .singleElement()
        .satisfies(told -> assertThat(told.getSeries().getCount()).isGreaterThan(1));
  }
}
