// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;

/**
 * A {@link Predicate} that asks another one for each type of events. Immutable: each method gives
 * the same with one type decided differently. Made by {@link Predicate#byType()}, which lets
 * everything through.
 *
 * @param <T> what the objects must be
 */
public final class PredicateByType<T> implements Predicate<T> {

  private final Predicate<? super T> created;
  private final Predicate<? super T> updated;
  private final Predicate<? super T> deleted;
  private final Predicate<? super T> generic;

  private PredicateByType(
      Predicate<? super T> created,
      Predicate<? super T> updated,
      Predicate<? super T> deleted,
      Predicate<? super T> generic) {
    this.created = created;
    this.updated = updated;
    this.deleted = deleted;
    this.generic = generic;
  }

  static <T> PredicateByType<T> open() {
    Predicate<T> always = Predicate.always();
    return new PredicateByType<>(always, always, always, always);
  }

  Predicate<? super T> forUpdates() {
    return updated;
  }

  /** Decides on additions, those of the first list included. */
  public PredicateByType<T> created(Predicate<? super T> other) {
    return new PredicateByType<>(other, updated, deleted, generic);
  }

  /** Decides on updates, resyncs included. */
  public PredicateByType<T> updated(Predicate<? super T> other) {
    return new PredicateByType<>(created, other, deleted, generic);
  }

  /** Decides on deletions, those that were found out late included. */
  public PredicateByType<T> deleted(Predicate<? super T> other) {
    return new PredicateByType<>(created, updated, other, generic);
  }

  /** Decides on what does not come from the API server. */
  public PredicateByType<T> generic(Predicate<? super T> other) {
    return new PredicateByType<>(created, updated, deleted, other);
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
    return "Predicate.byType(created: %s, updated: %s, deleted: %s, generic: %s)"
        .formatted(created, updated, deleted, generic);
  }
}
