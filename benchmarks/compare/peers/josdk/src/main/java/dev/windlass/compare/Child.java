// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;

/** The dependent resource that maintains the ConfigMap of a Bench. */
@KubernetesDependent
public final class Child extends CRUDKubernetesDependentResource<ConfigMap, Bench> {

  @Override
  protected ConfigMap desired(Bench bench, Context<Bench> context) {
    ConfigMap child = bench.child();
    child.getMetadata().getOwnerReferences().add(bench.reference());
    return child;
  }
}
