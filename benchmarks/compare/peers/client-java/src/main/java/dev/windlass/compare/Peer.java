// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import io.kubernetes.client.extended.controller.Controller;
import io.kubernetes.client.extended.controller.builder.ControllerBuilder;
import io.kubernetes.client.extended.controller.builder.DefaultControllerBuilder;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.io.IOException;

/** The program that {@code benchmarks/compare} measures for client-java. */
final class Peer {

  private Peer() {}

  public static void main(String[] args) throws IOException {
    RunRecord run = RunRecord.started(Integer.parseInt(args[1]));
    boolean converge = args[0].equals("converge");
    run.answerCommands();
    ApiClient client = Config.defaultClient();
    client.setReadTimeout(0); // watches need this, as the library's examples show
    if (args[0].equals("idle")) {
      idle(client, Integer.parseInt(args[1]), run);
      return;
    }
    var benches =
        new GenericKubernetesApi<>(
            Bench.class, BenchList.class, "compare.windlass.dev", "v1", "benches", client);
    var children =
        new GenericKubernetesApi<>(
            V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client);
    SharedInformerFactory factory = new SharedInformerFactory(client);
    SharedIndexInformer<Bench> benchInformer =
        factory.sharedIndexInformerFor(benches, Bench.class, 0);
    SharedIndexInformer<V1ConfigMap> childInformer =
        converge ? factory.sharedIndexInformerFor(children, V1ConfigMap.class, 0) : null;

    DefaultControllerBuilder builder =
        ControllerBuilder.defaultBuilder(factory)
            .watch(queue -> ControllerBuilder.controllerWatchBuilder(Bench.class, queue).build());
    if (converge) {
      builder =
          builder.watch(
              queue ->
                  ControllerBuilder.controllerWatchBuilder(V1ConfigMap.class, queue)
                      .withOnAddFilter(child -> owner(child) != null)
                      .withOnUpdateFilter((before, after) -> owner(after) != null)
                      .withOnDeleteFilter((child, stale) -> owner(child) != null)
                      .withWorkQueueKeyFunc(
                          child -> new Request(child.getMetadata().getNamespace(), owner(child)))
                      .build());
    }
    Controller controller =
        builder
            .withReconciler(
                new BenchReconciler(
                    run, new CustomObjectsApi(client), children, benchInformer, childInformer))
            .withName("bench")
            .withWorkerCount(Integer.parseInt(args[2]))
            .withReadyFunc(
                () ->
                    benchInformer.hasSynced()
                        && (childInformer == null || childInformer.hasSynced()))
            .build();
    ControllerBuilder.controllerManagerBuilder(factory).addController(controller).build().run();
  }

  /**
   * Starts one informer for each of the given number of types. The types have the same fields, so
   * all informers use the same class.
   */
  private static void idle(ApiClient client, int types, RunRecord run) {
    for (int i = 0; i < types; i++) {
      var api =
          new GenericKubernetesApi<>(
              Bench.class,
              BenchList.class,
              "compare.windlass.dev",
              "v1",
              String.format("idle%03ds", i),
              client);
      // A factory keeps one informer per class, so each type needs its own factory.
      SharedInformerFactory factory = new SharedInformerFactory(client);
      factory
          .sharedIndexInformerFor(api, Bench.class, 0)
          .addEventHandler(
              new ResourceEventHandler<>() {
                @Override
                public void onAdd(Bench object) {
                  run.succeed(object.getMetadata().getNamespace(), object.getMetadata().getName());
                }

                @Override
                public void onUpdate(Bench before, Bench after) {}

                @Override
                public void onDelete(Bench object, boolean stateUnknown) {}
              });
      factory.startAllRegisteredInformers();
    }
  }

  private static String owner(V1ConfigMap child) {
    if (child.getMetadata().getOwnerReferences() == null) {
      return null;
    }
    for (V1OwnerReference owner : child.getMetadata().getOwnerReferences()) {
      if (Boolean.TRUE.equals(owner.getController()) && owner.getKind().equals("Bench")) {
        return owner.getName();
      }
    }
    return null;
  }
}
