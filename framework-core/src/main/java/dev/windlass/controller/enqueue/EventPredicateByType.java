// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;

/**
 * An {@link EventPredicate} that delegates to another predicate for each type of event. Immutable:
 * each method returns a copy with one type decided differently. Created by {@link
 * EventPredicate#byType()}, which accepts every event.
 *
 * @param <T> the type that the objects must have
 */
public final class EventPredicateByType<T> implements EventPredicate<T> {

  private final EventPredicate<? super T> created;
  private final EventPredicate<? super T> updated;
  private final EventPredicate<? super T> deleted;
  private final EventPredicate<? super T> generic;

  private EventPredicateByType(
      EventPredicate<? super T> created,
      EventPredicate<? super T> updated,
      EventPredicate<? super T> deleted,
      EventPredicate<? super T> generic) {
    this.created = created;
    this.updated = updated;
    this.deleted = deleted;
    this.generic = generic;
  }

  static <T> EventPredicateByType<T> open() {
    EventPredicate<T> always = EventPredicate.always();
    return new EventPredicateByType<>(always, always, always, always);
  }

  EventPredicate<? super T> forUpdates() {
    return updated;
  }

  /** Returns a copy with a predicate for additions, including those of the first list. */
  public EventPredicateByType<T> created(EventPredicate<? super T> other) {
    return new EventPredicateByType<>(other, updated, deleted, generic);
  }

  /** Returns a copy with a predicate for updates, including resyncs. */
  public EventPredicateByType<T> updated(EventPredicate<? super T> other) {
    return new EventPredicateByType<>(created, other, deleted, generic);
  }

  /** Returns a copy with a predicate for deletions, including those detected late. */
  public EventPredicateByType<T> deleted(EventPredicate<? super T> other) {
    return new EventPredicateByType<>(created, updated, other, generic);
  }

  /** Returns a copy with a predicate for events that do not come from the API server. */
  public EventPredicateByType<T> generic(EventPredicate<? super T> other) {
    return new EventPredicateByType<>(created, updated, deleted, other);
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
