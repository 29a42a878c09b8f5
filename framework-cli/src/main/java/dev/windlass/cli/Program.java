// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.manager.Manager;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Defines the name of an operator and the defaults of its command-line options.
 *
 * <pre>{@code
 * Program.named("website-operator").workers(4).probes(":8081").metrics(":8080")
 * }</pre>
 *
 * <p>By default, an operator runs one reconcile at a time, and serves neither probes nor metrics.
 * This class is immutable: each method returns a modified copy.
 */
public final class Program {

  /** The address that disables an endpoint. */
  static final String NOWHERE = "0";

  private final String name;
  private @Nullable String version;
  private String role;
  private String lease;
  private int workers = 1;
  private String metrics = NOWHERE;
  private String probes = NOWHERE;
  private List<String> crds = List.of();
  private List<String> debug = List.of();
  private Wording wording = Wording.OF_CONTROLLER_RUNTIME;

  /**
   * The messages that a program logs when it starts and when it fails. After a failure, the program
   * appends a colon and the cause to the message. Change the messages only if the program replaces
   * an earlier program that logged different messages.
   *
   * @param begin the message before startup
   * @param connect the message if the client configuration is invalid
   * @param start the message if a component fails to start
   * @param run the message if a component fails after it has started
   */
  public record Wording(String begin, String connect, String start, String run) {

    /** The messages that programs based on controller-runtime usually log. This is the default. */
    public static final Wording OF_CONTROLLER_RUNTIME =
        new Wording(
            "starting manager",
            "unable to start manager",
            "unable to start manager",
            "problem running manager");
  }

  private Program(String name) {
    this.name = name;
    this.role = name;
    this.lease = name;
  }

  private Program(Program original) {
    name = original.name;
    version = original.version;
    role = original.role;
    lease = original.lease;
    workers = original.workers;
    metrics = original.metrics;
    probes = original.probes;
    crds = original.crds;
    debug = original.debug;
    wording = original.wording;
  }

  /**
   * Creates a program with the default options.
   *
   * @param name the program's name, which appears in its help and its log; by default, its Lease
   *     and its roles have the same name
   * @throws IllegalArgumentException if the name is blank
   */
  public static Program named(String name) {
    return new Program(given("name", name));
  }

  /**
   * Sets the version that the program logs and that {@code --version} prints. The default is the
   * {@code Implementation-Version} in the manifest of the jar that contains the operator's class.
   * If the manifest does not contain a version, the default is the version of the Java module.
   */
  public Program version(String newVersion) {
    return with(copy -> copy.version = given("version", newVersion));
  }

  /**
   * Sets the default number of concurrent reconciles, which must be at least 1. The option {@code
   * --workers} overrides it.
   */
  public Program workers(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("workers is " + count + "; it must be 1 or more");
    }
    return with(copy -> copy.workers = count);
  }

  /**
   * Sets the default address of the metrics endpoint, such as {@code :8080}; {@code
   * --metrics-bind-address} overrides it. To serve metrics in the Prometheus format, add {@code
   * micrometer-registry-prometheus} to the class path.
   *
   * @throws IllegalArgumentException if the address is invalid
   */
  public Program metrics(String address) {
    Manager.builder().metricsBindAddress(address);
    return with(copy -> copy.metrics = address);
  }

  /**
   * Sets the default address of the health probes, such as {@code :8081}; {@code
   * --health-probe-bind-address} overrides it.
   *
   * @throws IllegalArgumentException if the address is invalid
   */
  public Program probes(String address) {
    Manager.builder().healthProbeBindAddress(address);
    return with(copy -> copy.probes = address);
  }

  /** Sets the name of the Lease for leader election ({@code --leader-elect}). */
  public Program lease(String newName) {
    return with(copy -> copy.lease = given("lease", newName));
  }

  /**
   * Sets the name of the roles that {@code --print-rbac} prints. It is also the name of the objects
   * that {@code --write-helm} and {@code --write-manifests} write.
   */
  public Program role(String newName) {
    return with(copy -> copy.role = given("role", newName));
  }

  /**
   * Sets the class path locations of handwritten CRDs, which {@code --install-crds} applies
   * together with the generated ones. A handwritten CRD replaces a generated CRD with the same
   * name.
   */
  public Program crds(String... files) {
    return with(copy -> copy.crds = List.of(files));
  }

  /** Enables level DEBUG for the given loggers. The program's log level does not affect them. */
  public Program debug(String... loggers) {
    return with(copy -> copy.debug = List.of(loggers));
  }

  /** Sets the messages that the program logs when it starts and when it fails. */
  public Program wording(Wording texts) {
    return with(copy -> copy.wording = texts);
  }

  private Program with(Consumer<Program> change) {
    Program copy = new Program(this);
    change.accept(copy);
    return copy;
  }

  private static String given(String what, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException("the " + what + " of a program must not be blank");
    }
    return value;
  }

  String name() {
    return name;
  }

  /**
   * Returns the version that was set. If none was set, returns the version that the manifest of the
   * class's jar declares, or else the version of the class's module. Returns null if there is no
   * version.
   */
  @Nullable String versionOf(Class<?> operator) {
    if (version != null) {
      return version;
    }
    Package declaring = operator.getPackage();
    String inManifest = declaring == null ? null : declaring.getImplementationVersion();
    return inManifest != null || operator.getModule().getDescriptor() == null
        ? inManifest
        : operator.getModule().getDescriptor().rawVersion().orElse(null);
  }

  String role() {
    return role;
  }

  String lease() {
    return lease;
  }

  int workers() {
    return workers;
  }

  String metrics() {
    return metrics;
  }

  String probes() {
    return probes;
  }

  List<String> crds() {
    return crds;
  }

  List<String> debug() {
    return debug;
  }

  Wording wording() {
    return wording;
  }
}
