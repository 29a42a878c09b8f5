// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

/**
 * The headings of the guide for the migration from the Java Operator SDK. Each {@code TODO} comment
 * refers to one of them.
 */
enum Heading {
  RECONCILER("reconciler-and-results"),
  CLEAN_UP("clean-up"),
  EVENT_SOURCES("event-sources"),
  DEPENDENTS("dependent-resources-and-workflows"),
  ERRORS("errors-retries-and-rates"),
  OPERATOR("the-operator"),
  TESTS("tests"),
  DIFFERENCES("differences-in-behaviour"),
  NAMES("keeping-the-names"),
  TAKEOVER("taking-over-owned-objects");

  private static final String PAGE = "https://windlass.dev/coming-over/java-operator-sdk/#";

  private final String anchor;

  Heading(String anchor) {
    this.anchor = anchor;
  }

  /** Returns the URL of the heading. */
  String link() {
    return PAGE + anchor;
  }
}
