// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * The cause of a request, for logs and diagnosis. A cause has no effect on processing. It does not
 * refer to any object, and it creates its text only in {@link #toString}.
 *
 * @param origin the kind of the event's object, such as {@code Deployment}, or the name of the
 *     source
 * @param kind the kind of the event
 * @param key the key of the affected object, or null if the cause does not concern a single object
 */
public record Cause(String origin, Kind kind, @Nullable ObjectKey key) {

  /** The kind of an event. */
  public enum Kind {
    /** The object existed when the watch began. */
    LISTED,
    /** The object was created. */
    CREATED,
    /** The object was changed. */
    UPDATED,
    /** The object was deleted. */
    DELETED,
    /** A resync delivered the unchanged object again. */
    RESYNCED,
    /** The program sent an event. */
    SENT,
    /** The period of a ticker ended. */
    TICKED,
    /** A trigger requested all objects. */
    ALL
  }

  /** An unknown cause. */
  public static final Cause UNKNOWN = new Cause("unknown", Kind.SENT, null);

  /** Returns the cause for an event. */
  public static Cause of(ResourceEvent<?> event) {
    return new Cause(event.object().type().kind(), kindOf(event), event.key());
  }

  private static Kind kindOf(ResourceEvent<?> event) {
    return switch (event.type()) {
      case ADDED -> ((ResourceEvent.Added<?>) event).initial() ? Kind.LISTED : Kind.CREATED;
      case UPDATED -> ((ResourceEvent.Updated<?>) event).isResync() ? Kind.RESYNCED : Kind.UPDATED;
      case DELETED -> Kind.DELETED;
      case GENERIC -> Kind.SENT;
    };
  }

  /**
   * Returns whether the event only reports that the object exists, so that its request is not
   * urgent.
   */
  boolean merelyExists() {
    return kind == Kind.LISTED || kind == Kind.RESYNCED;
  }

  /** Returns text such as {@code Deployment default/web UPDATED}. */
  @Override
  public String toString() {
    return key == null ? origin + " " + kind : origin + " " + key + " " + kind;
  }
}
