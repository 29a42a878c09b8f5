// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.Client;
import dev.windlass.client.owned.Finalization;
import dev.windlass.client.owned.Finalizers;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.testing.owned.Widget;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/finalizers.md}. */
@Timeout(60)
final class FinalizersGuideTest {

  /** Something outside of the cluster. */
  private static final class Buckets {
    final Set<String> names = ConcurrentHashMap.newKeySet();

    void createIfAbsent(String name) {
      names.add(name);
    }

    boolean deleteAndTellWhetherGone(String name) {
      names.remove(name);
      return true;
    }
  }

  private static final class WidgetReconciler implements Reconciler {
    private final Client client;
    private final Buckets buckets;

    WidgetReconciler(Client client, Buckets buckets) {
      this.client = client;
      this.buckets = buckets;
    }

    // sample: reconcile
    private final Finalizers<Widget> finalizers =
        Finalizers.<Widget>none().with("example.com/bucket", this::deleteBucket);

    @Override
    public Result reconcile(Request request, ReconcileContext context) throws Exception {
      Optional<Widget> found = client.get(Widget.class, request.key());
      if (found.isEmpty()) {
        return Result.done();
      }
      Finalization<Widget> state = finalizers.run(client, found.get());
      if (state.deleting()) {
        return state.result();
      }
      Widget widget = state.object(); // carries the finalizer now
      buckets.createIfAbsent(widget.getMetadata().getUid());
      return Result.done();
    }

    private Result deleteBucket(Widget widget) {
      boolean gone = buckets.deleteAndTellWhetherGone(widget.getMetadata().getUid());
      return gone ? Result.done() : Result.requeueAfter(Duration.ofSeconds(10));
    }
    // end
  }

  private final GuideServer server = new GuideServer();

  @AfterEach
  void stops() {
    server.close();
  }

  @Test
  void deletesTheBucketBeforeTheWidgetGoes() {
    Buckets buckets = new Buckets();
    ControllerBuilder.forType(Widget.class)
        .reconciler(new WidgetReconciler(server.client, buckets))
        .register(server.manager);
    server.manager.start();
    Widget widget = server.create("w");
    await().until(() -> buckets.names.contains(widget.getMetadata().getUid()));
    assertThat(server.get("w").getMetadata().getFinalizers()).containsExactly("example.com/bucket");
    server.kubectl.resource(widget).delete();
    await().until(() -> server.kubectl.resource(widget).get() == null);
    assertThat(buckets.names).isEmpty();
  }
}
