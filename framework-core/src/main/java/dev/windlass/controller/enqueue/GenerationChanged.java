// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;

/**
 * The predicate {@link EventPredicate#generationChanged()}. It is a singleton so that a builder can
 * recognise and reject it where it would suppress required events.
 */
final class GenerationChanged implements EventPredicate<Object> {

  static final GenerationChanged INSTANCE = new GenerationChanged();

  private GenerationChanged() {}

  /**
   * Returns whether a predicate is known to reject every event that this predicate rejects. The
   * result is true for the following predicates:
   *
   * <ul>
   *   <li>this predicate
   *   <li>an {@code allOf} with at least one part for which the result is true
   *   <li>an {@code anyOf} for all of whose parts the result is true
   *   <li>a {@code byType} for whose update predicate the result is true
   * </ul>
   */
  static boolean decides(EventPredicate<?> predicate) {
    if (predicate instanceof AllOf<?> all) {
      return all.parts().stream().anyMatch(GenerationChanged::decides);
    }
    if (predicate instanceof NamedPredicate<?> named) {
      return named.decidedByGeneration();
    }
    return predicate == INSTANCE
        || (predicate instanceof EventPredicate.ByType<?> byType && decides(byType.forUpdates()));
  }

  @Override
  public boolean test(ResourceEvent<?> event) {
    return !(event instanceof ResourceEvent.Updated<?> updated)
        || updated.old().generation() != updated.object().generation()
        // The API server now converts the same version differently.
        || (!updated.isResync()
            && updated.old().resourceVersion().equals(updated.object().resourceVersion()))
        // A new object with the same name starts at generation 1 again.
        || !updated.old().uid().equals(updated.object().uid());
  }

  @Override
  public String toString() {
    return "EventPredicate.generationChanged()";
  }
}
