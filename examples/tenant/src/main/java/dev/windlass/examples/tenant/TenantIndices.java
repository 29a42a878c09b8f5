// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.client.ListParams;
import dev.windlass.informer.index.IndexFunction;
import dev.windlass.manager.Manager;
import dev.windlass.object.CachedObject;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.util.Collection;
import java.util.List;

/** The indices that the operator uses to look up objects in its caches. */
final class TenantIndices {

  /**
   * The name of the index that finds objects by the name of the Tenant that controls them. The name
   * resembles a field path, but this does not affect the content of the index.
   */
  static final String OWNER_CONTROLLER_FIELD = ".metadata.ownerReference.controller";

  /** The name of the index that finds Tenants by the status of their condition Ready. */
  static final String CONDITION_READY_FIELD = ".status.conditions.ready";

  private static final IndexFunction<Namespace> NAMESPACES = TenantIndices::owner;
  private static final IndexFunction<ClusterRole> ROLES = TenantIndices::owner;
  private static final IndexFunction<Tenant> READY = TenantIndices::ready;

  private TenantIndices() {}

  /** Adds all indices. Call this method before the manager starts. */
  static void addTo(Manager manager) {
    manager.cache(Namespace.class).indexer().addIndex(OWNER_CONTROLLER_FIELD, NAMESPACES);
    manager.cache(ClusterRole.class).indexer().addIndex(OWNER_CONTROLLER_FIELD, ROLES);
    manager.cache(Tenant.class).indexer().addIndex(CONDITION_READY_FIELD, READY);
  }

  /**
   * Returns parameters that select the objects whose controller is a Tenant with the name of the
   * given Tenant. The result can include objects of an earlier Tenant with the same name.
   */
  static ListParams controlledBy(Tenant tenant) {
    return ListParams.ALL.withIndex(OWNER_CONTROLLER_FIELD, tenant.getMetadata().getName());
  }

  /** Returns parameters that select the Tenants whose condition Ready has the given status. */
  static ListParams withReady(String status) {
    return ListParams.ALL.withIndex(CONDITION_READY_FIELD, status);
  }

  /**
   * Returns the name of the Tenant that controls an object, if there is one. This function reads
   * only the metadata, so the cache need not decode the object.
   */
  static <T extends HasMetadata> Collection<String> owner(CachedObject<T> object) {
    return object
        .controllerOwner()
        .filter(owner -> owner.group().equals(Tenant.GROUP) && owner.kind().equals("Tenant"))
        .map(owner -> List.of(owner.name()))
        .orElse(List.of());
  }

  /**
   * Returns the status of the condition Ready, if the condition exists. This function requires the
   * cache to decode each version of a Tenant once.
   */
  static Collection<String> ready(CachedObject<Tenant> tenant) {
    TenantStatus status = tenant.readOnly().getStatus();
    return status == null
        ? List.of()
        : status.getConditions().stream()
            .filter(condition -> condition.getType().equals(TenantStatus.READY))
            .map(Condition::getStatus)
            .toList();
  }
}
