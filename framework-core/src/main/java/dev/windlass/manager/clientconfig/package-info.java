// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the client configuration, that is, the address of the API server and the credentials.
 *
 * <p>The package reads kubeconfig files, the program's settings, and a Pod's ServiceAccount. It
 * creates a {@link io.fabric8.kubernetes.client.Config} whose tokens are renewed from files and
 * exec plugins. If the package cannot create the configuration, it throws an exception that names
 * the file and the remedy. Start with {@link dev.windlass.manager.clientconfig.ClientConfig}.
 */
@NullMarked
package dev.windlass.manager.clientconfig;

import org.jspecify.annotations.NullMarked;
