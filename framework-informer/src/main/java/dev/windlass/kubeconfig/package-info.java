// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: creates the client configuration, which contains the address of the API server and the
 * credentials.
 *
 * <p>The package reads kubeconfig files, the program's settings, and a Pod's ServiceAccount. It
 * creates a {@link io.fabric8.kubernetes.client.Config} that renews tokens by reading their files
 * again or by running exec plugins. If the package cannot create the configuration, it throws an
 * exception that names the file and states the remedy. Start with {@link
 * dev.windlass.kubeconfig.ClientConfig}.
 */
@NullMarked
package dev.windlass.kubeconfig;

import org.jspecify.annotations.NullMarked;
