// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectDecoder;
import java.nio.charset.StandardCharsets;

/** One thing that a list or a watch says. */
public sealed interface FeedEvent {

  /** The variants, for exhaustive switches. */
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

  /** Which variant this is. */
  Type type();

  /**
   * The JSON of an object inside a larger piece of bytes.
   *
   * @param buffer shared, not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // a view into a larger array, never compared
  record Json(byte[] buffer, int offset, int length) {

    /** JSON that fills its array. */
    public static Json of(byte[] json) {
      return new Json(json, 0, json.length);
    }

    /** JSON out of a text. */
    public static Json of(String json) {
      return of(json.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads the object. */
    public <T> CachedObject<T> decode(ObjectDecoder<T> decoder) {
      return decoder.decode(buffer, offset, length);
    }
  }

  /** The server accepted the request; its answer follows. */
  record Opened() implements FeedEvent {
    @Override
    public Type type() {
      return Type.OPENED;
    }
  }

  /** A list contains this object. */
  record Listed(Json json) implements FeedEvent {
    @Override
    public Type type() {
      return Type.LISTED;
    }
  }

  /**
   * A page of a list is complete.
   *
   * @param resourceVersion from which a watch continues
   * @param continueToken of the next page; empty if this was the last
   */
  record ListEnd(String resourceVersion, String continueToken) implements FeedEvent {
    @Override
    public Type type() {
      return Type.LIST_END;
    }
  }

  /** An object was created, or began to match the selector. */
  record Added(Json json) implements FeedEvent {
    @Override
    public Type type() {
      return Type.ADDED;
    }
  }

  /** An object was changed. */
  record Modified(Json json) implements FeedEvent {
    @Override
    public Type type() {
      return Type.MODIFIED;
    }
  }

  /** An object was deleted, or ceased to match the selector; with its last state. */
  record Deleted(Json json) implements FeedEvent {
    @Override
    public Type type() {
      return Type.DELETED;
    }
  }

  /**
   * Everything up to this version has been sent.
   *
   * @param initialEventsEnd whether a streaming list is complete with this; what follows are
   *     changes
   */
  record Bookmark(String resourceVersion, boolean initialEventsEnd) implements FeedEvent {

    /** A bookmark among changes. */
    public Bookmark(String resourceVersion) {
      this(resourceVersion, false);
    }

    @Override
    public Type type() {
      return Type.BOOKMARK;
    }
  }

  /** The request failed; nothing follows. */
  record Failed(FeedFailure failure) implements FeedEvent {
    @Override
    public Type type() {
      return Type.FAILED;
    }
  }

  /** The server ended a watch in order; nothing follows. */
  record Ended() implements FeedEvent {
    @Override
    public Type type() {
      return Type.ENDED;
    }
  }
}
