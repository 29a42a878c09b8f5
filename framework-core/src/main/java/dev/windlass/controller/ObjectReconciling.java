// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.CachedObject;
import java.util.Optional;

/** Reads the object of a request from the cache, for a reconciler that wants to be given it. */
final class ObjectReconciling<T> implements Reconciler {

  private final InformerSource<T> objects;
  private final ObjectReconciler<? super T> reconciler;

  ObjectReconciling(InformerSource<T> objects, ObjectReconciler<? super T> reconciler) {
    this.objects = objects;
    this.reconciler = reconciler;
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context) throws Exception {
    Optional<CachedObject<T>> found = objects.indexer().get(request.key());
    if (found.isEmpty()) {
      return Result.done();
    }
    return reconciler.reconcile(found.get().decode(), context);
  }

  @Override
  public String toString() {
    return reconciler.toString();
  }
}
