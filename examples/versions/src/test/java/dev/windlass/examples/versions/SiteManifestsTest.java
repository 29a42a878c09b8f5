// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.versions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.testsupport.Manifests;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ServiceReference;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfig;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that run the operator in a cluster. */
final class SiteManifestsTest {

  @TempDir private Path folder;

  /** The CRD on the class path has a URL, for a program outside of the cluster. */
  @Test
  void crdConvertsBehindTheService() throws IOException {
    assertThat(Manifests.write(new SiteOperator(), folder, "versions-system"))
        .filteredOn(object -> object.getKind().equals("CustomResourceDefinition"))
        .filteredOn(object -> object.getMetadata().getName().startsWith("sites."))
        .singleElement()
        .isInstanceOfSatisfying(
            CustomResourceDefinition.class,
            crd -> {
              assertThat(crd.getSpec().getVersions()).hasSize(2);
              WebhookClientConfig client =
                  crd.getSpec().getConversion().getWebhook().getClientConfig();
              assertThat(client.getUrl()).isNull();
              assertThat(client.getService())
                  .isEqualTo(
                      new ServiceReference("sites-operator", "versions-system", "/convert", 443));
            });
  }
}
