// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.connection;

import dev.windlass.client.Client;
import dev.windlass.leader.Fence;
import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * The clients for reconcilers. Within a reconcile, writes must pass the fence of the running
 * controller. Outside reconciles, they must pass the manager's fence.
 *
 * @param fence the fence that delegates to the controller's or the manager's fence, depending on
 *     the current thread
 * @param kubernetesClient the fabric8 client that sends the requests
 * @param client the client that reads from the caches
 */
public record ReconcilerClients(Fence fence, KubernetesClient kubernetesClient, Client client) {}
