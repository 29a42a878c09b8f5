package ${package};

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.manager.Manager;
import dev.windlass.testing.junit.EmbeddedKubernetes;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.ReconcilerTest;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/** The operator on an API server in the same process. */
@EmbeddedKubernetes(install = ${kind}.class)
final class ${kind}Test {

  static ${kind} object(String image) {
    ${kind} object = new ${kind}();
    object.getMetadata().setNamespace("default");
    object.getMetadata().setName("first");
    object.getSpec().setImage(image);
    return object;
  }

  /** The whole program, with its threads and its watches. */
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
    Deployment found = kubectl.apps().deployments().inNamespace("default").withName("first").get();
    return found == null ? "" : image(found);
  }

  private static String image(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec().getContainers().get(0).getImage();
  }

  /** The reconciler on virtual time, killed after each of its writes. */
  @CrashAtEveryWrite
  void deploysTheImageEvenIfItCrashes() {
    try (ReconcilerTest test =
        ReconcilerTest.of(manager -> ${kind}Reconciler.register(manager, 1))
            .install(${kind}.class)) {
      test.create(object("nginx:1"));
      test.assertEventuallyStable();
      assertThat(image(test.get(Deployment.class, "default", "first").orElseThrow()))
          .isEqualTo("nginx:1");
    }
  }
}
