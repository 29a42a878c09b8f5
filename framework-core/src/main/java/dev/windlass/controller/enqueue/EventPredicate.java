// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.selector.Selector;
import java.util.List;

/**
 * Determines which events lead to reconcile requests. A predicate must return quickly, must not
 * block, and must be thread-safe.
 *
 * <p>A predicate receives objects in their cached form. It can read an object's metadata without
 * decoding the object, but must decode the object to read other fields. If a predicate throws an
 * exception, the event is accepted. Predicates whose name ends in {@code Changed} filter only
 * updates. Resyncs pass them, so that each object is still reconciled once per resync period; only
 * {@link #resourceVersionChanged} rejects resyncs.
 *
 * @param <T> the type of the objects in the events
 */
@FunctionalInterface
public interface EventPredicate<T> {

  /** Returns whether this predicate accepts the event. */
  boolean test(ResourceEvent<? extends T> event);

  /** Returns a predicate that accepts an event if both this and the given predicate accept it. */
  default EventPredicate<T> and(EventPredicate<? super T> other) {
    return allOf(List.of(this, other));
  }

  /** Returns a predicate that accepts an event if this or the given predicate accepts it. */
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
    return new AllOf<>(predicates);
  }

  /**
   * Returns a predicate that accepts an event if at least one of the given predicates accepts it.
   * The predicates are evaluated in order until one accepts the event.
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
   * Returns a predicate that accepts every event. Call its methods, such as {@link ByType#created}
   * and {@link ByType#updated}, to set a predicate for each type of event. Name the type of the
   * objects, because Java does not infer it in a chain of calls: {@code
   * EventPredicate.<ConfigMap>byType().created(predicate)}.
   */
  static <T> ByType<T> byType() {
    return ByType.open();
  }

  /**
   * Returns a predicate that accepts an update if {@code metadata.generation} changed, and each
   * resync: objects are still reconciled every 10 h. The server increments the generation when the
   * desired state changes, and when the deletion is requested. This predicate is intended for the
   * primary type. If the objects of a type have no generation, it rejects all updates of these
   * objects; a builder therefore rejects it for built-in types without one, such as ConfigMap.
   */
  @SuppressWarnings("unchecked") // reads metadata only, which every type has
  static <T> EventPredicate<T> generationChanged() {
    return (EventPredicate<T>) GenerationChanged.INSTANCE;
  }

  /**
   * Returns whether the given predicate is known to reject every event that {@link
   * #generationChanged()} rejects. This is the case for {@code generationChanged()} itself, and for
   * compositions such as an {@link #allOf} that contains it.
   */
  static boolean requiresNewGeneration(EventPredicate<?> predicate) {
    return GenerationChanged.decides(predicate);
  }

  /**
   * Returns a predicate that accepts an update if the object's resource version changed, but no
   * resync: without another event, the controller never reconciles for this object again.
   */
  static <T> EventPredicate<T> resourceVersionChanged() {
    return NamedPredicate.changed("resourceVersionChanged", updated -> !updated.isResync());
  }

  /** Returns a predicate that accepts an update if the object's labels changed, and each resync. */
  static <T> EventPredicate<T> labelsChanged() {
    return NamedPredicate.changed("labelsChanged", NamedPredicate::labelsDiffer);
  }

  /**
   * Returns a predicate that accepts an update if the object's annotations changed, and each
   * resync. For each update, it parses the object's old and new metadata.
   */
  static <T> EventPredicate<T> annotationsChanged() {
    return NamedPredicate.changed("annotationsChanged", NamedPredicate::annotationsDiffer);
  }

  /**
   * Returns a predicate that accepts an event if the object's labels match the selector or, for an
   * update, matched it before the update.
   *
   * @param selector a label selector in the syntax of {@link Selector#parse}
   * @throws IllegalArgumentException if the selector is invalid
   */
  static <T> EventPredicate<T> labelSelector(String selector) {
    return NamedPredicate.matching(Selector.parse(selector));
  }

  /**
   * Returns a predicate that accepts an event if the event's object meets a condition. For an
   * update, this is the new version of the object. Each evaluation decodes the object.
   */
  static <T> EventPredicate<T> of(java.util.function.Predicate<? super T> condition) {
    return event -> condition.test(event.object().decode());
  }

  /**
   * Returns a predicate that accepts an event if the cached form of the event's object meets a
   * condition. The condition can read the metadata without decoding the object. For an update, it
   * receives the new version of the object.
   */
  static <T> EventPredicate<T> onMetadata(java.util.function.Predicate<CachedObject<?>> condition) {
    return event -> condition.test(event.object());
  }

  /**
   * An {@link EventPredicate} that delegates to a separate predicate for each type of event. {@link
   * EventPredicate#byType()} creates an instance that accepts every event. Instances are immutable.
   * A method that sets a predicate returns a copy with this predicate.
   *
   * @param <T> the type of the objects in the events
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

    /**
     * Returns a copy with the given predicate for additions, including those from the initial list.
     */
    public ByType<T> created(EventPredicate<? super T> other) {
      return new ByType<>(other, updated, deleted, generic);
    }

    /** Returns a copy with the given predicate for updates, including resyncs. */
    public ByType<T> updated(EventPredicate<? super T> other) {
      return new ByType<>(created, other, deleted, generic);
    }

    /**
     * Returns a copy with the given predicate for deletions, including those discovered by a later
     * list.
     */
    public ByType<T> deleted(EventPredicate<? super T> other) {
      return new ByType<>(created, updated, other, generic);
    }

    /**
     * Returns a copy with the given predicate for events that did not originate in the API server.
     */
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
