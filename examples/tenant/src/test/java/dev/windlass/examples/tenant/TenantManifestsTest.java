// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The objects that the operator prints. */
final class TenantManifestsTest {

  @Test
  void printsTheServiceAndTheConfigurationsOfItsWebhooks() {
    StringWriter printed = new StringWriter();
    int code =
        new TenantOperator()
            .commandLine()
            .setOut(new PrintWriter(printed))
            .execute(
                "--print-manifests",
                "--webhook-service=tenant-operator",
                "--webhook-namespace=tenant-system");
    assertThat(code).isZero();
    assertThat(printed.toString())
        .contains(
            "kind: \"ClusterRole\"",
            "kind: \"Service\"",
            "app: \"tenant-operator\"",
            "kind: \"ValidatingWebhookConfiguration\"",
            "kind: \"MutatingWebhookConfiguration\"");
  }
}
