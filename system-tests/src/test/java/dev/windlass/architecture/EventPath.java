// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The stations of an event from the API server to the reconciler, as listed in a page between two
 * markers: one backquoted path per line, relative to the checkout.
 *
 * @param files the stations, in the order in which they are read
 */
record EventPath(List<String> files) {

  static final String START = "<!-- event-path -->";
  static final String END = "<!-- /event-path -->";

  private static final Pattern FILE = Pattern.compile("`([^`\\s]+/[^`\\s]+\\.java)`");

  EventPath {
    files = List.copyOf(files);
    if (files.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no line with a path such as `a/B.java` between " + START + " and " + END);
    }
    if (files.stream().distinct().count() != files.size()) {
      throw new IllegalArgumentException("a file is listed twice: " + files);
    }
  }

  /**
   * Reads the list out of a page.
   *
   * @throws IllegalArgumentException if the markers or the list are missing
   */
  static EventPath parse(String page) {
    int start = page.indexOf(START);
    int end = page.indexOf(END);
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("the page lacks " + START + " or " + END);
    }
    String list = page.substring(start + START.length(), end);
    // The first path of a line is the file; others are mentioned in its description.
    List<String> files =
        list.lines()
            .map(FILE::matcher)
            .filter(Matcher::find)
            .map(matcher -> matcher.group(1))
            .toList();
    return new EventPath(files);
  }

  /** The packages in the order in which they are entered; one that is entered twice comes twice. */
  List<String> packages() {
    List<String> folders =
        files.stream().map(file -> String.valueOf(Path.of(file).getParent())).toList();
    return IntStream.range(0, folders.size())
        .filter(i -> i == 0 || !folders.get(i).equals(folders.get(i - 1)))
        .mapToObj(folders::get)
        .toList();
  }
}
