// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import static dev.windlass.testsupport.Patience.eventually;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A {@link WebhookReplica} in a process of its own, which ends with its input. */
final class WebhookProgram {

  /** How long a call takes, so that there are always some on the wire. */
  private static final int CALL_MILLIS = 500;

  private WebhookProgram() {}

  /** Takes the kubeconfig, the name of the replica, and the address of all replicas. */
  @SuppressWarnings("SystemOut") // its output is what the test reads
  public static void main(String[] arguments) throws IOException {
    Config config = Config.fromKubeconfig(Path.of(arguments[0]).toFile());
    try (KubernetesClient kubectl = new KubernetesClientBuilder().withConfig(config).build();
        WebhookReplica replica =
            WebhookReplica.started(
                arguments[1],
                config,
                arguments[2],
                builder ->
                    builder.validate(
                        AdmissionLoad.rule(),
                        request -> {
                          var unused = new CountDownLatch(1).await(CALL_MILLIS, MILLISECONDS);
                          return Verdict.allow();
                        }))) {
      replica.install(kubectl);
      // A Service sends requests to a replica once it is ready.
      eventually().until(() -> replica.problem().isEmpty());
      System.out.println("@@ port " + replica.port());
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
