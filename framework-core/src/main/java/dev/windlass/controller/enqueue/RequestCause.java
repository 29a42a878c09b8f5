// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.workqueue.Priority;
import org.jspecify.annotations.Nullable;

/**
 * The cause of a request, for logs and diagnosis. A controller that ignores its own events also
 * uses the cause to recognise them. A cause does not hold a reference to an object.
 *
 * @param origin the kind of the event's object, such as {@code Deployment}, or the name of the
 *     source
 * @param kind the event's kind
 * @param key the key of the affected object, or null if the cause does not refer to a single object
 * @param change the creation or update of the object, or null if the event reports neither
 */
public record RequestCause(
    String origin, Kind kind, @Nullable ObjectKey key, @Nullable Change change) {

  /**
   * The creation or update of an object.
   *
   * @param type the object's type
   * @param cluster the cluster name; empty for the program's own cluster
   * @param from the {@code resourceVersion} before the change, as a number: {@link #NONE} for a
   *     creation, or -1 if the {@code resourceVersion} is not numeric
   * @param to the {@code resourceVersion} after the change, as a number, or -1 if it is not numeric
   */
  public record Change(ResourceType type, String cluster, long from, long to) {

    /** The value of {@code from} for a creation. An existing object never has this version. */
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
    /** A {@link ReconcileAll} trigger fired. */
    ALL
  }

  /** An unknown cause. */
  public static final RequestCause UNKNOWN = new RequestCause("unknown", Kind.SENT, null);

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
   * Returns the priority of the requests for the event. Objects that are listed or resynced have
   * not changed, and do not delay changes. Neither do thousands of new objects.
   */
  Priority priority() {
    return switch (kind) {
      case LISTED, RESYNCED -> Priority.LOW;
      case CREATED -> Priority.NEW;
      default -> Priority.NORMAL;
    };
  }

  /** Returns a string such as {@code Deployment default/web UPDATED}. */
  @Override
  public String toString() {
    return key == null ? origin + " " + kind : origin + " " + key + " " + kind;
  }
}
