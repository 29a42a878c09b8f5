// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;

/**
 * {@link EventPredicate#generationChanged()}; the only one of its kind, so that a builder can
 * recognise it where it would do harm.
 */
public final class GenerationChanged implements EventPredicate<Object> {

  static final GenerationChanged INSTANCE = new GenerationChanged();

  private GenerationChanged() {}

  /**
   * Whether a predicate refuses whatever this one refuses, so far as can be told: it is this one,
   * all of several of which one is, one of several all of which are, or by type with this one for
   * updates.
   */
  public static boolean decides(EventPredicate<?> predicate) {
    if (predicate instanceof NamedPredicate<?> named) {
      return named.decidedByGeneration();
    }
    return predicate == INSTANCE
        || (predicate instanceof EventPredicateByType<?> byType && decides(byType.forUpdates()));
  }

  @Override
  public boolean test(ResourceEvent<?> event) {
    return !(event instanceof ResourceEvent.Updated<?> updated)
        || updated.old().generation() != updated.object().generation()
        // A successor of the same name begins with generation 1 like its predecessor.
        || !updated.old().uid().equals(updated.object().uid());
  }

  @Override
  public String toString() {
    return "EventPredicate.generationChanged()";
  }
}
