// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.Locale;
import java.util.Map;

/** Objects as tests put them on a server. */
public final class Samples {

  private Samples() {}

  /** An empty ConfigMap. */
  public static ConfigMap map(String namespace, String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .build();
  }

  public static Namespace namespace(String name) {
    return new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  /** A Deployment of one container that the server accepts. */
  public static Deployment deployment(String namespace, String name) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withNewSelector()
        .addToMatchLabels("app", name)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .addToLabels("app", name)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName(name)
        .withImage(name)
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  /** A Pod that nobody schedules. */
  public static Pod pod(ObjectMeta metadata) {
    return new PodBuilder()
        .withMetadata(metadata)
        .withNewSpec()
        .withSchedulerName("nobody")
        .withAutomountServiceAccountToken(false)
        .addNewContainer()
        .withName("a")
        .withImage("a")
        .endContainer()
        .endSpec()
        .build();
  }

  /** One replica of such a Pod, with the label {@code app=web}. */
  public static StatefulSet statefulSet(ObjectMeta metadata) {
    Map<String, String> web = Map.of("app", "web");
    return new StatefulSetBuilder()
        .withMetadata(metadata)
        .withNewSpec()
        .withReplicas(1)
        .withServiceName("a")
        .withNewSelector()
        .withMatchLabels(web)
        .endSelector()
        .withNewTemplate()
        .withMetadata(new ObjectMetaBuilder().withLabels(web).build())
        .withSpec(pod(metadata).getSpec())
        .endTemplate()
        .endSpec()
        .build();
  }

  public static ServiceAccount serviceAccount(String namespace, String name) {
    return new ServiceAccountBuilder().withMetadata(map(namespace, name).getMetadata()).build();
  }

  /** Version v1 of a namespaced type with a status; of its objects the server checks nothing. */
  public static CustomResourceDefinition crd(String group, String kind) {
    String plural = kind.toLowerCase(Locale.ROOT) + "s";
    return new CustomResourceDefinitionBuilder()
        .withNewMetadata()
        .withName(plural + "." + group)
        .endMetadata()
        .withNewSpec()
        .withGroup(group)
        .withScope("Namespaced")
        .withNewNames()
        .withKind(kind)
        .withPlural(plural)
        .endNames()
        .addNewVersion()
        .withName("v1")
        .withServed(true)
        .withStorage(true)
        .withNewSubresources()
        .withNewStatus()
        .endStatus()
        .endSubresources()
        .withNewSchema()
        .withNewOpenAPIV3Schema()
        .withType("object")
        .withXKubernetesPreserveUnknownFields(true)
        .endOpenAPIV3Schema()
        .endSchema()
        .endVersion()
        .endSpec()
        .build();
  }
}
