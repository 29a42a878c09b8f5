// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.connection;

import dev.windlass.client.Client;
import dev.windlass.leader.Fence;
import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * The clients for reconcilers. Within a reconcile, their writes must pass the fence of the running
 * controller. Outside reconciles, their writes must pass the manager's fence.
 *
 * @param fence a fence that delegates to one of these two fences, depending on the current thread
 * @param kubernetesClient the fabric8 client that sends the requests
 * @param client the client that reads from the caches
 */
public record ReconcilerClients(Fence fence, KubernetesClient kubernetesClient, Client client) {}
