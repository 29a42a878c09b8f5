// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import java.util.List;
import java.util.Locale;

/** The scenarios to measure. The titles of the columns are also the names of the figures. */
enum Scenario {
  /** All objects exist, and the program starts and reconciles each of them once. */
  SYNC(
      List.of(1_000, 20_000),
      List.of(1_000),
      List.of("wall s", "CPU s", "heap MB", "RSS MB", "peak RSS MB")),

  /** The program creates a ConfigMap and writes a status for each object. */
  CONVERGE(
      List.of(1_000), List.of(200), List.of("wall s", "CPU s", "writes", "requests", "reconciles")),

  /** The same program starts again over converged objects. */
  RESTART(List.of(1_000), List.of(200), List.of("wall s", "CPU s", "classes")),

  /** A separate writer changes random objects at a fixed rate. */
  LATENCY(List.of(1_000), List.of(200), List.of("p50 ms", "p99 ms", "CPU s", "changes seen"));

  private final List<Integer> normal;
  private final List<Integer> quick;
  private final List<String> columns;

  Scenario(List<Integer> normal, List<Integer> quick, List<String> columns) {
    this.normal = normal;
    this.quick = quick;
    this.columns = columns;
  }

  /** Returns the numbers of objects of a full run. */
  List<Integer> normal() {
    return normal;
  }

  /** Returns the numbers of objects for {@code --quick}. */
  List<Integer> quick() {
    return quick;
  }

  /** Returns the figures of one run, in order. */
  List<String> columns() {
    return columns;
  }

  /** Returns the name that is used on the command line and in the results. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
