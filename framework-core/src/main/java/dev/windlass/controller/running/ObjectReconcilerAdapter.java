// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * A {@link Reconciler} that reads the object of a request and passes it to an {@link
 * ObjectReconciler}.
 */
public record ObjectReconcilerAdapter<T extends HasMetadata>(
    PrimaryReader<T> objects, ObjectReconciler<? super T> reconciler) implements Reconciler {

  @Override
  public Result reconcile(Request request, ReconcileContext context) throws Exception {
    Optional<T> found = objects.get(request);
    return found.isEmpty() ? Result.done() : reconciler.reconcile(found.get(), context);
  }

  @Override
  public String toString() {
    return reconciler.toString();
  }
}
