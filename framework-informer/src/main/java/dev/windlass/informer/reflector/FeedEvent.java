// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectDecoder;
import java.nio.charset.StandardCharsets;

/** An event of a list or a watch. */
public sealed interface FeedEvent {

  /** The variants of {@link FeedEvent}, for exhaustive {@code switch} statements. */
  enum Type {
    OPENED,
    LISTED,
    LIST_END,
    ADDED,
    MODIFIED,
    DELETED,
    BOOKMARK,
    FAILED,
    ENDED
  }

  /** Returns the variant of this event. */
  Type type();

  /**
   * The JSON of an object, stored in a larger byte array.
   *
   * @param buffer the array, which is shared and must not be changed
   * @param offset the index of the first byte of the object
   * @param length the number of bytes of the object
   */
  @SuppressWarnings("ArrayRecordComponent") // a view into a larger array, never compared
  record Json(byte[] buffer, int offset, int length) {

    /** Returns an instance for JSON that fills the given array. */
    public static Json of(byte[] json) {
      return new Json(json, 0, json.length);
    }

    /** Returns an instance for the given JSON, encoded as UTF-8. */
    public static Json of(String json) {
      return of(json.getBytes(StandardCharsets.UTF_8));
    }

    /** Decodes the object. */
    public <T> CachedObject<T> decode(ObjectDecoder<T> decoder) {
      return decoder.decode(buffer, offset, length);
    }
  }

  /** Creates an event for an object in a list. */
  static Change listed(Json json) {
    return new Change(Type.LISTED, json);
  }

  /** Creates an event for an object that was created, or that started to match the selector. */
  static Change added(Json json) {
    return new Change(Type.ADDED, json);
  }

  /** Creates an event for an object that was changed. */
  static Change modified(Json json) {
    return new Change(Type.MODIFIED, json);
  }

  /**
   * Creates an event with the last state of an object that was deleted, or that stopped matching
   * the selector.
   */
  static Change deleted(Json json) {
    return new Change(Type.DELETED, json);
  }

  /** An event that contains an object from a list or a watch. */
  record Change(Type type, Json json) implements FeedEvent {

    /**
     * Checks that events of the given type contain an object.
     *
     * @throws IllegalArgumentException if they do not
     */
    public Change {
      switch (type) {
        case LISTED, ADDED, MODIFIED, DELETED -> {}
        default -> throw new IllegalArgumentException("events of type " + type + " have no object");
      }
    }
  }

  /** Reports that the server has accepted the request. The response follows. */
  record Opened() implements FeedEvent {
    @Override
    public Type type() {
      return Type.OPENED;
    }
  }

  /**
   * Marks the end of a list page.
   *
   * @param resourceVersion the resource version of the list, from which a watch can start
   * @param continueToken the token for the next page; empty if this is the last page
   */
  record ListEnd(String resourceVersion, String continueToken) implements FeedEvent {
    @Override
    public Type type() {
      return Type.LIST_END;
    }
  }

  /**
   * Reports that the server has sent all changes up to a resource version.
   *
   * @param resourceVersion the resource version
   * @param initialEventsEnd whether this bookmark marks the end of the initial events of a
   *     streaming list
   */
  record Bookmark(String resourceVersion, boolean initialEventsEnd) implements FeedEvent {

    /** Creates a bookmark that does not complete a streaming list. */
    public Bookmark(String resourceVersion) {
      this(resourceVersion, false);
    }

    @Override
    public Type type() {
      return Type.BOOKMARK;
    }
  }

  /** Reports that the request has failed. This is the last event. */
  record Failed(FeedFailure failure) implements FeedEvent {
    @Override
    public Type type() {
      return Type.FAILED;
    }
  }

  /** Reports that the server has ended a watch normally. This is the last event. */
  record Ended() implements FeedEvent {
    @Override
    public Type type() {
      return Type.ENDED;
    }
  }
}
