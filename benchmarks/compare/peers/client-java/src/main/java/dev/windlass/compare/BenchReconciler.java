// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import io.kubernetes.client.extended.controller.reconciler.Reconciler;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.util.List;
import java.util.Map;

/**
 * Records each reconcile. If the reconciler was created with an informer of ConfigMaps, it also
 * maintains the ConfigMap and the status of the object.
 */
final class BenchReconciler implements Reconciler {

  private final RunRecord run;
  private final CustomObjectsApi benches;
  private final GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> children;
  private final Lister<Bench> benchLister;
  private final Lister<V1ConfigMap> childLister;

  BenchReconciler(
      RunRecord run,
      CustomObjectsApi benches,
      GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> children,
      SharedIndexInformer<Bench> benchInformer,
      SharedIndexInformer<V1ConfigMap> childInformer) {
    this.run = run;
    this.benches = benches;
    this.children = children;
    this.benchLister = new Lister<>(benchInformer.getIndexer());
    this.childLister = childInformer == null ? null : new Lister<>(childInformer.getIndexer());
  }

  @Override
  public Result reconcile(Request request) {
    Bench bench = benchLister.namespace(request.getNamespace()).get(request.getName());
    if (bench == null) {
      return new Result(false);
    }
    Long sentAt = bench.spec.sentAt;
    run.begin(request.getNamespace(), request.getName(), sentAt == null ? 0 : sentAt);
    if (childLister != null) {
      try {
        drive(bench);
      } catch (ApiException e) {
        System.err.println("failed to reconcile " + request + ": " + e.getMessage());
        return new Result(true);
      }
    }
    run.succeed(request.getNamespace(), request.getName());
    return new Result(false);
  }

  private void drive(Bench bench) throws ApiException {
    V1ConfigMap wanted = child(bench);
    V1ObjectMeta metadata = wanted.getMetadata();
    V1ConfigMap existing = childLister.namespace(metadata.getNamespace()).get(metadata.getName());
    if (existing == null) {
      children.create(wanted).throwsApiException();
    } else if (!wanted.getData().equals(existing.getData())
        || !metadata.getOwnerReferences().equals(existing.getMetadata().getOwnerReferences())) {
      metadata.setResourceVersion(existing.getMetadata().getResourceVersion());
      children.update(wanted).throwsApiException();
    }
    long generation = bench.getMetadata().getGeneration();
    Bench.Status status = bench.status;
    if (status == null || !status.ready || status.observedGeneration != generation) {
      Bench.Status next = new Bench.Status();
      next.ready = true;
      next.observedGeneration = generation;
      // GenericKubernetesApi.updateStatus sends a JSON patch, which the server rejects with 415.
      benches
          .replaceNamespacedCustomObjectStatus(
              "compare.windlass.dev",
              "v1",
              bench.getMetadata().getNamespace(),
              "benches",
              bench.getMetadata().getName(),
              bench.withStatus(next))
          .execute();
    }
  }

  private static V1ConfigMap child(Bench bench) {
    V1ObjectMeta owner = bench.getMetadata();
    return new V1ConfigMap()
        .apiVersion("v1")
        .kind("ConfigMap")
        .metadata(
            new V1ObjectMeta()
                .namespace(owner.getNamespace())
                .name(owner.getName())
                .ownerReferences(
                    List.of(
                        new V1OwnerReference()
                            .apiVersion("compare.windlass.dev/v1")
                            .kind("Bench")
                            .name(owner.getName())
                            .uid(owner.getUid())
                            .controller(true)
                            .blockOwnerDeletion(true))))
        .data(Map.of("text", bench.spec.text));
  }
}
