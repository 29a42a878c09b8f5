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
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Declaration;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.time.Clock;
import java.util.List;
import java.util.Set;

/**
 * Registers the controller with its watches and permissions, and the operator's other components.
 */
final class TenantController {

  private TenantController() {}

  /** Registers the controller and the other components of the operator. */
  static Controller register(Manager manager) {
    return builder(manager).register(manager);
  }

  /** Registers the other components of the operator, and returns a builder for the controller. */
  static ControllerBuilder<Tenant> builder(Manager manager) {
    TenantIndices.addTo(manager);
    manager.uses(granted());

    EventChannel<Tenant> external = Source.channel(Tenant.class, manager.informerOptions());
    manager.add(
        "external events",
        new EveryTenSeconds(
            "external-events",
            new ExternalEvents(manager.client(), external),
            manager.informerOptions()));
    manager.add(
        "the runner",
        new EveryTenSeconds(
            "runner", () -> System.out.println("run something"), manager.informerOptions()));

    EventRecorder recorder = manager.eventRecorder("tenant-controller");
    return ControllerBuilder.forType(Tenant.class, EventPredicate.generationChanged())
        .eventRecorder(recorder)
        .owns(Namespace.class, EventPredicate.resourceVersionChanged())
        .owns(ClusterRole.class, EventPredicate.resourceVersionChanged())
        .owns(RoleBinding.class, EventPredicate.resourceVersionChanged())
        .watches(external, EventHandler.self())
        .usesFinalizers()
        .reconciler(
            new TenantReconciler(
                new TenantMetrics(manager.meterRegistry()),
                new TenantReports(recorder, Clock.systemUTC())));
  }

  /**
   * Declares the permissions on Tenants that the operator grants to administrators.
   *
   * <p>An identity can grant only permissions that it holds itself, unless it has the verbs
   * escalate and bind. With these verbs on ClusterRoles, the operator could grant itself any
   * permission. Therefore, the operator requests only the few permissions on Tenants that its
   * watches do not require. Its watches require the other permissions that it grants.
   */
  private static Permissions granted() {
    ResourceType tenants = ResourceType.of(Tenant.class);
    return Permissions.of(
        List.of(
            new Declaration(
                "grants(Tenant)",
                Set.of(
                    Permission.of(tenants, "", Verb.UPDATE),
                    Permission.of(tenants, "", Verb.PATCH),
                    Permission.of(tenants, "", Verb.DELETE)),
                Declaration.Need.NONE)));
  }
}
