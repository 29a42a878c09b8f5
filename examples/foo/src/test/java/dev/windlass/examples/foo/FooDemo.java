// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.windlass.cli.testsupport.Edits;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/**
 * The main job, told on the terminal: the Foo operator on the embedded API server. Run by {@code
 * mvn -Pdemo}; any step that does not happen within half a minute ends it with an error.
 */
public final class FooDemo {

  private static final String NAMESPACE = "default";
  private static final String NAME = "example-foo";

  private final KubernetesClient kubectl;

  private FooDemo(KubernetesClient kubectl) {
    this.kubectl = kubectl;
  }

  /** The program. */
  public static void main(String[] args) {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
    try (TestApiServer server = EmbeddedApiServer.start();
        KubernetesClient kubectl = server.newClient()) {
      tell("An API server runs in this process at %s", kubectl.getMasterUrl());
      server.install(FooArtifacts.crd());
      tell("CRD foos.samplecontroller.k8s.io installed");
      try (Manager manager = Manager.builder().config(server.clientConfig()).build()) {
        FooOperator.register(manager);
        manager.start();
        new FooDemo(kubectl).play();
      }
    }
    tell("The operator has stopped. That was all.");
  }

  private void play() {
    kubectl.resource(FooArtifacts.exampleFoo(NAMESPACE)).create();
    tell("Foo %s/%s created with replicas: 1", NAMESPACE, NAME);
    Deployment first = deployment(() -> deployment() != null);
    tell("  -> Deployment %s/%s created by the operator (uid %s)", NAMESPACE, NAME, uid(first));
    awaitAvailable(1);

    Edits.edit(
        kubectl.resources(Foo.class).inNamespace(NAMESPACE).withName(NAME),
        foo -> foo.getSpec().setReplicas(3));
    tell("Foo %s/%s changed to replicas: 3", NAMESPACE, NAME);
    deployment(() -> Objects.requireNonNull(deployment()).getSpec().getReplicas() == 3);
    tell("  -> Deployment %s/%s updated to replicas: 3", NAMESPACE, NAME);
    awaitAvailable(3);

    kubectl.resource(first).delete();
    tell("Deployment %s/%s deleted (uid %s)", NAMESPACE, NAME, uid(first));
    Deployment second =
        deployment(() -> deployment() != null && !uid(deployment()).equals(uid(first)));
    tell("  -> Deployment %s/%s created again (uid %s)", NAMESPACE, NAME, uid(second));
    awaitAvailable(3);
    tellEvents();

    kubectl.resources(Foo.class).inNamespace(NAMESPACE).withName(NAME).delete();
    tell("Foo %s/%s deleted", NAMESPACE, NAME);
    Awaitility.await().until(() -> deployment() == null);
    tell("  -> Deployment %s/%s collected by the server, as its owner is gone", NAMESPACE, NAME);
  }

  private Deployment deployment(Callable<Boolean> condition) {
    Awaitility.await().until(condition);
    return Objects.requireNonNull(deployment());
  }

  private Deployment deployment() {
    return kubectl.apps().deployments().inNamespace(NAMESPACE).withName(NAME).get();
  }

  private static String uid(Deployment deployment) {
    return deployment.getMetadata().getUid().substring(0, 8);
  }

  private void awaitAvailable(int replicas) {
    Awaitility.await()
        .until(
            () ->
                kubectl
                        .resources(Foo.class)
                        .inNamespace(NAMESPACE)
                        .withName(NAME)
                        .get()
                        .getStatus()
                        .getAvailableReplicas()
                    == replicas);
    tell("  -> Deployment available; the Foo's status says availableReplicas: %d", replicas);
  }

  private void tellEvents() {
    for (Event event : kubectl.events().v1().events().inNamespace(NAMESPACE).list().getItems()) {
      tell(
          "  Event: %s %s x%d from %s: %s",
          event.getType(),
          event.getReason(),
          event.getSeries() == null ? 1 : event.getSeries().getCount(),
          event.getReportingController(),
          event.getNote());
    }
  }

  @FormatMethod
  private static void tell(@FormatString String sentence, Object... arguments) {
    System.out.println("[demo] " + sentence.formatted(arguments));
    System.out.flush();
  }
}
