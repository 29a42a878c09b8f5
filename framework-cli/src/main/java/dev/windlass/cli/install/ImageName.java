// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

/**
 * The name of a container image.
 *
 * @param repository the name without the tag, such as {@code registry.example.com/team/operator}
 * @param tag the tag, such as {@code 1.2.0}
 */
public record ImageName(String repository, String tag) {

  private static final String NEWEST = "latest";

  /**
   * Parses the name of an image. The tag is {@code latest} if the name has none.
   *
   * @throws IllegalArgumentException if the name is empty, contains white space, or has a digest
   */
  public static ImageName parse(String name) {
    int colon = name.lastIndexOf(':');
    boolean tagged = colon > name.lastIndexOf('/'); // a colon before it precedes a port
    String repository = tagged ? name.substring(0, colon) : name;
    String tag = tagged ? name.substring(colon + 1) : NEWEST;
    if (repository.isEmpty() || tag.isEmpty() || name.matches(".*[\\s@\"].*")) {
      throw new IllegalArgumentException(
          "'" + name + "' is not the name of an image, such as registry.example.com/operator:1.0");
    }
    return new ImageName(repository, tag);
  }
}
