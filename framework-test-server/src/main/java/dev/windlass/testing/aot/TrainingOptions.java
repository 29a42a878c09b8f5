// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.aot;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The arguments of {@link TrainingRun}.
 *
 * @param manifests the files to apply before the program starts
 * @param object the file that contains the object to copy
 * @param objects the number of copies to create
 * @param lease the lease that the program must take over
 * @param command the program and its arguments
 */
record TrainingOptions(
    List<Path> manifests,
    Optional<Path> object,
    int objects,
    Optional<LeaseName> lease,
    List<String> command) {

  record LeaseName(String namespace, String name) {}

  static final int OBJECTS = 100;
  private static final int MOST_OBJECTS = 10_000;

  static final String USAGE =
      """
      Usage: TrainingRun [OPTIONS] -- PROGRAM [ARGUMENT...]
      Runs a program against an embedded Kubernetes API server: starts it, creates objects, waits
      until it has written nothing for 3 s, and stops it by SIGTERM. KUBECONFIG names the server.

        --apply=FILE            Creates the objects of a YAML file before the program starts, such
                                as CRDs. Can be repeated.
        --object=FILE           Creates copies of the object of a YAML file, named NAME-1, NAME-2...
        --objects=N             The number of copies. Default: 100.
        --lease=NAMESPACE/NAME  Creates a Lease that another replica holds, and releases it 3 s after
                                the objects exist. The program must take it over.
      """;

  /**
   * Parses the arguments.
   *
   * @throws IllegalArgumentException if an argument is invalid; the message names the argument
   */
  static TrainingOptions parse(String... arguments) {
    int end = Arrays.asList(arguments).indexOf("--");
    if (end < 0 || end == arguments.length - 1) {
      throw new IllegalArgumentException("no program: name it and its arguments after --");
    }
    List<Path> manifests = new ArrayList<>();
    Optional<Path> object = Optional.empty();
    OptionalInt objects = OptionalInt.empty();
    Optional<LeaseName> lease = Optional.empty();
    for (String argument : List.of(arguments).subList(0, end)) {
      int equals = argument.indexOf('=');
      String value = argument.substring(equals + 1);
      switch (equals < 0 ? argument : argument.substring(0, equals)) {
        case "--apply" -> manifests.add(file(argument, value));
        case "--object" -> object = Optional.of(file(argument, value));
        case "--objects" -> objects = OptionalInt.of(count(argument, value));
        case "--lease" -> lease = Optional.of(lease(argument, value));
        default ->
            throw new IllegalArgumentException(
                "unknown argument " + argument + "; the program follows after --");
      }
    }
    if (objects.isPresent() && object.isEmpty()) {
      throw new IllegalArgumentException("--objects needs --object, which names the object's file");
    }
    return new TrainingOptions(
        List.copyOf(manifests),
        object,
        objects.orElse(OBJECTS),
        lease,
        List.of(arguments).subList(end + 1, arguments.length));
  }

  private static Path file(String argument, String value) {
    Path file = Path.of(value);
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(argument + ": there is no such file");
    }
    return file;
  }

  private static int count(String argument, String value) {
    try {
      int count = Integer.parseInt(value);
      if (count >= 1 && count <= MOST_OBJECTS) {
        return count;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IllegalArgumentException(argument + ": use a number from 1 to " + MOST_OBJECTS);
  }

  private static LeaseName lease(String argument, String value) {
    int slash = value.indexOf('/');
    if (slash <= 0 || slash == value.length() - 1 || slash != value.lastIndexOf('/')) {
      throw new IllegalArgumentException(argument + ": use NAMESPACE/NAME");
    }
    return new LeaseName(value.substring(0, slash), value.substring(slash + 1));
  }
}
