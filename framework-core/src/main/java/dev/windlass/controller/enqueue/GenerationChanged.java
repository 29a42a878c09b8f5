// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;

/** The only one of its kind, so that the builder can recognise it where it would do harm. */
final class GenerationChanged implements Predicate<Object> {

  static final GenerationChanged INSTANCE = new GenerationChanged();

  private GenerationChanged() {}

  @Override
  public boolean test(ResourceEvent<?> event) {
    return !(event instanceof ResourceEvent.Updated<?> updated)
        || updated.old().generation() != updated.object().generation()
        // A successor of the same name begins with generation 1 like its predecessor.
        || !updated.old().uid().equals(updated.object().uid());
  }

  @Override
  public String toString() {
    return "Predicate.generationChanged()";
  }
}
