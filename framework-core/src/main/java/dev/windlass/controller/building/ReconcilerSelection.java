// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.client.Client;
import dev.windlass.client.owned.Finalizers;
import dev.windlass.controller.reconcile.ErrorPolicy;
import dev.windlass.controller.reconcile.ObjectErrorPolicy;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.failure.CauseChain;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reconciler and the finalizers that were passed to a builder. The reconciler is a {@code
 * Reconciler}, which receives requests, or an {@link ObjectReconciler}, which receives objects.
 */
public final class ReconcilerSelection<T extends HasMetadata> {

  private final Map<String, ObjectReconciler<? super T>> finalizers = new LinkedHashMap<>();
  private Finalizers<T> names = Finalizers.none();
  private @Nullable Reconciler ofRequests;
  private @Nullable ObjectReconciler<? super T> ofObjects;
  private @Nullable ObjectErrorPolicy<? super T> onError;

  public void ofRequests(@Nullable Reconciler other) {
    ofRequests = other;
  }

  public void ofObjects(@Nullable ObjectReconciler<? super T> other) {
    ofObjects = other;
  }

  public void onError(@Nullable ObjectErrorPolicy<? super T> other) {
    onError = other;
  }

  /**
   * Adds a finalizer with its clean-up.
   *
   * @throws IllegalArgumentException if the name is invalid or already registered
   */
  public void finalizer(String name, ObjectReconciler<? super T> cleanUp) {
    names = names.with(name, object -> Result.done());
    finalizers.put(name, cleanUp);
  }

  /**
   * Returns a description of the first error in the selection, or empty if the selection is valid.
   * The description completes a sentence that begins with the name of the controller.
   *
   * @param hasPrimary whether there is a primary type
   * @param metadataOnly whether only the objects' metadata is available
   * @param policy the builder's policy for failed requests
   */
  Optional<String> misuse(boolean hasPrimary, boolean metadataOnly, ErrorPolicy policy) {
    if (ofRequests == null && ofObjects == null) {
      return Optional.of(
          "has no reconciler: call "
              + (hasPrimary ? "objectReconciler(...) or " : "")
              + "reconciler(...)");
    }
    if (ofRequests != null && ofObjects != null) {
      return Optional.of(
          "has two reconcilers: call reconciler(...) or objectReconciler(...), not both");
    }
    if (onError != null && policy != ErrorPolicy.DEFAULT) {
      return Optional.of("has two policies: call errorPolicy(...) or onError(...), not both");
    }
    Optional<String> needsObjects = needsObjects();
    if (needsObjects.isPresent() && !hasPrimary) {
      return Optional.of(
          "has no primary type, but "
              + needsObjects.get()
              + " needs its objects: call reconciler(...) only");
    }
    return needsObjects.isPresent() && metadataOnly
        ? Optional.of(
            "has "
                + needsObjects.get()
                + ", which needs whole objects, but watches their metadata"
                + " only: call reconciler(...), or watch with Projection.STRIPPED")
        : Optional.empty();
  }

  /**
   * Returns the name of a builder call that requires complete objects, or empty if there is no such
   * call.
   */
  private Optional<String> needsObjects() {
    if (ofObjects != null) {
      return Optional.of("an objectReconciler(...)");
    }
    if (onError != null) {
      return Optional.of("onError(...)");
    }
    return finalizers.isEmpty() ? Optional.empty() : Optional.of("a finalizer(...)");
  }

  /**
   * Returns the reconciler that was passed to the builder. If there are finalizers, returns a
   * wrapper of this reconciler that also manages the finalizers.
   *
   * @param sources the sources whose caches contain the primary objects
   * @param client a client without caches
   */
  Reconciler on(WatchSelection.Sources sources, Client client) {
    Reconciler requests = ofRequests;
    ObjectReconciler<? super T> objects = ofObjects;
    if (objects == null && finalizers.isEmpty()) {
      return Objects.requireNonNull(requests);
    }
    ObjectsReconciler.Next<T> next =
        objects == null
            ? (request, object, context) ->
                Objects.requireNonNull(requests).reconcile(request, context)
            : (request, object, context) ->
                object.isEmpty() ? Result.done() : objects.reconcile(object.get(), context);
    return new ObjectsReconciler<>(primary(sources, client), new LinkedHashMap<>(finalizers), next);
  }

  /**
   * Returns the policy for failed requests: the builder's {@link ObjectErrorPolicy}, which receives
   * the object, or the given policy. Neither can end the retries of a clean-up.
   */
  ErrorPolicy errorPolicy(ErrorPolicy given, WatchSelection.Sources sources, Client client) {
    ObjectErrorPolicy<? super T> policy = onError;
    if (policy == null && (finalizers.isEmpty() || given == ErrorPolicy.DEFAULT)) {
      return given;
    }
    PrimaryReader<T> objects = primary(sources, client);
    ErrorPolicy chosen =
        policy == null
            ? given
            : (request, error, context) -> {
              Optional<T> object = read(objects, request, error);
              if (object.isEmpty()) {
                throw error;
              }
              return policy.onError(object.get(), error, context);
            };
    return finalizers.isEmpty()
        ? chosen
        : retrying(objects, Set.copyOf(finalizers.keySet()), chosen);
  }

  /**
   * Returns a policy that rethrows the exception of a clean-up if the given policy would end the
   * retries. Only a {@link TerminalException} of the clean-up itself ends them.
   */
  private static ErrorPolicy retrying(
      PrimaryReader<?> objects, Set<String> names, ErrorPolicy policy) {
    return (request, error, context) -> {
      boolean mayEnd = CauseChain.contains(error, TerminalException.class);
      try {
        Result answer = policy.onError(request, error, context);
        if (mayEnd || answer == null || !answer.isDone() || !isCleanUp(objects, request, names)) {
          return answer;
        }
      } catch (Exception e) {
        if (mayEnd
            || !CauseChain.contains(e, TerminalException.class)
            || !isCleanUp(objects, request, names)) {
          throw e;
        }
      }
      throw error;
    };
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

  private static <T extends HasMetadata> Optional<T> read(
      PrimaryReader<T> objects, Request request, Exception error) throws Exception {
    try {
      return objects.get(request);
    } catch (RuntimeException | TerminalException e) {
      error.addSuppressed(e);
      throw error;
    }
  }

  @SuppressWarnings("unchecked") // the primary watch is for type T
  private PrimaryReader<T> primary(WatchSelection.Sources sources, Client client) {
    WatchSelection.Sources.Watched<T> watched =
        (WatchSelection.Sources.Watched<T>) sources.primary().orElseThrow();
    return new PrimaryReader<>(watched.source(), new LiveReader<>(client, watched.spec()));
  }
}
