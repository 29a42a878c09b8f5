// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * A request's cause, for logs and diagnosis. A controller that ignores its own events also
 * recognises these events by their cause. A cause does not hold a reference to an object, and
 * creates its string form only in {@link #toString}.
 *
 * @param origin the kind of the event's object, such as {@code Deployment}, or the name of the
 *     source
 * @param kind the event's kind
 * @param key the key of the affected object, or null if the cause does not refer to a single object
 * @param change the change to the object in the API server, or null if the object has not changed,
 *     if it was deleted, or if the event did not originate in the API server
 */
public record RequestCause(
    String origin, Kind kind, @Nullable ObjectKey key, @Nullable Change change) {

  /**
   * A change to an object from one version to another.
   *
   * @param type the object's type
   * @param cluster the cluster name; empty for the program's own cluster
   * @param from the {@code resourceVersion} before the change as a number, {@link #NONE} if the
   *     object did not exist, or -1 if the version is not a number
   * @param to the {@code resourceVersion} after the change, in the same form
   */
  public record Change(ResourceType type, String cluster, long from, long to) {

    /**
     * The version that represents a nonexistent object. An existing object never has this version.
     */
    public static final long NONE = 0;
  }

  /** Creates a cause of the given kind without a {@link Change}. */
  public RequestCause(String origin, Kind kind, @Nullable ObjectKey key) {
    this(origin, kind, key, null);
  }

  /** An event's kind. */
  public enum Kind {
    /** The object existed when the watch began. */
    LISTED,
    /** The object was created. */
    CREATED,
    /** The object was changed. */
    UPDATED,
    /** The object was deleted. */
    DELETED,
    /** A resync delivered the object again, without a change. */
    RESYNCED,
    /** The program sent a message through an {@link EventChannel}. */
    SENT,
    /** A ticker's period elapsed. */
    TICKED,
    /** A {@link ReconcileAll} trigger requested a reconcile of all objects. */
    ALL
  }

  /** An unknown cause. */
  public static final RequestCause UNKNOWN = new RequestCause("unknown", Kind.SENT, null);

  /** Returns the cause for an event. */
  static RequestCause of(ResourceEvent<?> event, String cluster) {
    CachedObject<?> object = event.object();
    return switch (event.type()) {
      case ADDED ->
          ((ResourceEvent.Added<?>) event).initial()
              ? unchanged(Kind.LISTED, object)
              : changed(Kind.CREATED, object, cluster, Change.NONE);
      case UPDATED -> ofUpdate((ResourceEvent.Updated<?>) event, cluster);
      case DELETED -> unchanged(Kind.DELETED, object);
      case GENERIC -> unchanged(Kind.SENT, object);
    };
  }

  private static RequestCause ofUpdate(ResourceEvent.Updated<?> event, String cluster) {
    return event.isResync()
        ? unchanged(Kind.RESYNCED, event.object())
        : changed(Kind.UPDATED, event.object(), cluster, event.old().version());
  }

  private static RequestCause unchanged(Kind kind, CachedObject<?> object) {
    return new RequestCause(object.type().kind(), kind, object.key());
  }

  private static RequestCause changed(
      Kind kind, CachedObject<?> object, String cluster, long from) {
    Change change = new Change(object.type(), cluster, from, object.version());
    return new RequestCause(change.type().kind(), kind, object.key(), change);
  }

  /**
   * Returns whether the event only reports that the object exists, so that its request is not
   * urgent.
   */
  boolean merelyExists() {
    return kind == Kind.LISTED || kind == Kind.RESYNCED;
  }

  /** Returns a string such as {@code Deployment default/web UPDATED}. */
  @Override
  public String toString() {
    return key == null ? origin + " " + kind : origin + " " + key + " " + kind;
  }
}
