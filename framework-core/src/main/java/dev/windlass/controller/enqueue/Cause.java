// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Why a request was made, for logs and diagnosis: it decides nothing. It holds no object and builds
 * no text before {@link #toString} is asked for it.
 *
 * @param origin what the event was about, such as {@code Deployment}, or the source itself
 * @param what what happened
 * @param key the object that it happened to; null if it was about no single one
 */
public record Cause(String origin, What what, @Nullable ObjectKey key) {

  /** What happened. */
  public enum What {
    /** The object was there when the watch began. */
    LISTED,
    /** The object was created. */
    CREATED,
    /** The object was changed. */
    UPDATED,
    /** The object is gone. */
    DELETED,
    /** Nothing happened: the resync shows every object again. */
    RESYNCED,
    /** The program sent an event. */
    SENT,
    /** A period is over. */
    TICKED,
    /** Everything was asked for. */
    ALL
  }

  /** Nobody said why. */
  public static final Cause UNKNOWN = new Cause("unknown", What.SENT, null);

  /** The cause that an event is. */
  public static Cause of(ResourceEvent<?> event) {
    return new Cause(event.object().type().kind(), whatOf(event), event.key());
  }

  private static What whatOf(ResourceEvent<?> event) {
    return switch (event.type()) {
      case ADDED -> ((ResourceEvent.Added<?>) event).initial() ? What.LISTED : What.CREATED;
      case UPDATED -> ((ResourceEvent.Updated<?>) event).isResync() ? What.RESYNCED : What.UPDATED;
      case DELETED -> What.DELETED;
      case GENERIC -> What.SENT;
    };
  }

  /** Whether nothing happened to the object: it merely exists, and can wait. */
  boolean merelyExists() {
    return what == What.LISTED || what == What.RESYNCED;
  }

  /** Such as {@code Deployment default/web UPDATED}. */
  @Override
  public String toString() {
    return key == null ? origin + " " + what : origin + " " + key + " " + what;
  }
}
