// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.events.EventRecorder;
import dev.windlass.manager.Manager;
import dev.windlass.rbac.Verb;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the controller with its watches and permissions, and the operator's other components.
 */
final class TenantController {

  private static final Logger log = LoggerFactory.getLogger(TenantController.class);

  private TenantController() {}

  /** Registers the controller and the other components of the operator. */
  static Controller register(Manager manager) {
    return builder(manager).register(manager);
  }

  /** Registers the other components of the operator, and returns a builder for the controller. */
  static ControllerBuilder<Tenant> builder(Manager manager) {
    TenantIndices.addTo(manager);

    EventChannel<Tenant> external = Source.channel(Tenant.class, manager.informerOptions());
    manager.add(
        "external events",
        new EveryTenSeconds(
            "external-events",
            new ExternalEvents(manager.client(), external),
            manager.informerOptions()));
    manager.add(
        "the runner",
        new EveryTenSeconds("runner", () -> log.info("run something"), manager.informerOptions()));

    EventRecorder recorder = manager.eventRecorder("tenant-controller");
    return ControllerBuilder.forType(Tenant.class, EventPredicate.generationChanged())
        .eventRecorder(recorder)
        .owns(Namespace.class, EventPredicate.resourceVersionChanged())
        .owns(ClusterRole.class, EventPredicate.resourceVersionChanged())
        .owns(RoleBinding.class, EventPredicate.resourceVersionChanged())
        .watches(external, EventHandler.self())
        .usesStatus(Verb.UPDATE)
        .usesFinalizers()
        .reconciler(
            new TenantReconciler(
                new TenantMetrics(manager.meterRegistry()),
                new TenantReports(recorder, Clock.systemUTC())));
  }
}
