// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.object.CachedObject;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a feed: the version from which the next watch continues.
 *
 * <p>Numeric versions only increase, except after a list. Versions that are not numbers are used in
 * order of arrival.
 */
final class ResumeVersion {

  private String text = "";

  /** The version as a number, or -1 if the version is not a number. */
  private long number = -1;

  /** The object with the current version. It is stored until the version is needed as text. */
  private @Nullable CachedObject<?> newest;

  /** Sets the version of a list, even if it is lower than the current version. */
  void reset(String version) {
    text = version;
    number = parse(version);
    newest = null;
  }

  /** Returns whether the given version is lower than the current version. */
  boolean isBehind(String version) {
    long other = parse(version);
    return other >= 0 && number >= 0 && other < number;
  }

  /** Advances to the version of a bookmark. */
  void advance(String version) {
    if (!version.isEmpty() && !isBehind(version)) {
      reset(version);
    }
  }

  /**
   * Advances to an object's version.
   *
   * @return false if the object's version is lower than the current version
   */
  boolean advance(CachedObject<?> object) {
    long version = object.version();
    if (version >= 0 && number >= 0) {
      if (version < number) {
        return false;
      }
      number = version;
      newest = object; // the text is created when a watch is opened, not for each event
    } else {
      advance(object.resourceVersion());
    }
    return true;
  }

  /** Returns the version as the server writes it. */
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
