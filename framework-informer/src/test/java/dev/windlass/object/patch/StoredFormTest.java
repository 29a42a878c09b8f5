// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StoredFormTest {

  private final KubernetesSerialization json = new KubernetesSerialization();

  private Map<?, ?> map(String text) {
    return json.unmarshal(text.replace('\'', '"'), Map.class);
  }

  private void stores(Class<? extends HasMetadata> type, String sent, String expected) {
    assertThat(StoredForm.of(ResourceType.of(type), type).ofConfiguration(map(sent)))
        .isEqualTo(map(expected));
  }

  @Test
  void completesStructuresThatAreOwnedAsAWhole() {
    stores(
        Pod.class,
        "{'spec':{'containers':[{'env':[{'valueFrom':{'fieldRef':{'fieldPath':'x'}}}]}]}}",
        "{'spec':{'containers':[{'env':[{'valueFrom':{'fieldRef':"
            + "{'fieldPath':'x','apiVersion':'v1'}}}]}]}}");
    stores(
        StatefulSet.class,
        "{'spec':{'volumeClaimTemplates':[{'metadata':{'name':'d'}}]}}",
        "{'spec':{'volumeClaimTemplates':[{'metadata':{'name':'d'},'apiVersion':'v1',"
            + "'kind':'PersistentVolumeClaim','spec':{'volumeMode':'Filesystem'},"
            + "'status':{'phase':'Pending'}}]}}");
    stores(
        RoleBinding.class,
        "{'roleRef':{'apiGroup':''},'subjects':[{'kind':'User'},{'kind':'ServiceAccount'}]}",
        "{'roleRef':{'apiGroup':'rbac.authorization.k8s.io'},'subjects':[{'kind':'User',"
            + "'apiGroup':'rbac.authorization.k8s.io'},{'kind':'ServiceAccount'}]}");
  }

  @Test
  void keepsWhatIsGiven() {
    String sent = "{'roleRef':{'apiGroup':'g'},'subjects':[{'kind':'User','apiGroup':'g'}]}";
    stores(RoleBinding.class, sent, sent);
  }

  @Test
  void writesQuantitiesAsTheServerDoes() {
    stores(
        Pod.class,
        "{'spec':{'overhead':{'cpu':'1000m','memory':'1024Mi'},'nodeName':'1000m'}}",
        "{'spec':{'overhead':{'cpu':'1','memory':'1Gi'},'nodeName':'1000m'}}");
  }

  /** For the server, the quantities of a custom resource are strings. */
  @Test
  void leavesCustomResourcesAsTheyAre() {
    Map<?, ?> sent = map("{'spec':{'overhead':{'cpu':'1000m'}}}");
    ResourceType custom = new ResourceType("example.com", "v1", "pods", "Pod", true);
    assertThat(StoredForm.of(custom, Pod.class).ofConfiguration(sent)).isEqualTo(sent);
  }
}
