// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.ControllerOptions;
import dev.windlass.controller.enqueue.Predicate;
import dev.windlass.events.EventRecorder;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the Foo operator against a cluster until it is told to stop. */
@Command(
    name = "foo",
    mixinStandardHelpOptions = true,
    description = "Keeps a Deployment for each Foo.")
public final class FooOperator implements Callable<Integer> {

  private static final Logger log = LoggerFactory.getLogger(FooOperator.class);

  /** How often each Foo is looked at without a reason, as in sample-controller. */
  private static final Duration RESYNC = Duration.ofSeconds(30);

  @Option(
      names = {"--kubeconfig", "-kubeconfig"},
      description = "Path to a kubeconfig. Only required if out-of-cluster.")
  private @Nullable Path kubeconfig;

  @Option(
      names = {"--master", "-master"},
      description =
          "The address of the Kubernetes API server. Overrides any value in kubeconfig. Only"
              + " required if out-of-cluster.")
  private @Nullable String master;

  @Option(
      names = "--print-rbac",
      description = "Prints the rights that the operator needs as YAML, and exits.")
  private boolean printRbac;

  @Override
  public Integer call() {
    if (printRbac) {
      return printRbac();
    }
    ManagerBuilder builder = Manager.builder();
    if (kubeconfig != null) {
      builder.kubeconfig(kubeconfig);
    }
    if (master != null) {
      builder.master(master);
    }
    Manager built;
    try {
      built = builder.build();
    } catch (IllegalArgumentException e) {
      log.error("Error building kubeconfig: {}", e.getMessage());
      return 1;
    }
    try (Manager manager = built) {
      log.info("Setting up event handlers");
      register(manager);
      return manager.run() ? 0 : 1;
    } catch (IllegalStateException e) {
      log.error("Error running controller: {}", e.getMessage());
      return 1;
    }
  }

  /** Needs no cluster: what is declared is known before anything is connected. */
  private static int printRbac() {
    try (Manager manager = Manager.builder().config(Config.empty()).build()) {
      register(manager);
      System.out.print(manager.rbac().yaml("foo-operator"));
      return 0;
    }
  }

  /** Registers the controller. */
  static Controller register(Manager manager) {
    return builder(manager).register(manager);
  }

  /** The whole operator but its reconciler. */
  static ControllerBuilder<Foo> builder(Manager manager) {
    EventRecorder recorder = manager.eventRecorder("sample-controller");
    return ControllerBuilder.forType(Foo.class, notDeleted())
        .owns(Deployment.class, Predicate.resourceVersionChanged())
        .options(ControllerOptions.defaults().withEventRecorder(recorder))
        .maxConcurrentReconciles(2)
        .resync(RESYNC)
        .reconciler(
            new FooReconciler(
                manager.client(), new FooReports(manager.client(), recorder, Clock.systemUTC())));
  }

  /** A deleted Foo leaves nothing to do: the garbage collector takes its Deployment. */
  private static Predicate<Foo> notDeleted() {
    return event -> event.type() != ResourceEvent.Type.DELETED;
  }

  /** The program. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new FooOperator()).execute(args));
  }
}
