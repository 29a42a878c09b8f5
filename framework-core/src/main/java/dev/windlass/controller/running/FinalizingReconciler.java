// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.client.owned.Finalization;
import dev.windlass.client.owned.Finalizers;
import dev.windlass.controller.reconcile.ErrorPolicy;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A reconciler that manages finalizers on behalf of another reconciler. It adds the finalizers to
 * each object before the first reconcile. While an object is being deleted, it calls the clean-ups
 * instead of the other reconciler.
 *
 * @param objects reads the objects that requests identify
 * @param cleanUps the clean-ups, keyed by finalizer name, in the order in which they run
 * @param reconciler the other reconciler
 */
public record FinalizingReconciler<T extends HasMetadata>(
    PrimaryReader<T> objects,
    Map<String, ObjectReconciler<? super T>> cleanUps,
    Reconciler reconciler)
    implements Reconciler {

  @Override
  public Result reconcile(Request request, ReconcileContext context) throws Exception {
    Optional<T> object = objects.get(request);
    if (object.isPresent()) {
      Finalization<T> state = finalizers(context).run(context.client(), object.get());
      if (state.deleting()) {
        return state.result();
      }
    }
    return reconciler.reconcile(request, context);
  }

  private Finalizers<T> finalizers(ReconcileContext context) {
    Finalizers<T> all = Finalizers.none();
    for (Map.Entry<String, ObjectReconciler<? super T>> entry : cleanUps.entrySet()) {
      ObjectReconciler<? super T> cleanUp = entry.getValue();
      all = all.with(entry.getKey(), object -> cleanUp.reconcile(object, context));
    }
    return all;
  }

  /**
   * Returns a policy that rethrows the exception of a clean-up if the given policy would end the
   * retries. Only a {@link TerminalException} of the clean-up itself ends them.
   *
   * @param names the names of the finalizers
   */
  public static ErrorPolicy retrying(
      PrimaryReader<?> objects, Set<String> names, ErrorPolicy policy) {
    return (request, error, context) -> {
      boolean mayEnd = isTerminal(error);
      try {
        Result answer = policy.onError(request, error, context);
        if (mayEnd || answer == null || !answer.isDone() || !isCleanUp(objects, request, names)) {
          return answer;
        }
      } catch (Exception e) {
        if (mayEnd || !isTerminal(e) || !isCleanUp(objects, request, names)) {
          throw e;
        }
      }
      throw error;
    };
  }

  private static boolean isTerminal(Exception error) {
    return new ReconcileFailure(error).isTerminal();
  }

  private static boolean isCleanUp(PrimaryReader<?> objects, Request request, Set<String> names)
      throws TerminalException {
    return objects
        .get(request)
        .filter(HasMetadata::isMarkedForDeletion)
        .map(object -> object.getMetadata().getFinalizers())
        .filter(found -> found.stream().anyMatch(names::contains))
        .isPresent();
  }

  @Override
  public String toString() {
    return reconciler.toString();
  }
}
