// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import java.util.List;

/**
 * The defaults and texts that distinguish one operator's program from the others. Immutable.
 *
 * @param name the name of the program, as users type it, such as {@code foo}; its permissions are
 *     printed for {@code foo-operator}
 * @param workers the number of concurrent reconciles, unless {@code --workers} is given
 * @param metrics the default address of the metrics endpoint, such as {@code :8080}; {@code 0} to
 *     serve none
 * @param probes the default address of the health probes; {@code 0} to serve none
 * @param lease the name of the Lease that replicas compete for if leader election is on
 * @param crds the class path locations of the handwritten CRDs; generated CRDs are found
 *     automatically
 * @param debug the loggers whose DEBUG lines are part of the operator's normal output
 * @param wording the texts printed at the start and on failure
 */
public record Profile(
    String name,
    int workers,
    String metrics,
    String probes,
    String lease,
    List<String> crds,
    List<String> debug,
    Wording wording) {

  /** The address that serves nothing. */
  public static final String NOWHERE = "0";

  /**
   * The line that a program prints before it starts, and the beginnings of its last line if it
   * fails; a colon and the cause follow.
   *
   * @param begin the line before the start
   * @param connect if the client configuration is invalid
   * @param start if a component can't start
   * @param run if a component fails later
   */
  public record Wording(String begin, String connect, String start, String run) {

    /** The texts used by controller-runtime projects. */
    public static final Wording OF_CONTROLLER_RUNTIME =
        new Wording(
            "starting manager",
            "unable to start manager",
            "unable to start manager",
            "problem running manager");
  }

  /** Copies the lists. */
  public Profile {
    crds = List.copyOf(crds);
    debug = List.copyOf(debug);
  }

  /**
   * Creates the profile of a program with one worker, metrics at {@code :8080} and no probes.
   *
   * @param name the name of the program
   * @param lease the name of its Lease
   */
  public static Profile of(String name, String lease) {
    return new Profile(
        name, 1, ":8080", NOWHERE, lease, List.of(), List.of(), Wording.OF_CONTROLLER_RUNTIME);
  }

  /** Returns a copy that serves probes at an address. */
  public Profile probing(String address) {
    return new Profile(name, workers, metrics, address, lease, crds, debug, wording);
  }

  /** Returns a copy that shows the DEBUG lines of some loggers. */
  public Profile showing(List<String> loggers) {
    return new Profile(name, workers, metrics, probes, lease, crds, loggers, wording);
  }
}
