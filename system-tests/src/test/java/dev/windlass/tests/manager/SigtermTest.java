// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Samples;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real SIGTERM, sent to this very process, while a reconcile runs. */
final class SigtermTest {

  private static final String NAMESPACE = "default";

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();

  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final CountDownLatch inReconcile = new CountDownLatch(1);
  private final CountDownLatch signalled = new CountDownLatch(1);

  /** The running reconcile ends and its write arrives; no other begins. */
  @Test
  @Timeout(60)
  void letsTheRunningReconcileEndAndBeginsNoOther() throws Exception {
    try (KubernetesClient kubectl = server.newClient();
        Manager manager = Manager.builder().config(server.clientConfig()).build()) {
      ControllerBuilder.forType(ConfigMap.class, event -> event.key().name().startsWith("sig-"))
          .reconciler(
              (request, context) -> {
                begun.add(request.name());
                inReconcile.countDown();
                assertThat(signalled.await(30, TimeUnit.SECONDS)).isTrue();
                // the manager cancels one controller after another
                Eventually.stuckUntil(context::isCancelled);
                ConfigMap read = manager.client().get(ConfigMap.class, request.key()).orElseThrow();
                read.setData(Map.of("written", "after the signal"));
                manager.client().update(read);
                return Result.requeueWithBackoff();
              })
          .register(manager);
      CompletableFuture<Boolean> run =
          CompletableFuture.supplyAsync(manager::run, task -> new Thread(task).start());
      create(kubectl, "sig-1");
      inReconcile.await();
      create(kubectl, "sig-2"); // may wait in the queue by now, or not; it must not begin

      raise("TERM");
      Eventually.stuckUntil(() -> manager.isStopping());
      signalled.countDown();

      assertThat(run.get(30, TimeUnit.SECONDS)).as("ended in time").isTrue();
      assertThat(begun).containsExactly("sig-1");
      assertThat(kubectl.configMaps().inNamespace(NAMESPACE).withName("sig-1").get().getData())
          .containsEntry("written", "after the signal");
      kubectl.configMaps().inNamespace(NAMESPACE).withName("sig-1").delete();
      kubectl.configMaps().inNamespace(NAMESPACE).withName("sig-2").delete();
    }
  }

  private static void create(KubernetesClient kubectl, String name) {
    kubectl.resource(Samples.map(NAMESPACE, name)).create();
  }

  private static void raise(String signal) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Signal");
    type.getMethod("raise", type)
        .invoke(null, type.getConstructor(String.class).newInstance(signal));
  }
}
