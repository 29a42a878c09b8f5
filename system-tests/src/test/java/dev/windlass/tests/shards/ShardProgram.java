// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.shards;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.ShardOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A replica that copies what is wanted of each ConfigMap in a namespace to what is done. Started
 * with a kubeconfig, its name, the namespace and the number of shards; 1 is one leader.
 */
final class ShardProgram {

  static final Duration LEASE = Duration.ofSeconds(6);

  /** How long a reconcile hangs, whatever interrupts it. */
  static final Duration HANGS = Duration.ofSeconds(20);

  private ShardProgram() {}

  public static void main(String[] arguments) {
    String replica = arguments[1];
    String namespace = arguments[2];
    int number = Integer.parseInt(arguments[3]);
    ShardOptions shards =
        ShardOptions.of("widgets")
            .withElection(
                election ->
                    election
                        .withNamespace(namespace)
                        .withIdentity(replica)
                        .withDurations(LEASE, Duration.ofSeconds(4), Duration.ofSeconds(1)))
            .withShards(number);
    ManagerBuilder builder =
        Manager.builder()
            .config(Config.fromKubeconfig(Path.of(arguments[0]).toFile()))
            .namespace(namespace)
            .stopTimeout(Duration.ofSeconds(10));
    Manager manager =
        (number == 1 ? builder.leaderElection(shards.election()) : builder.shards(shards)).build();
    ControllerBuilder.forType(ConfigMap.class)
        .named("widgets")
        .sharded()
        .reconciler(ShardProgram::reconcile)
        .register(manager);
    Runtime.getRuntime().addShutdownHook(new Thread(manager::stop));
    manager.run();
  }

  private static Result reconcile(Request request, ReconcileContext context) {
    Optional<ConfigMap> found = context.client().get(ConfigMap.class, request.key());
    if (found.isEmpty() || !found.get().getData().containsKey("wanted")) {
      return Result.done();
    }
    ConfigMap next = new ConfigMapBuilder(found.get()).build();
    String wanted = next.getData().get("wanted");
    if (wanted.equals("hang")) {
      long end = System.nanoTime() + HANGS.toNanos();
      while (System.nanoTime() < end) {
        LockSupport.parkNanos(10_000_000);
      }
    }
    if (!wanted.equals(next.getData().put("done", wanted))) {
      context.client().update(next);
    }
    return Result.done();
  }
}
