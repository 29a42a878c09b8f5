// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.ApiException;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.Informer;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The API version that an operator uses is not served for a while (docs/reliability.md, F2). */
final class ServedVersionsIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  private static ConditionFactory within(Duration limit) {
    return eventually().atMost(limit).ignoreExceptions();
  }

  private static void serve(KubernetesClient kubectl, boolean served) {
    kubectl
        .resources(CustomResourceDefinition.class)
        .withName("widgets.owned.windlass.dev")
        .edit(
            crd -> {
              crd.getSpec().getVersions().get(0).setServed(served);
              return crd;
            });
  }

  @Test
  void saysThatTheTypeIsUnknownAndGoesOnWhenItIsServedAgain() {
    kubernetes.server().install(Widget.definition());
    Queue<String> reconciled = new ConcurrentLinkedQueue<>();
    try (KubernetesClient kubectl = kubernetes.server().newClient();
        Manager manager = Manager.builder().client(kubectl).build()) {
      ControllerBuilder.forType(Widget.class)
          .reconciler(
              (request, context) -> {
                reconciled.add(request.key().name());
                return Result.done();
              })
          .register(manager);
      Informer<Widget> widgets = manager.cache(Widget.class);
      kubectl.resource(Widget.of("default", "before")).create();
      manager.start();
      within(Duration.ofSeconds(30)).until(() -> reconciled.contains("before"));

      serve(kubectl, false);
      within(Duration.ofSeconds(60))
          .until(
              () ->
                  widgets
                      .problem()
                      .filter(t -> t.reason() == FeedFailure.Reason.UNKNOWN_TYPE)
                      .isPresent());
      assertThat(manager.client().get(Widget.class, ObjectKey.of("default", "before")))
          .as("the copy stays readable")
          .isPresent();
      assertThat(writeFails(manager)).as("told apart by its type").isTrue();
      assertThat(manager.failure()).isEmpty();

      serve(kubectl, true);
      within(Duration.ofSeconds(60))
          .until(
              () ->
                  kubectl.resource(Widget.of("default", "after")).create().getMetadata().getUid()
                      != null);
      within(Duration.ofSeconds(45)).until(() -> reconciled.contains("after"));
      within(Duration.ofSeconds(45)).until(() -> widgets.problem().isEmpty());
      kubectl.resource(Widget.of("default", "before")).delete();
      kubectl.resource(Widget.of("default", "after")).delete();
    }
  }

  private static boolean writeFails(Manager manager) {
    try {
      manager.client().create(Widget.of("default", "meanwhile"));
      return false;
    } catch (ApiException e) {
      assertThat(e.getCode()).isEqualTo(404);
      return true;
    }
  }
}
