// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.manager.Manager;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name and the default options of an operator's program.
 *
 * <pre>{@code
 * Program.named("website-operator").workers(4).probes(":8081").metrics(":8080")
 * }</pre>
 *
 * <p>Unless stated otherwise, the program has one worker and serves neither probes nor metrics.
 * This class is immutable: each method returns a copy.
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
   * The texts that a program logs: one line before it starts, and the beginning of its last line if
   * it fails. In the last line, a colon and the cause follow the text. Replace the texts only if
   * the program must log the same texts as an earlier program.
   *
   * @param begin the line before startup
   * @param connect the text for an invalid client configuration
   * @param start the text for a component that fails to start
   * @param run the text for a component that fails later
   */
  public record Wording(String begin, String connect, String start, String run) {

    /** The texts that projects based on controller-runtime log. This is the default. */
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
   * @param name the program's name in its help and its log, which is also the default name of its
   *     Lease and role
   * @throws IllegalArgumentException if the name is blank
   */
  public static Program named(String name) {
    return new Program(given("name", name));
  }

  /**
   * Sets the version that {@code --version} and the log print. By default, it is the {@code
   * Implementation-Version} in the manifest of the jar that contains the operator's class, or the
   * version of its module.
   */
  public Program version(String newVersion) {
    Program copy = new Program(this);
    copy.version = given("version", newVersion);
    return copy;
  }

  /**
   * Sets the default number of concurrent reconciles, 1 or more; {@code --workers} overrides it.
   */
  public Program workers(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("workers is " + count + "; it must be 1 or more");
    }
    Program copy = new Program(this);
    copy.workers = count;
    return copy;
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
    Program copy = new Program(this);
    copy.metrics = address;
    return copy;
  }

  /**
   * Sets the default address of the health probes, such as {@code :8081}; {@code
   * --health-probe-bind-address} overrides it.
   *
   * @throws IllegalArgumentException if the address is invalid
   */
  public Program probes(String address) {
    Manager.builder().healthProbeBindAddress(address);
    Program copy = new Program(this);
    copy.probes = address;
    return copy;
  }

  /** Sets the name of the Lease for which replicas compete with {@code --leader-elect}. */
  public Program lease(String newName) {
    Program copy = new Program(this);
    copy.lease = given("lease", newName);
    return copy;
  }

  /**
   * Sets the name of the roles that {@code --print-rbac} prints, and of all objects that {@code
   * --write-helm} and {@code --write-kustomize} write.
   */
  public Program role(String newName) {
    Program copy = new Program(this);
    copy.role = given("role", newName);
    return copy;
  }

  /**
   * Sets the class path locations of handwritten CRDs, which {@code --install-crds} applies
   * together with the generated ones. A handwritten CRD replaces a generated CRD with the same
   * name.
   */
  public Program crds(String... files) {
    Program copy = new Program(this);
    copy.crds = List.of(files);
    return copy;
  }

  /** Sets the loggers whose DEBUG lines are part of the program's normal output. */
  public Program debug(String... loggers) {
    Program copy = new Program(this);
    copy.debug = List.of(loggers);
    return copy;
  }

  /** Sets the texts that the program logs when it starts and when it fails. */
  public Program wording(Wording texts) {
    Program copy = new Program(this);
    copy.wording = texts;
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
   * Returns the version that was set, or the version that the jar or the module of a class
   * declares; null if there is none.
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
