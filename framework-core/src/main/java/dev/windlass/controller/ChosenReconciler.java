// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.client.Client;
import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.events.EventRecorder;
import dev.windlass.informer.InformerSpec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The reconciler that a builder was given: one of two kinds. */
final class ChosenReconciler<T extends HasMetadata> {

  private @Nullable Reconciler ofRequests;
  private @Nullable ObjectReconciler<? super T> ofObjects;

  void ofRequests(@Nullable Reconciler other) {
    ofRequests = other;
  }

  void ofObjects(@Nullable ObjectReconciler<? super T> other) {
    ofObjects = other;
  }

  /**
   * What is wrong with the choice, as a sentence about the controller; empty if nothing is.
   *
   * @param metadataOnly whether the objects can't be read, but for their metadata
   */
  Optional<String> misuse(boolean metadataOnly) {
    if (ofRequests == null && ofObjects == null) {
      return Optional.of("has no reconciler: call reconciler(...)");
    }
    if (ofRequests != null && ofObjects != null) {
      return Optional.of(
          "has two reconcilers: call reconciler(...) or objectReconciler(...), not both");
    }
    return ofObjects != null && metadataOnly
        ? Optional.of(
            "has an objectReconciler(...), which is given whole objects, but watches their metadata"
                + " only: call reconciler(...), or watch with Projection.STRIPPED")
        : Optional.empty();
  }

  /**
   * The reconciler, given what is watched.
   *
   * @param client without caches
   * @param recorder hears of objects that can't be read; null for nobody
   */
  @SuppressWarnings("unchecked") // the first watch is that of the primary type
  Reconciler on(Watches.Sources sources, Client client, @Nullable EventRecorder recorder) {
    Reconciler chosen =
        ofRequests != null
            ? ofRequests
            : new ObjectReconciling<>(
                (InformerSource<T>) sources.primary(),
                new LiveReads<>(client, (InformerSpec<T>) sources.spec()),
                Objects.requireNonNull(ofObjects));
    return new DecodableOnly(chosen, sources.states(), recorder);
  }
}
