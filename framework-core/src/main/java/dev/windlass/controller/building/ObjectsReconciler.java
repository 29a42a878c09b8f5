// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.client.owned.Finalization;
import dev.windlass.client.owned.Finalizers;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;

/**
 * A reconciler that reads the object of each request, manages its finalizers, and passes it on. It
 * adds the finalizers to each object before the first reconcile. While an object is being deleted,
 * it calls the clean-ups instead.
 *
 * @param objects reads the objects that requests identify
 * @param cleanUps the clean-ups, keyed by finalizer name, in the order in which they run
 * @param next reconciles what is not being deleted
 */
record ObjectsReconciler<T extends HasMetadata>(
    PrimaryReader<T> objects, Map<String, ObjectReconciler<? super T>> cleanUps, Next<T> next)
    implements Reconciler {

  /** Reconciles a request, with its object if that exists. */
  interface Next<T> {
    Result reconcile(Request request, Optional<T> object, ReconcileContext context)
        throws Exception;
  }

  @Override
  public Result reconcile(Request request, ReconcileContext context) throws Exception {
    Optional<T> found = objects.get(request);
    if (found.isEmpty() || cleanUps.isEmpty()) {
      return next.reconcile(request, found, context);
    }
    T object = found.get();
    Finalization<T> state = finalizers(context).run(context.client(), object);
    if (state.deleting()) {
      return state.result();
    }
    boolean isCurrent = state.object() == object; // otherwise in another form than in the cache
    return next.reconcile(request, isCurrent ? found : objects.get(request), context);
  }

  private Finalizers<T> finalizers(ReconcileContext context) {
    Finalizers<T> all = Finalizers.none();
    for (Map.Entry<String, ObjectReconciler<? super T>> entry : cleanUps.entrySet()) {
      ObjectReconciler<? super T> cleanUp = entry.getValue();
      all = all.with(entry.getKey(), object -> cleanUp.reconcile(object, context));
    }
    return all;
  }
}
