// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.InvalidException;
import dev.windlass.client.owned.Finalization;
import dev.windlass.client.owned.Finalizers;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the cluster towards the state that a Tenant requests, and reports the result in the
 * Tenant's status.
 */
final class TenantReconciler implements Reconciler {

  /**
   * The finalizer. It keeps a deleted Tenant in the cluster until the operator has handled the
   * deletion.
   */
  static final String FINALIZER = "tenant.finalizers.multitenancy.example.com";

  private static final Logger log = LoggerFactory.getLogger(TenantReconciler.class);

  private final TenantMetrics metrics;
  private final TenantReports reports;

  private final Finalizers<Tenant> finalizers =
      Finalizers.<Tenant>none().with(FINALIZER, TenantReconciler::cleanUp);

  TenantReconciler(TenantMetrics metrics, TenantReports reports) {
    this.metrics = metrics;
    this.reports = reports;
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context) throws Exception {
    Client client = context.client();
    Optional<Tenant> found = client.get(Tenant.class, request.key());
    if (found.isEmpty()) {
      return Result.done(); // the Tenant was deleted, so nothing is left to do
    }
    Finalization<Tenant> life = finalized(client, found.get());
    if (life.deleting()) {
      return life.result();
    }
    Tenant tenant = life.object();
    boolean updated;
    try {
      updated = reconcile(client, tenant);
    } catch (ConflictException e) {
      throw e; // another client changed the object, and the retry reads the change
    } catch (Exception e) {
      log.error("unable to reconcile: name={}", request.name());
      reports.failed(client, tenant, e);
      throw e;
    }
    reports.ready(client, tenant, updated);
    return Result.done();
  }

  /**
   * Runs the finalizers. If the API server rejects an update as invalid, this method reports the
   * failure in the Tenant's status. This can happen with a Tenant that was created before the
   * current schema and violates it: the server then rejects every update, even one that only adds a
   * finalizer.
   *
   * @throws TerminalException if the API server rejects an update as invalid
   */
  private Finalization<Tenant> finalized(Client client, Tenant tenant) throws Exception {
    try {
      return finalizers.run(client, tenant);
    } catch (InvalidException e) {
      log.error("unable to reconcile: name={}", tenant.getMetadata().getName());
      reports.failed(client, tenant, e);
      throw new TerminalException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Reconciles the Namespaces, roles and bindings, and returns whether anything has changed. This
   * method stops at the first failure, because a RoleBinding requires its Namespace.
   */
  private boolean reconcile(Client client, Tenant tenant) throws TerminalException {
    TenantPlan wanted = TenantPlan.of(tenant);
    try {
      boolean namespacesUpdated = new TenantNamespaces(client, metrics).reconcile(tenant, wanted);
      boolean rbacUpdated = new TenantRbac(client).reconcile(tenant, wanted);
      return namespacesUpdated || rbacUpdated;
    } catch (InvalidException e) {
      // The server rejected an object, such as a Namespace with an invalid name. Only a change of
      // the Tenant can fix this.
      throw new TerminalException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Does nothing, because the garbage collector deletes the objects that the Tenant owns. */
  private static Result cleanUp(Tenant tenant) {
    log.info("the tenant is being deleted: name={}", tenant.getMetadata().getName());
    return Result.done();
  }
}
