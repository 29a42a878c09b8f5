// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import java.util.List;

/**
 * The defaults and texts that distinguish one operator's program from the others. This record is
 * immutable.
 *
 * @param name the name of the program on the command line, such as {@code foo}; its permissions are
 *     printed for {@code foo-operator}
 * @param workers the number of concurrent reconciles, unless {@code --workers} is given
 * @param metrics the default address of the metrics endpoint, such as {@code :8080}; {@code 0}
 *     disables the endpoint
 * @param probes the default address of the health probes; {@code 0} disables the probes
 * @param lease the name of the Lease for which replicas compete if leader election is enabled
 * @param crds the class path locations of the handwritten CRDs; generated CRDs are found
 *     automatically
 * @param debug the loggers whose DEBUG lines are part of the operator's normal output
 * @param wording the texts that the program logs at the start and on failure
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

  /** The address that disables an endpoint. */
  public static final String NOWHERE = "0";

  /**
   * The texts that a program logs: one line before it starts, and the beginning of its last line if
   * it fails. In the last line, a colon and the cause follow the text.
   *
   * @param begin the line before the start
   * @param connect the text for an invalid client configuration
   * @param start the text for a component that fails to start
   * @param run the text for a component that fails later
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

  /** Creates a profile with copies of the lists. */
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
