// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.ReconcileAll;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.leader.ShardOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;

/**
 * The program that {@code benchmarks/compare} measures for Windlass. The page {@code
 * benchmarks/compare/README.md} describes the program.
 */
final class Peer {

  private Peer() {}

  public static void main(String[] args) {
    RunRecord run = RunRecord.started(Integer.parseInt(args[1]));
    int workers = Integer.parseInt(args[2]);
    ManagerBuilder builder = Manager.builder();
    int watchMinutes = Integer.getInteger("compare.watchMinutes", 0);
    if (watchMinutes > 0) {
      builder.informerOptions(
          InformerOptions.defaults().withWatchTimeout(Duration.ofMinutes(watchMinutes)));
    }
    if (args[0].equals("scale")) {
      builder.shards(
          ShardOptions.of("bench")
              .withElection(election -> election.withNamespace("default"))
              .withShards(12));
    }
    try (Manager manager = builder.build()) {
      if (args[0].equals("idle")) {
        idle(manager, Integer.parseInt(args[1]), run);
        run.answerCommands();
        System.exit(manager.run() ? 0 : 1);
      }
      var controller =
          ControllerBuilder.forType(Bench.class)
              .named("bench")
              .maxConcurrentReconciles(workers)
              .objectReconciler(reconciler(args[0].equals("converge"), run));
      if (args[0].equals("converge")) {
        controller.owns(ConfigMap.class);
      }
      ReconcileAll all = Source.all();
      if (args[0].equals("scale")) {
        controller.sharded().watches(all);
      }
      if (Boolean.getBoolean("compare.ignoreOwnEvents")) {
        controller.ignoreOwnEvents();
      }
      controller.register(manager);
      run.answerCommands(all::trigger);
      System.exit(manager.run() ? 0 : 1);
    }
  }

  /** Registers one controller for each of the given number of types. */
  private static void idle(Manager manager, int types, RunRecord run) {
    for (int i = 0; i < types; i++) {
      String kind = String.format("Idle%03d", i);
      String plural = kind.toLowerCase() + "s";
      ControllerBuilder.forType(
              InformerSpec.of(new ResourceType("compare.windlass.dev", "v1", plural, kind, true)))
          .reconciler(
              (request, context) -> {
                run.succeed(request.key().namespace(), request.key().name());
                return Result.done();
              })
          .register(manager);
    }
  }

  private static dev.windlass.controller.reconcile.ObjectReconciler<Bench> reconciler(
      boolean converge, RunRecord run) {
    return (bench, context) -> {
      String namespace = bench.getMetadata().getNamespace();
      String name = bench.getMetadata().getName();
      if (run.waits()) {
        Thread.sleep(100); // for an external call
      }
      run.begin(namespace, name, bench.getSpec().getSentAt());
      if (converge) {
        converge(bench, context);
      }
      run.succeed(namespace, name);
      return Result.done();
    };
  }

  private static void converge(Bench bench, ReconcileContext context) {
    Owned.apply(context.client(), bench, bench.child());
    if (bench.converge()) {
      context.client().updateStatus(bench);
    }
  }
}
