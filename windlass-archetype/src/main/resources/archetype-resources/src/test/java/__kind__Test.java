package ${package};

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.manager.Manager;
import dev.windlass.testing.junit.EmbeddedKubernetes;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.ReconcilerTest;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/** Tests the operator on an API server in the same process. */
@EmbeddedKubernetes(install = ${kind}.class)
final class ${kind}Test {

  /** The name of the Deployment for the object that these tests create. */
  static final String DEPLOYMENT = HasMetadata.getSingular(${kind}.class) + "-first";

  static ${kind} object(String image) {
    ${kind} object = new ${kind}();
    object.getMetadata().setNamespace("default");
    object.getMetadata().setName("first");
    object.getSpec().setImage(image);
    return object;
  }

  /** Runs the whole program, with its threads and its watches. */
  @Test
  void deploysTheImage(KubernetesClient kubectl, Manager manager) {
    ${kind}Reconciler.register(manager, 2);
    manager.start();
    kubectl.resource(object("nginx:1")).create();
    await().until(() -> image(kubectl), "nginx:1"::equals);
    kubectl.resource(object("nginx:2")).forceConflicts().serverSideApply();
    await().until(() -> image(kubectl), "nginx:2"::equals);
  }

  private static String image(KubernetesClient kubectl) {
    Deployment found =
        kubectl.apps().deployments().inNamespace("default").withName(DEPLOYMENT).get();
    return found == null ? "" : image(found);
  }

  private static String image(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec().getContainers().get(0).getImage();
  }

  /** Runs the reconciler in virtual time, and kills it after each of its writes. */
  @CrashAtEveryWrite
  void deploysTheImageEvenIfItCrashes() {
    try (ReconcilerTest test = onVirtualTime()) {
      test.create(object("nginx:1"));
      test.assertEventuallyStable();
      assertThat(image(test.get(Deployment.class, "default", DEPLOYMENT).orElseThrow()))
          .isEqualTo("nginx:1");
    }
  }

  /**
   * The name of the object is the value of a label, which can have at most 63 characters. The API
   * server therefore rejects the Deployment.
   */
  @Test
  void reportsWhyAReconcileFails() {
    try (ReconcilerTest test = onVirtualTime()) {
      ${kind} object = object("nginx:1");
      object.getMetadata().setName("a".repeat(64));
      test.create(object);
      test.reconcile();
      ${kind} failed = test.get(${kind}.class, "default", "a".repeat(64)).orElseThrow();
      Condition ready = failed.getStatus().getConditions().get(0);
      assertThat(ready.getStatus()).isEqualTo("False");
      assertThat(ready.getMessage()).contains("must be no more than 63");
    }
  }

  private static ReconcilerTest onVirtualTime() {
    return ReconcilerTest.of(manager -> ${kind}Reconciler.register(manager, 1))
        .install(${kind}.class);
  }
}
