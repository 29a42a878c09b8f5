// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The stations of an event from the API server to the reconciler, as listed in a page between two
 * markers: one backquoted path per line, relative to the checkout. After {@code helpers:} come the
 * names of the classes that do a part of the work of the station above.
 *
 * @param files the stations, in the order in which they are read
 * @param helpers the names of the helpers of all stations; one that is named twice comes twice
 */
record EventPath(List<String> files, List<String> helpers) {

  static final String START = "<!-- event-path -->";
  static final String END = "<!-- /event-path -->";

  private static final Pattern FILE = Pattern.compile("`([^`\\s]+/[^`\\s]+\\.java)`");

  private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*)`");

  EventPath {
    files = List.copyOf(files);
    helpers = List.copyOf(helpers);
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
    return new EventPath(files, helpers(list));
  }

  /** From {@code helpers:} up to the next station. */
  private static List<String> helpers(String list) {
    List<String> helpers = new ArrayList<>();
    boolean inside = false;
    for (String line : list.lines().toList()) {
      inside = line.strip().startsWith("helpers:") || (inside && !FILE.matcher(line).find());
      if (inside) {
        NAME.matcher(line).results().map(result -> result.group(1)).forEach(helpers::add);
      }
    }
    return helpers;
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
