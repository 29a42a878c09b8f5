// SPDX-License-Identifier: Apache-2.0
package dev.windlass.crd;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of a {@link CrdInstallation} through a fabric8 client. This record is
 * immutable.
 *
 * @param client the fabric8 client
 * @param owner the field manager of the applied fields
 */
record HttpCrdServer(KubernetesClient client, String owner) implements CrdServer {

  @Override
  public void apply(CustomResourceDefinition crd, boolean force) {
    var applied = client.resource(crd).fieldManager(owner);
    if (force) {
      applied.forceConflicts().serverSideApply();
    } else {
      applied.serverSideApply();
    }
  }

  @Override
  public @Nullable CustomResourceDefinition get(String name) {
    return client.apiextensions().v1().customResourceDefinitions().withName(name).get();
  }

  @Override
  public Set<String> resources(String apiVersion) {
    APIResourceList served = client.getApiResources(apiVersion);
    return served == null
        ? Set.of()
        : served.getResources().stream().map(APIResource::getName).collect(Collectors.toSet());
  }
}
