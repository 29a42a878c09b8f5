// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Feeds parsers and shows what comes out in a readable form. */
final class Feeds {

  private Feeds() {}

  /** All events of a response that arrives in pieces of the given size, its end included. */
  static List<String> parse(FrameParser parser, String response, int pieces) {
    byte[] bytes = response.getBytes(StandardCharsets.UTF_8);
    List<String> seen = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += pieces) {
      int count = Math.min(pieces, bytes.length - at);
      parser.accept(ByteBuffer.wrap(bytes, at, count), event -> seen.add(show(event)));
    }
    seen.add(show(parser.end()));
    return seen;
  }

  /** The same for a response in two pieces. */
  static List<String> parseSplitAt(FrameParser parser, String response, int split) {
    byte[] bytes = response.getBytes(StandardCharsets.UTF_8);
    List<String> seen = new ArrayList<>();
    parser.accept(ByteBuffer.wrap(bytes, 0, split), event -> seen.add(show(event)));
    parser.accept(
        ByteBuffer.wrap(bytes, split, bytes.length - split), event -> seen.add(show(event)));
    seen.add(show(parser.end()));
    return seen;
  }

  static String show(FeedEvent event) {
    return switch (event.type()) {
      case OPENED -> "opened";
      case LISTED -> "listed " + text(((FeedEvent.Change) event).json());
      case LIST_END -> {
        FeedEvent.ListEnd end = (FeedEvent.ListEnd) event;
        yield "end " + end.resourceVersion() + "/" + end.continueToken();
      }
      case ADDED -> "added " + text(((FeedEvent.Change) event).json());
      case MODIFIED -> "modified " + text(((FeedEvent.Change) event).json());
      case DELETED -> "deleted " + text(((FeedEvent.Change) event).json());
      case BOOKMARK -> "bookmark " + ((FeedEvent.Bookmark) event).resourceVersion();
      case FAILED -> {
        FeedFailure failure = ((FeedEvent.Failed) event).failure();
        yield "failed " + failure.reason() + " " + failure.message();
      }
      case ENDED -> "ended";
    };
  }

  private static String text(FeedEvent.Json json) {
    return new String(json.buffer(), json.offset(), json.length(), StandardCharsets.UTF_8);
  }
}
