// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import java.util.List;

/**
 * What distinguishes the program of one operator from the others. Immutable.
 *
 * @param name of the program, as users type it, such as {@code foo}; its rights are printed for
 *     {@code foo-operator}
 * @param workers how many reconciles run at a time, unless {@code --workers} says otherwise
 * @param metrics where metrics are served by default, such as {@code :8080}; {@code 0} for nowhere
 * @param probes where probes are served by default, likewise
 * @param lease the name of the Lease for which replicas compete if they elect a leader
 * @param crds the class path of each CRD that was written by hand; those that the build made of
 *     classes are found without
 * @param debug the loggers whose DEBUG lines belong to what the operator prints
 * @param wording what it says at its start, and when it can't run
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

  /** For an address: nothing is served. */
  public static final String NOWHERE = "0";

  /**
   * What a program says before its start, and the beginnings of the last line of one that fails,
   * where a colon and the reason follow.
   *
   * @param begin the line before the start
   * @param connect the configuration of the client can't be used
   * @param start something can't start
   * @param run something failed later
   */
  public record Wording(String begin, String connect, String start, String run) {

    /** The words of controller-runtime's projects (003-74). */
    public static final Wording OF_CONTROLLER_RUNTIME =
        new Wording(
            "starting manager",
            "unable to start manager",
            "unable to start manager",
            "problem running manager");
  }

  /** Takes copies. */
  public Profile {
    crds = List.copyOf(crds);
    debug = List.copyOf(debug);
  }

  /**
   * A program with one worker, metrics at {@code :8080} (000-134, 003-74) and no probes.
   *
   * @param name of the program
   * @param lease the name of its Lease
   */
  public static Profile of(String name, String lease) {
    return new Profile(
        name, 1, ":8080", NOWHERE, lease, List.of(), List.of(), Wording.OF_CONTROLLER_RUNTIME);
  }

  /** The same with probes at an address. */
  public Profile probing(String address) {
    return new Profile(name, workers, metrics, address, lease, crds, debug, wording);
  }

  /** The same that shows what some loggers say at DEBUG. */
  public Profile showing(List<String> loggers) {
    return new Profile(name, workers, metrics, probes, lease, crds, loggers, wording);
  }
}
