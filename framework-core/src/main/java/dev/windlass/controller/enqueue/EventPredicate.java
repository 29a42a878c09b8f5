// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.Selector;
import java.util.List;

/**
 * Decides which events matter. Must be quick and must not block; it may be called by any thread.
 *
 * <p>It sees an object as the cache holds it, so a decision on metadata costs nothing, and one on
 * the content costs a decode. If it throws, the event counts as one that matters. Those whose name
 * ends in {@code Changed} are about updates, of which they drop resyncs, and let all else through.
 *
 * @param <T> what the objects must be
 */
@FunctionalInterface
public interface EventPredicate<T> {

  /** Whether the event matters. */
  boolean test(ResourceEvent<? extends T> event);

  /** Lets through what both let through. */
  default EventPredicate<T> and(EventPredicate<? super T> other) {
    return allOf(List.of(this, other));
  }

  /** Lets through what either lets through. */
  default EventPredicate<T> or(EventPredicate<? super T> other) {
    return anyOf(List.of(this, other));
  }

  /** Lets through what this one does not. */
  default EventPredicate<T> negate() {
    return NamedPredicate.not(this);
  }

  /** Lets through what all let through; they are asked in order, until one refuses. */
  static <T> EventPredicate<T> allOf(List<EventPredicate<? super T>> predicates) {
    return NamedPredicate.allOf(predicates);
  }

  /** Lets through what one of them lets through; they are asked in order, until one agrees. */
  static <T> EventPredicate<T> anyOf(List<EventPredicate<? super T>> predicates) {
    return NamedPredicate.anyOf(predicates);
  }

  /** Lets everything through. */
  static <T> EventPredicate<T> always() {
    return NamedPredicate.always();
  }

  /** Lets nothing through. */
  static <T> EventPredicate<T> never() {
    return NamedPredicate.never();
  }

  /** Lets everything through that it is given no other predicate for. */
  static <T> EventPredicateByType<T> byType() {
    return EventPredicateByType.open();
  }

  /**
   * Lets an update through if {@code metadata.generation} changed, as it does with the desired
   * state. Meant for the primary type: types without one would never be heard of again.
   */
  @SuppressWarnings("unchecked") // it looks at metadata only, which every type has
  static <T> EventPredicate<T> generationChanged() {
    return (EventPredicate<T>) GenerationChanged.INSTANCE;
  }

  /** Lets an update through if something changed at all. */
  static <T> EventPredicate<T> resourceVersionChanged() {
    return NamedPredicate.changed("resourceVersionChanged", updated -> true);
  }

  /** Lets an update through if labels changed. */
  static <T> EventPredicate<T> labelsChanged() {
    return NamedPredicate.changed("labelsChanged", NamedPredicate::labelsDiffer);
  }

  /** Lets an update through if annotations changed; it parses the metadata of both states. */
  static <T> EventPredicate<T> annotationsChanged() {
    return NamedPredicate.changed("annotationsChanged", NamedPredicate::annotationsDiffer);
  }

  /**
   * Lets through what is about objects whose labels match, or did before the update. Refuses what
   * {@link Selector#parse} does.
   */
  static <T> EventPredicate<T> labelSelector(String selector) {
    return NamedPredicate.matching(Selector.parse(selector));
  }

  /** Asks a function about the latest state, which is decoded for it. */
  static <T> EventPredicate<T> of(java.util.function.Predicate<? super T> condition) {
    return event -> condition.test(event.object().decode());
  }

  /** Asks a function about the latest state as it is cached: metadata for nothing. */
  static <T> EventPredicate<T> onMetadata(java.util.function.Predicate<CachedObject<?>> condition) {
    return event -> condition.test(event.object());
  }
}
