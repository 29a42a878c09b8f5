// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.owned.Finalization;
import dev.windlass.client.owned.Finalizers;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.tests.owned.Widget;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
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

  private static final class WidgetReconciler {
    private final Buckets buckets;

    WidgetReconciler(Buckets buckets) {
      this.buckets = buckets;
    }

    void register(Manager manager) {
      // sample: reconcile
      ControllerBuilder.forType(Widget.class)
          .finalizer("example.com/bucket", this::deleteBucket)
          .objectReconciler(this::createBucket)
          .register(manager);
      // end
    }

    // sample: methods
    private Result createBucket(Widget widget, ReconcileContext context) {
      buckets.createIfAbsent(widget.getMetadata().getUid()); // the widget carries the name by now
      return Result.done();
    }

    private Result deleteBucket(Widget widget, ReconcileContext context) {
      boolean gone = buckets.deleteAndTellWhetherGone(widget.getMetadata().getUid());
      return gone ? Result.done() : Result.requeueAfter(Duration.ofSeconds(10));
    }

    // end
  }

  private static final class ByHand {
    private final Buckets buckets;

    ByHand(Buckets buckets) {
      this.buckets = buckets;
    }

    // sample: by-hand
    private final Finalizers<Widget> finalizers =
        Finalizers.<Widget>none().with("example.com/bucket", this::deleteBucket);

    Result reconcile(Widget widget, ReconcileContext context) throws Exception {
      Finalization<Widget> state = finalizers.run(context.client(), widget);
      if (state.deleting()) {
        return state.result();
      }
      buckets.createIfAbsent(state.object().getMetadata().getUid()); // it carries the name now
      return Result.done();
    }

    private Result deleteBucket(Widget widget) {
      buckets.deleteAndTellWhetherGone(widget.getMetadata().getUid());
      return Result.done();
    }

    // end
  }

  @AutoClose private final GuideServer server = new GuideServer();

  @Test
  void deletesTheBucketBeforeTheWidgetGoes() {
    Buckets buckets = new Buckets();
    new WidgetReconciler(buckets).register(server.manager);
    assertCleansUp(buckets);
  }

  @Test
  void doesTheSameByHand() {
    Buckets buckets = new Buckets();
    ControllerBuilder.forType(Widget.class)
        .usesFinalizers()
        .objectReconciler(new ByHand(buckets)::reconcile)
        .register(server.manager);
    assertCleansUp(buckets);
  }

  private void assertCleansUp(Buckets buckets) {
    server.manager.start();
    Widget widget = server.create("w");
    await().until(() -> buckets.names.contains(widget.getMetadata().getUid()));
    assertThat(server.get("w").getMetadata().getFinalizers()).containsExactly("example.com/bucket");
    server.kubectl.resource(widget).delete();
    await().until(() -> server.kubectl.resource(widget).get() == null);
    assertThat(buckets.names).isEmpty();
  }

  /** In the order of the calls; one that is not done, or fails, holds up those after it. */
  @Test
  void cleansUpInOrder() {
    Queue<String> calls = new ConcurrentLinkedQueue<>();
    Controller controller =
        ControllerBuilder.forType(Widget.class)
            .finalizer("example.com/first", (widget, context) -> first(calls, context))
            .finalizer(
                "example.com/second",
                (widget, context) -> {
                  calls.add("second");
                  return Result.done();
                })
            .reconciler((request, context) -> Result.done()) // of requests: that goes as well
            .register(server.manager);
    assertThat(controller.permissions().yaml("w")).contains("patch");
    server.manager.start();
    Widget widget = server.create("w");
    await()
        .until(
            () ->
                server
                    .get("w")
                    .getMetadata()
                    .getFinalizers()
                    .equals(List.of("example.com/first", "example.com/second")));
    server.kubectl.resource(widget).delete();
    await().until(() -> server.kubectl.resource(widget).get() == null);
    assertThat(calls).containsExactly("first 0", "first 1", "first 2", "second");
  }

  private static Result first(Queue<String> calls, ReconcileContext context) {
    int before = calls.size();
    calls.add("first " + before);
    assertThat(context.client()).isNotNull();
    if (before == 0) {
      throw new IllegalStateException("the bucket store is down");
    }
    return before == 1 ? Result.requeueAfter(Duration.ZERO) : Result.done();
  }
}
