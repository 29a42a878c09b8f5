// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;

/**
 * Decides which events matter. Must be quick and must not block; it may be called by any thread.
 *
 * <p>It sees an object as the cache holds it, so a decision on metadata costs nothing, and one on
 * the content costs a decode. If it throws, the event counts as one that matters.
 *
 * @param <T> what the objects must be
 */
@FunctionalInterface
public interface Predicate<T> {

  /** Whether the event matters. */
  boolean test(ResourceEvent<? extends T> event);

  /** Lets through what both let through. */
  default Predicate<T> and(Predicate<? super T> other) {
    return event -> test(event) && other.test(event);
  }

  /** Lets through what either lets through. */
  default Predicate<T> or(Predicate<? super T> other) {
    return event -> test(event) || other.test(event);
  }

  /** Lets through what this one does not. */
  default Predicate<T> negate() {
    return event -> !test(event);
  }

  /** Lets everything through. */
  static <T> Predicate<T> always() {
    return event -> true;
  }

  /**
   * Lets an update through if {@code metadata.generation} changed, which the server raises when the
   * desired state changes and not when only status or metadata do; and all additions and deletions.
   * Meant for the primary type; types without a generation would never be heard of again.
   */
  @SuppressWarnings("unchecked") // it looks at metadata only, which every type has
  static <T> Predicate<T> generationChanged() {
    return (Predicate<T>) GenerationChanged.INSTANCE;
  }

  /**
   * Lets an update through if something changed at all, so no resyncs; all additions, deletions.
   */
  static <T> Predicate<T> resourceVersionChanged() {
    return event -> !(event instanceof ResourceEvent.Updated<?> updated && updated.isResync());
  }
}
