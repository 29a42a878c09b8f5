// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;

/**
 * The predicate that {@link EventPredicate#generationChanged()} returns. It is a singleton, so that
 * a builder can recognise it and reject it where it would suppress required events.
 */
final class GenerationChanged implements EventPredicate<Object> {

  static final GenerationChanged INSTANCE = new GenerationChanged();

  private GenerationChanged() {}

  /**
   * Returns whether a predicate is known to reject every event that this predicate rejects. This is
   * the case for the following predicates:
   *
   * <ul>
   *   <li>this predicate
   *   <li>an {@code allOf} that contains at least one of these predicates
   *   <li>an {@code anyOf} that contains only these predicates
   *   <li>a {@code byType} that uses one of these predicates for updates
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
        // A resync, or the API server now converts the same version differently.
        || updated.old().resourceVersion().equals(updated.object().resourceVersion())
        // A new object with the same name starts at generation 1 again.
        || !updated.old().uid().equals(updated.object().uid());
  }

  @Override
  public String toString() {
    return "EventPredicate.generationChanged()";
  }
}
