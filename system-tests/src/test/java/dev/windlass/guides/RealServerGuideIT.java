// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.rbac.Verb;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testing.rbac.UsedPermissions;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The code of {@code docs/guides/testing.md} that needs a real server. */
@Timeout(300)
final class RealServerGuideIT {

  // sample: own
  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder());

  // end

  private static void register(Manager manager) {
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .uses(ConfigMap.class, Verb.CREATE, Verb.PATCH)
        .usesNoStatus()
        .objectReconciler(
            (widget, context) -> {
              ConfigMap wanted =
                  new ConfigMapBuilder()
                      .withNewMetadata()
                      .withNamespace(widget.getMetadata().getNamespace())
                      .withName(widget.getMetadata().getName())
                      .endMetadata()
                      .addToData("size", Integer.toString(widget.getSpec().getSize()))
                      .build();
              Owned.apply(manager.client(), widget, wanted);
              return Result.done();
            })
        .register(manager);
  }

  // sample: real
  @Test
  void makesAConfigMapOnARealServer() {
    UsedPermissions used = new UsedPermissions();
    kubernetes.server().install(Widget.definition());
    try (KubernetesClient kubectl = kubernetes.server().newClient();
        KubernetesClient client = used.client(kubernetes.clientConfig());
        Manager manager = Manager.builder().client(client).checkPermissions(false).build()) {
      register(manager);
      manager.start();
      kubectl.resource(Widget.of("default", "first")).create();
      awaitSize(kubectl, "1");
      kubectl
          .resource(Widget.of("default", "first"))
          .edit(
              widget -> {
                widget.getSpec().setSize(2);
                return widget;
              });
      awaitSize(kubectl, "2");
      used.assertMatch(manager.permissions()); // after everything that the operator does
    }
  }

  // end

  private static void awaitSize(KubernetesClient kubectl, String size) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              ConfigMap map = kubectl.configMaps().inNamespace("default").withName("first").get();
              return map != null && size.equals(map.getData().get("size"));
            });
  }

  @Test
  void outlivesItsServer() {
    RealApiServer server = kubernetes.server();
    server.install(Widget.definition());
    try (KubernetesClient kubectl = server.newClient();
        Manager manager = Manager.builder().config(server.clientConfig()).build()) {
      register(manager);
      manager.start();
      // sample: kill
      server.killApiServer(); // or pauseApiServer(), killEtcd(), pauseEtcd()
      server.startApiServer();
      // end
      kubectl.resource(Widget.of("default", "second")).create();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> kubectl.configMaps().inNamespace("default").withName("second").get() != null);
    }
  }

  @Test
  void runsAsAUser(@TempDir Path folder) throws IOException {
    RealApiServer server = kubernetes.server();
    // sample: user
    String kubeconfig = server.kubeconfigFor("widget-operator"); // may do nothing yet
    Path file = Files.writeString(folder.resolve("kubeconfig"), kubeconfig);
    Config config = server.userConfig("widget-operator"); // the same user, in the same process
    // end
    assertThat(file).content().contains("server: " + config.getMasterUrl().replaceAll("/$", ""));
  }
}
