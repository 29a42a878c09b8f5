// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.manager;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.FailureCause;
import dev.windlass.failure.RequiredPermission;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Widget;
import dev.windlass.testsupport.Page;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What keeps a cache from syncing stands in {@code /readyz?verbose}, with what to do about it. */
@Timeout(60)
final class ReadinessOnEmbeddedTest {

  private static final String WIDGETS = "widgets.owned.windlass.dev";

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final Manager manager =
      Manager.builder()
          .config(server.clientConfig())
          .checkPermissions(false)
          .healthProbeBindAddress("127.0.0.1:0")
          .build();

  @AfterEach
  void stops() {
    manager.close();
    server.close();
  }

  private void forbid(String resource) {
    server.fail(request -> request.resource().equals(resource), 403, Integer.MAX_VALUE);
  }

  private <T extends HasMetadata> void control(Class<T> type) {
    ControllerBuilder.forType(type)
        .reconciler((request, context) -> Result.done())
        .register(manager);
  }

  private String readiness() {
    Page page = Page.get(manager.endpoints().probePort().orElseThrow(), "/readyz?verbose");
    return page.code() + "\n" + page.body();
  }

  private static String line(String text, String check) {
    return text.lines().filter(line -> line.contains("]" + check + " ")).findFirst().orElse("none");
  }

  private static String lacks(String resource) {
    return FailureAdvice.of(FailureCause.FORBIDDEN)
        .about(new RequiredPermission(List.of("list", "watch"), resource, "", ""))
        .toString();
  }

  @Test
  void namesTheRightThatACacheLacksAndRecoversWhenItIsGiven() {
    forbid("configmaps");
    control(ConfigMap.class);
    manager.start();
    eventually()
        .untilAsserted(
            () -> {
              String text = readiness();
              assertThat(text).startsWith("500\n");
              assertThat(line(text, "caches"))
                  .startsWith("[-]caches failed: configmaps (not synced: " + lacks("configmaps"));
              assertThat(line(text, "controller-configmap"))
                  .startsWith("[-]controller-configmap failed: not synced: ")
                  .contains(lacks("configmaps"));
            });
    server.healFaults();
    eventually().untilAsserted(() -> assertThat(readiness()).startsWith("200\n"));
  }

  @Test
  void namesTheTypeWhoseDefinitionIsMissingAndRecoversWhenItIsInstalled() {
    control(Widget.class);
    manager.start();
    String advice = FailureAdvice.of(FailureCause.UNKNOWN_TYPE).toString();
    eventually()
        .untilAsserted(
            () -> {
              String text = readiness();
              assertThat(text).startsWith("500\n");
              assertThat(line(text, "caches"))
                  .startsWith("[-]caches failed: " + WIDGETS + " (not synced: " + advice);
              assertThat(line(text, "controller-widget")).contains("not synced: ", advice);
            });
    try (KubernetesClient kubectl = server.newClient()) {
      kubectl.resource(Widget.definition()).create();
    }
    eventually().untilAsserted(() -> assertThat(readiness()).startsWith("200\n"));
  }

  /** What is wrong with the last must not be cut off for what is wrong with the first. */
  @Test
  void namesTheCauseOfEachCacheOfSeveral() {
    List.of("configmaps", "secrets", "services").forEach(this::forbid);
    manager.cache(ConfigMap.class);
    manager.cache(Secret.class);
    manager.cache(Service.class);
    manager.start();
    eventually()
        .untilAsserted(
            () ->
                assertThat(line(readiness(), "caches"))
                    .contains(lacks("configmaps"), lacks("secrets"), lacks("services")));
  }
}
