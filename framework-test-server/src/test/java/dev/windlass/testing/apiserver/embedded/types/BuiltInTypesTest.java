// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without a CRD, the server has what users own; the comparison with a real one is in the IT. */
final class BuiltInTypesTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        PodDisruptionBudget.class,
        HorizontalPodAutoscaler.class,
        EndpointSlice.class,
        PriorityClass.class,
        StorageClass.class
      })
  void areWrittenAndReadThroughTypedClients(Class<? extends HasMetadata> type) throws Exception {
    HasMetadata object = type.getConstructor().newInstance();
    object.setMetadata(new ObjectMetaBuilder().withName("made").build());
    if (object instanceof Namespaced) {
      object.getMetadata().setNamespace("default");
    }
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client = server.newClient()) {
      client.resource(object).create();
      assertThat(client.resource(object).get()).isInstanceOf(type);
    }
  }

  @Test
  void haveAPathForTheirStatusIfTheirClassHasOne() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      HttpProbe http = HttpProbe.on(server);
      String pdb = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
      http.post(pdb, "{'metadata':{'name':'a'},'status':{'expectedPods':1}}");
      assertThat(http.get(pdb + "/a").at("/status/expectedPods")).isEqualTo("0");
      http.patch(pdb + "/a/status", "merge", "{'status':{'expectedPods':2}}");
      assertThat(http.get(pdb + "/a").at("/status/expectedPods")).isEqualTo("2");
      assertThat(http.get("/apis/storage.k8s.io/v1/storageclasses/a/status").code()).isEqualTo(404);
    }
  }
}
