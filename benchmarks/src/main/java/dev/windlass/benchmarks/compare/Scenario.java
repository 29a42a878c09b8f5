// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The scenarios to measure, with their numbers of objects and the titles of their columns in the
 * report.
 */
enum Scenario {
  /** All objects exist, and the program starts and reconciles each of them once. */
  SYNC(
      List.of(1_000),
      List.of(1_000, 20_000),
      List.of(100_000),
      List.of("wall s", "CPU s", "heap MB", "RSS MB", "peak RSS MB")),

  /** The program creates a ConfigMap for each object and writes the object's status. */
  CONVERGE(
      List.of(200),
      List.of(1_000),
      List.of(10_000),
      List.of("wall s", "CPU s", "writes", "requests", "reconciles")),

  /** The program of {@link #CONVERGE} starts again when all objects have converged. */
  RESTART(List.of(200), List.of(1_000), List.of(10_000), List.of("wall s", "CPU s", "classes")),

  /** A separate writer changes random objects 200 times a second. */
  LATENCY(
      List.of(200),
      List.of(1_000),
      List.of(),
      List.of("p50 ms", "p99 ms", "CPU s", "changes seen")),

  /** A separate writer changes random objects 1,000 times a second. */
  LOAD(
      List.of(200),
      List.of(),
      List.of(1_000),
      List.of("p50 ms", "p99 ms", "CPU s", "changes seen")),

  /**
   * The benchmark kills the API server after a program has cached the objects, and starts it again.
   */
  STORM(List.of(200), List.of(), List.of(20_000), List.of("fresh s", "CPU s", "requests")),

  /**
   * The program reconciles all objects once more, and each reconcile waits as for an external call.
   * Several processes divide the objects.
   */
  SCALE(List.of(200), List.of(), List.of(10_000), List.of("wall s", "objects/s")),

  /** No object changes. The number of objects is the number of watches, each on its own type. */
  IDLE(List.of(1, 3), List.of(), List.of(1, 100), List.of("requests", "CPU s")),

  /** The writer of {@link #LATENCY} changes 50 objects a second for half an hour. */
  SOAK(List.of(200), List.of(), List.of(1_000), List.of("RSS growth KB/min", "RSS MB", "heap MB"));

  private final List<Integer> quick;
  private final List<Integer> normal;
  private final List<Integer> full;
  private final List<String> columns;

  Scenario(List<Integer> quick, List<Integer> normal, List<Integer> full, List<String> columns) {
    this.quick = quick;
    this.normal = normal;
    this.full = full;
    this.columns = columns;
  }

  /** Returns whether the scenario is part of a run without {@code --full}. */
  boolean isDefault() {
    return !normal.isEmpty();
  }

  /**
   * Returns whether all programs run at the same time, in one round only, because the scenario
   * takes long and no figure depends on the speed of a program.
   */
  boolean isSimultaneous() {
    return this == IDLE || this == SOAK;
  }

  /**
   * Returns the numbers of objects of a run without {@code --full}. If the scenario is not part of
   * such a run, returns the numbers for {@code --full}.
   */
  List<Integer> normal() {
    return normal.isEmpty() ? full : normal;
  }

  /** Returns the numbers of objects for {@code --quick}. */
  List<Integer> quick() {
    return quick;
  }

  /** Returns the numbers of objects for {@code --full}. */
  List<Integer> full() {
    List<Integer> all = new ArrayList<>(normal);
    all.addAll(full);
    return List.copyOf(all);
  }

  /**
   * Returns the titles of the columns, in order. Each title is also the name of the figure in its
   * column.
   */
  List<String> columns() {
    return columns;
  }

  /** Returns the title of a table, with the number of objects or, in IDLE, of watches. */
  String title(int objects) {
    String things = this == IDLE ? "watch" + (objects == 1 ? "" : "es") : "objects";
    return String.format(Locale.ROOT, "%s, %,d %s", title(), objects, things);
  }

  /** Returns the name that is used on the command line and in the results. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
