// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a container image.
 *
 * @param repository the name without the tag, such as {@code registry.example.com/team/operator}
 * @param tag the tag, such as {@code 1.2.0}; empty for none
 * @param digest the digest, such as {@code sha256:...}; empty for none
 */
public record ImageName(String repository, String tag, String digest) {

  /**
   * Matches the name of an image. A colon before the last slash separates a port from a host, and a
   * colon after it separates the tag.
   */
  private static final Pattern NAME =
      Pattern.compile(
          "(?<repository>(?=[^:/])[^\\s@\"]*?[^\\s@\":/])(:(?<tag>[^\\s@\":/]+))?(@(?<digest>\\w+:\\p{XDigit}{32,}))?");

  /**
   * Parses an image's name.
   *
   * @throws IllegalArgumentException if the name is empty, contains white space, or has an empty
   *     tag or an invalid digest
   */
  public static ImageName parse(String name) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is not the name of an image, such as registry.example.com/operator:1.0 or"
              + " registry.example.com/operator@sha256:...");
    }
    return new ImageName(parts.group("repository"), given(parts, "tag"), given(parts, "digest"));
  }

  private static String given(Matcher parts, String group) {
    return parts.group(group) == null ? "" : parts.group(group);
  }

  /** Returns this image, with the given tag if the image has none. */
  public ImageName orTag(String other) {
    return tag.isEmpty() ? new ImageName(repository, other, digest) : this;
  }

  /** Returns the name as in a Pod, where the digest takes precedence over the tag. */
  @Override
  public String toString() {
    return repository + (digest.isEmpty() ? ":" + tag : "@" + digest);
  }
}
