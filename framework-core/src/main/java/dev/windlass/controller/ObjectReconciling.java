// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.ObjectKey;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the object of a request for a reconciler that wants to be given it: from the cache with the
 * process's own writes, as {@code Client.get} does, and from the server where these are not known.
 */
final class ObjectReconciling<T> implements Reconciler {

  private final InformerSource<T> objects;
  private final Function<ObjectKey, Optional<T>> server;
  private final ObjectReconciler<? super T> reconciler;

  /**
   * A reconciler of objects.
   *
   * @param server reads one of them from the server
   */
  ObjectReconciling(
      InformerSource<T> objects,
      Function<ObjectKey, Optional<T>> server,
      ObjectReconciler<? super T> reconciler) {
    this.objects = objects;
    this.server = server;
    this.reconciler = reconciler;
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context) throws Exception {
    Optional<T> found = objects.get(request.key(), server);
    return found.isEmpty() ? Result.done() : reconciler.reconcile(found.get(), context);
  }

  @Override
  public String toString() {
    return reconciler.toString();
  }
}
