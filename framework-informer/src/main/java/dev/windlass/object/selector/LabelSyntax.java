// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.selector;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The API server's rules for label keys and values, with the limits of {@code
 * k8s.io/apimachinery/pkg/util/validation} ({@code IsQualifiedName}, {@code IsValidLabelValue}).
 */
final class LabelSyntax {

  /** The maximum length of a value, and of a key without its prefix. */
  private static final int MAX_NAME = 63;

  private static final int MAX_PREFIX = 253;

  // Lengths are checked before these patterns are applied, so that long texts cannot make them
  // slow.
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
  private static final Pattern PREFIX =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private LabelSyntax() {}

  /** Returns a description of the error in a key, or null if the key is valid. */
  static @Nullable String problemOfKey(String key) {
    int slash = key.indexOf('/');
    if (slash >= 0) {
      String prefix = key.substring(0, slash);
      if (prefix.length() > MAX_PREFIX) {
        return "the prefix of a key must have at most " + MAX_PREFIX + " characters";
      }
      if (!PREFIX.matcher(prefix).matches()) {
        return "the prefix of the key '" + key + "' is not a DNS subdomain";
      }
    }
    String name = key.substring(slash + 1);
    if (name.length() > MAX_NAME) {
      return "a key must have at most " + MAX_NAME + " characters, not counting its prefix";
    }
    if (!NAME.matcher(name).matches()) {
      return "the key '"
          + key
          + "' must consist of letters, digits, '-', '_' and '.',"
          + " with a letter or digit at each end";
    }
    return null;
  }

  /** Returns a description of the error in a value, or null if the value is valid. */
  static @Nullable String problemOfValue(String value) {
    if (value.length() > MAX_NAME) {
      return "a value must have at most " + MAX_NAME + " characters";
    }
    if (!value.isEmpty() && !NAME.matcher(value).matches()) {
      return "the value '"
          + value
          + "' must be empty or consist of letters, digits, '-', '_' and"
          + " '.', with a letter or digit at each end";
    }
    return null;
  }
}
