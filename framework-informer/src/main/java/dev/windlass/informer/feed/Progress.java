// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.CachedObject;
import org.jspecify.annotations.Nullable;

/**
 * How far a feed has got: the version from which the next watch goes on.
 *
 * <p>Versions that are numbers only go up, but by a list. Others are taken as they come.
 */
final class Progress {

  private String text = "";

  /** The version as a number; -1 for one that is none. */
  private long number = -1;

  /** The object that brought the version, until somebody asks for its text. */
  private @Nullable CachedObject<?> newest;

  /** Goes to the version of a list, be it lower. */
  void reset(String version) {
    text = version;
    number = parse(version);
    newest = null;
  }

  /** Whether the version is lower than the one that was reached. */
  boolean isBehind(String version) {
    long other = parse(version);
    return other >= 0 && number >= 0 && other < number;
  }

  /** Goes on to the version of a bookmark. */
  void advance(String version) {
    if (!version.isEmpty() && !isBehind(version)) {
      reset(version);
    }
  }

  /**
   * Goes on to the version of an object.
   *
   * @return whether it was not lower than the one that was reached
   */
  boolean advance(CachedObject<?> object) {
    long version = object.version();
    if (version >= 0 && number >= 0) {
      if (version < number) {
        return false;
      }
      number = version;
      newest = object; // its text is made when a watch is opened, not for each event
    } else {
      advance(object.resourceVersion());
    }
    return true;
  }

  /** The version in the server's words. */
  String version() {
    if (newest != null) {
      text = newest.resourceVersion();
      newest = null;
    }
    return text;
  }

  static long parse(String version) {
    try {
      return version.isEmpty() ? -1 : Long.parseLong(version);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
