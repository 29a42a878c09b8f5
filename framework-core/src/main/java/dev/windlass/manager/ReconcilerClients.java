// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.Client;
import dev.windlass.client.WriteScope;
import dev.windlass.leader.Fence;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.jspecify.annotations.Nullable;

/**
 * The clients of reconcilers. Within a reconcile, their writes pass the fence of the running
 * controller, and outside of reconciles that of the manager.
 *
 * @param fence the fence that their writes pass
 */
record ReconcilerClients(Fence fence, KubernetesClient kubernetesClient, Client client) {

  /**
   * Creates the clients of a manager.
   *
   * @param own the manager's leader group; null if it elects no leader
   */
  static ReconcilerClients of(LeaderGroupContext context, @Nullable LeaderGroup own) {
    Fence fence = WriteScope.fenceOr(own == null ? Fence.OPEN : own.fence());
    KubernetesClient guarded = context.guarded(fence);
    return new ReconcilerClients(fence, guarded, context.cached(guarded));
  }
}
