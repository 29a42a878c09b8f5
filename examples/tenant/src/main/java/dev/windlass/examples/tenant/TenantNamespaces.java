// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.client.Client;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.NotControlledException;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.examples.tenant.Children.NotOwnedException;
import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the missing Namespaces of a Tenant and deletes those that the Tenant no longer requests.
 */
final class TenantNamespaces {

  private static final Logger log = LoggerFactory.getLogger(TenantNamespaces.class);

  private final Client client;
  private final TenantMetrics metrics;

  TenantNamespaces(Client client, TenantMetrics metrics) {
    this.client = client;
    this.metrics = metrics;
  }

  /**
   * Creates and deletes Namespaces until they match the plan.
   *
   * @param wanted the desired state
   * @return whether a Namespace was created or deleted
   */
  boolean reconcile(Tenant tenant, TenantPlan wanted) {
    boolean updated = false;
    Map<String, Namespace> unwanted = controlledBy(tenant);
    for (String name : wanted.namespaces()) {
      Namespace existing = unwanted.remove(name);
      if (existing == null) {
        create(tenant, name);
        updated = true;
      } else if (existing.isMarkedForDeletion()) {
        throw new IllegalStateException(
            "the namespace %s is being deleted; it is created again after that".formatted(name));
      }
    }
    for (Namespace namespace : unwanted.values()) {
      // A Namespace that is already being deleted needs no second request.
      updated |= !namespace.isMarkedForDeletion() && delete(namespace);
    }
    return updated;
  }

  private Map<String, Namespace> controlledBy(Tenant tenant) {
    Map<String, Namespace> found = new HashMap<>();
    for (Namespace namespace : fetch(tenant)) {
      // The index contains names only, so it can return children of an earlier Tenant of this name.
      if (OwnerReferences.isControlledBy(namespace, tenant)) {
        found.put(namespace.getMetadata().getName(), namespace);
      }
    }
    return found;
  }

  private List<Namespace> fetch(Tenant tenant) {
    try {
      return client.list(Namespace.class, TenantIndices.controlledBy(tenant));
    } catch (RuntimeException e) {
      log.error("unable to fetch namespaces");
      throw e;
    }
  }

  /**
   * Creates a Namespace. If an earlier call created the Namespace but the response was lost, this
   * method succeeds.
   */
  private void create(Tenant tenant, String name) {
    log.info("creating the new namespace: name={}", name);
    Namespace skeleton =
        new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build();
    try {
      CreateOrUpdate.createOrUpdate(client, skeleton, namespace -> Children.own(namespace, tenant));
    } catch (NotControlledException | NotOwnedException e) {
      log.error("unable to set owner reference: name={}", name);
      throw e;
    } catch (RuntimeException e) {
      log.error("unable to create the namespace: name={}", name);
      throw e;
    }
    metrics.addedNamespace();
  }

  private boolean delete(Namespace namespace) {
    String name = namespace.getMetadata().getName();
    log.info("deleting the new namespace: name={}", name);
    try {
      // Deletes only the state that was read, so a Namespace that was adopted since then remains.
      client.delete(Namespace.class, ObjectKey.of(name), DeleteParams.exactly(namespace));
    } catch (RuntimeException e) {
      log.error("unable to delete the namespace: name={}", name);
      throw e;
    }
    metrics.removedNamespace();
    return true;
  }
}
