// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.selector.Selector;
import java.util.List;

/**
 * Determines which events lead to requests. A predicate must return quickly and must not block. Any
 * thread can call it.
 *
 * <p>A predicate receives an object in its cached form. A decision based on metadata requires no
 * decoding, whereas a decision based on the content requires decoding the object. If a predicate
 * throws, the event is accepted. Predicates whose name ends in {@code Changed} filter updates: they
 * reject resyncs and accept all events other than updates.
 *
 * @param <T> the type that the objects must have
 */
@FunctionalInterface
public interface EventPredicate<T> {

  /** Returns whether to accept an event. */
  boolean test(ResourceEvent<? extends T> event);

  /** Returns a predicate that accepts an event if both predicates accept it. */
  default EventPredicate<T> and(EventPredicate<? super T> other) {
    return allOf(List.of(this, other));
  }

  /** Returns a predicate that accepts an event if at least one of the two predicates accepts it. */
  default EventPredicate<T> or(EventPredicate<? super T> other) {
    return anyOf(List.of(this, other));
  }

  /** Returns a predicate that accepts an event if and only if this predicate rejects it. */
  default EventPredicate<T> negate() {
    return NamedPredicate.not(this);
  }

  /**
   * Returns a predicate that accepts an event if every given predicate accepts it. The predicates
   * are evaluated in order until one rejects the event.
   */
  static <T> EventPredicate<T> allOf(List<EventPredicate<? super T>> predicates) {
    return NamedPredicate.allOf(predicates);
  }

  /**
   * Returns a predicate that accepts an event if at least one given predicate accepts it. The
   * predicates are evaluated in order until one accepts the event.
   */
  static <T> EventPredicate<T> anyOf(List<EventPredicate<? super T>> predicates) {
    return NamedPredicate.anyOf(predicates);
  }

  /** Returns a predicate that accepts every event. */
  static <T> EventPredicate<T> always() {
    return NamedPredicate.always();
  }

  /** Returns a predicate that rejects every event. */
  static <T> EventPredicate<T> never() {
    return NamedPredicate.never();
  }

  /**
   * Returns a predicate that accepts every event. Use {@code created()}, {@code updated()}, ... to
   * filter events by type.
   */
  static <T> ByType<T> byType() {
    return ByType.open();
  }

  /**
   * Returns a predicate that accepts an update if {@code metadata.generation} changed, which the
   * server increments when the desired state changes. It is intended for the primary type. It
   * rejects every update of a type without a generation.
   */
  @SuppressWarnings("unchecked") // reads metadata only, which every type has
  static <T> EventPredicate<T> generationChanged() {
    return (EventPredicate<T>) GenerationChanged.INSTANCE;
  }

  /**
   * Returns whether a predicate is known to reject every event that {@link #generationChanged()}
   * rejects, because it is that predicate or a composition that implies it.
   */
  static boolean requiresNewGeneration(EventPredicate<?> predicate) {
    return GenerationChanged.decides(predicate);
  }

  /** Returns a predicate that accepts an update if the resource version changed. */
  static <T> EventPredicate<T> resourceVersionChanged() {
    return NamedPredicate.changed("resourceVersionChanged", updated -> true);
  }

  /** Returns a predicate that accepts an update if labels changed. */
  static <T> EventPredicate<T> labelsChanged() {
    return NamedPredicate.changed("labelsChanged", NamedPredicate::labelsDiffer);
  }

  /**
   * Returns a predicate that accepts an update if annotations changed. It parses the metadata of
   * both states.
   */
  static <T> EventPredicate<T> annotationsChanged() {
    return NamedPredicate.changed("annotationsChanged", NamedPredicate::annotationsDiffer);
  }

  /**
   * Returns a predicate that accepts an event if the object's labels match, or matched before the
   * update. The method rejects the selectors that {@link Selector#parse} rejects.
   */
  static <T> EventPredicate<T> labelSelector(String selector) {
    return NamedPredicate.matching(Selector.parse(selector));
  }

  /**
   * Returns a predicate that accepts an event if a condition holds for the latest state, which must
   * be decoded.
   */
  static <T> EventPredicate<T> of(java.util.function.Predicate<? super T> condition) {
    return event -> condition.test(event.object().decode());
  }

  /**
   * Returns a predicate that accepts an event if a condition holds for the latest state in its
   * cached form. Reading the metadata requires no decoding.
   */
  static <T> EventPredicate<T> onMetadata(java.util.function.Predicate<CachedObject<?>> condition) {
    return event -> condition.test(event.object());
  }

  /**
   * An {@link EventPredicate} that delegates to another predicate for each type of event. {@link
   * EventPredicate#byType()} creates an instance that accepts every event. Instances are immutable:
   * each method returns a copy with another predicate for one type.
   *
   * @param <T> the type that the objects must have
   */
  final class ByType<T> implements EventPredicate<T> {

    private final EventPredicate<? super T> created;
    private final EventPredicate<? super T> updated;
    private final EventPredicate<? super T> deleted;
    private final EventPredicate<? super T> generic;

    private ByType(
        EventPredicate<? super T> created,
        EventPredicate<? super T> updated,
        EventPredicate<? super T> deleted,
        EventPredicate<? super T> generic) {
      this.created = created;
      this.updated = updated;
      this.deleted = deleted;
      this.generic = generic;
    }

    static <T> ByType<T> open() {
      EventPredicate<T> always = EventPredicate.always();
      return new ByType<>(always, always, always, always);
    }

    EventPredicate<? super T> forUpdates() {
      return updated;
    }

    /** Returns a copy with a predicate for additions, including those from the first list. */
    public ByType<T> created(EventPredicate<? super T> other) {
      return new ByType<>(other, updated, deleted, generic);
    }

    /** Returns a copy with a predicate for updates, including resyncs. */
    public ByType<T> updated(EventPredicate<? super T> other) {
      return new ByType<>(created, other, deleted, generic);
    }

    /** Returns a copy with a predicate for deletions, including those detected late. */
    public ByType<T> deleted(EventPredicate<? super T> other) {
      return new ByType<>(created, updated, other, generic);
    }

    /** Returns a copy with a predicate for events that do not come from the API server. */
    public ByType<T> generic(EventPredicate<? super T> other) {
      return new ByType<>(created, updated, deleted, other);
    }

    @Override
    public boolean test(ResourceEvent<? extends T> event) {
      return switch (event.type()) {
        case ADDED -> created.test(event);
        case UPDATED -> updated.test(event);
        case DELETED -> deleted.test(event);
        case GENERIC -> generic.test(event);
      };
    }

    @Override
    public String toString() {
      return "EventPredicate.byType(created: %s, updated: %s, deleted: %s, generic: %s)"
          .formatted(created, updated, deleted, generic);
    }
  }
}
