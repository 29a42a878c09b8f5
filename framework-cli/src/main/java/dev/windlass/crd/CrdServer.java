// SPDX-License-Identifier: Apache-2.0
package dev.windlass.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of a {@link CrdInstallation} to the API server. All methods throw {@link
 * io.fabric8.kubernetes.client.KubernetesClientException} if the request fails.
 */
interface CrdServer {

  /**
   * Applies a CRD using server-side apply.
   *
   * @param force whether to take over fields that other managers have set to different values
   */
  void apply(CustomResourceDefinition crd, boolean force);

  /** Returns the CRD with this name, or null if it does not exist. */
  @Nullable CustomResourceDefinition get(String name);

  /**
   * Returns the plural names of the resources that the server serves in an API version.
   *
   * @param apiVersion the group and the version, such as {@code example.com/v1}
   */
  Set<String> resources(String apiVersion);
}
