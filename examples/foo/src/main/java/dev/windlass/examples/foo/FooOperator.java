// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.cli.Operator;
import dev.windlass.cli.Program;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.events.EventRecorder;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.manager.Manager;
import dev.windlass.rbac.Verb;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.time.Duration;
import picocli.CommandLine.Command;

/** Runs the Foo operator against a cluster until it is stopped. */
@Command(name = "foo", description = "Manages a Deployment for each Foo.")
public final class FooOperator extends Operator {

  /**
   * The interval at which every Foo is reconciled, even if it has not changed. The
   * sample-controller uses the same interval.
   */
  private static final Duration RESYNC = Duration.ofSeconds(30);

  /** The number of concurrent reconciles. The sample-controller uses the same number. */
  private static final int WORKERS = 2;

  /**
   * The defaults of this program. As in the sample-controller, no endpoints are enabled. The
   * program also logs the same messages as the sample-controller.
   */
  private static final Program PROGRAM =
      Program.named("foo")
          .role("foo-operator")
          .lease("foo-operator")
          .workers(WORKERS)
          .wording(
              new Program.Wording(
                  "Setting up event handlers",
                  "Error building kubeconfig",
                  "Error running controller",
                  "Error running controller"));

  /** Creates the program without starting it. */
  public FooOperator() {
    super(PROGRAM);
  }

  @Override
  protected void registerWith(Manager manager) {
    builder(manager).maxConcurrentReconciles(workers()).register(manager);
  }

  /** Registers the controller with the default number of workers. */
  static Controller register(Manager manager) {
    return builder(manager).register(manager);
  }

  /** Creates a controller builder with the controller's watches and its reconciler. */
  static ControllerBuilder<Foo> builder(Manager manager) {
    EventRecorder recorder = manager.eventRecorder("sample-controller");
    return ControllerBuilder.forType(Foo.class, notDeleted())
        .sharded() // with --shards; otherwise, the leader reconciles all Foos
        .owns(Deployment.class, EventPredicate.resourceVersionChanged())
        .uses(Deployment.class, Verb.CREATE, Verb.UPDATE) // does not patch or delete
        .usesStatus(Verb.UPDATE)
        .eventRecorder(recorder)
        .maxConcurrentReconciles(WORKERS)
        .resync(RESYNC)
        .reconciler(new FooReconciler(new FooReports(recorder, Clock.systemUTC())));
  }

  /**
   * Returns a predicate that rejects deletion events. When a Foo is deleted, the garbage collector
   * deletes its Deployment.
   */
  private static EventPredicate<Foo> notDeleted() {
    return event -> event.type() != ResourceEvent.Type.DELETED;
  }

  /** Starts the program. */
  public static void main(String[] args) {
    System.exit(new FooOperator().run(args));
  }
}
