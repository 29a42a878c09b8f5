// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import java.util.List;

/**
 * A predicate that accepts an event if every part accepts it; see {@link EventPredicate#allOf}.
 *
 * @param parts the parts, in the order in which they are evaluated
 */
record AllOf<T>(List<EventPredicate<? super T>> parts) implements EventPredicate<T> {

  AllOf {
    parts = List.copyOf(parts);
  }

  /**
   * Returns the parts of an {@code allOf} predicate. For any other predicate, returns a list that
   * contains only this predicate.
   */
  static <T> List<? extends EventPredicate<? super T>> partsOf(
      EventPredicate<? super T> predicate) {
    return predicate instanceof AllOf<? super T> all ? all.parts() : List.of(predicate);
  }

  @Override
  public boolean test(ResourceEvent<? extends T> event) {
    for (EventPredicate<? super T> part : parts) {
      if (!part.test(event)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return NamedPredicate.named("allOf", parts);
  }
}
