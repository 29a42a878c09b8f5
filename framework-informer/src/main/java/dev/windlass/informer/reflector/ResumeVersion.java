// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.object.CachedObject;
import org.jspecify.annotations.Nullable;

/**
 * The resource version from which the next watch continues.
 *
 * <p>A numeric version never decreases, except after a list. If the versions are not numbers, the
 * most recent version is used.
 */
final class ResumeVersion {

  private String text = "";

  /** The version as a number, or -1 if the version is not a number. */
  private long number = -1;

  /**
   * The object that has the current version; null if {@code text} already contains this version.
   */
  private @Nullable CachedObject<?> newest;

  /** Sets the version to that of a list, even if it is lower than the current version. */
  void reset(String version) {
    text = version;
    number = parse(version);
    newest = null;
  }

  boolean isBehind(String version) {
    long other = parse(version);
    return other >= 0 && number >= 0 && other < number;
  }

  /**
   * Advances to the version of a bookmark. Has no effect if it is empty or lower than the current
   * version.
   */
  void advance(String version) {
    if (!version.isEmpty() && !isBehind(version)) {
      reset(version);
    }
  }

  /**
   * Advances to an object's version, unless it is lower than the current version.
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
