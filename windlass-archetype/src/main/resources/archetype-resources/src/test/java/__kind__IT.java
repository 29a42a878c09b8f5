package ${package};

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.windlass.manager.Manager;
import dev.windlass.testing.junit.RealKubernetes;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests the operator on a real API server. setup-envtest downloads it. There is no kubelet, so Pods
 * remain pending.
 */
@RealKubernetes(install = ${kind}.class)
final class ${kind}IT {

  private static ${kind} object(KubernetesClient kubectl, String image) {
    ${kind} object = ${kind}Test.object(image);
    object.getMetadata().setNamespace(kubectl.getNamespace());
    return object;
  }

  @Test
  void createsADeployment(KubernetesClient kubectl, Manager manager) {
    ${kind}Reconciler.register(manager, 2);
    manager.start();
    kubectl.resource(object(kubectl, "nginx:1")).create();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> kubectl.apps().deployments().withName(${kind}Test.DEPLOYMENT).get() != null);
  }

  @Test
  void rejectsANegativeNumberOfReplicas(KubernetesClient kubectl) {
    ${kind} object = object(kubectl, "nginx:1");
    object.getSpec().setReplicas(-1);
    assertThatThrownBy(() -> kubectl.resource(object).create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("spec.replicas");
  }
}
