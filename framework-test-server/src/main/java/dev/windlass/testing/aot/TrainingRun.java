// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.aot;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Runs an operator once against the embedded API server, so that its JVM can create a CDS archive
 * or an AOT cache. This file makes later starts of the operator faster. During the training run,
 * the operator acquires its lease and reconciles some objects. Then the training run stops the
 * operator, and the JVM writes the file that its flags specify. The server uses HTTPS, as that of a
 * cluster does, so that the file contains the classes for TLS.
 *
 * <pre>
 * java -cp 'training/*' dev.windlass.testing.aot.TrainingRun \
 *     --object=foo.yaml --lease=foo-system/foo-operator -- \
 *     java -XX:ArchiveClassesAtExit=foo.jsa -jar foo.jar --install-crds --leader-elect
 * java -XX:SharedArchiveFile=foo.jsa -jar foo.jar
 * </pre>
 *
 * <p>The class path of the training run must contain {@code framework-test-server} and its
 * dependencies. To use an AOT cache on JDK 25, set {@code -XX:AOTCacheOutput} in the training run,
 * and {@code -XX:AOTCache} in later starts.
 */
public final class TrainingRun {

  private static final Duration QUIET = Duration.ofSeconds(5);
  private static final Duration START_LIMIT = Duration.ofMinutes(5);
  private static final Duration WORK_LIMIT = Duration.ofMinutes(5);
  private static final Duration STOP_LIMIT = Duration.ofMinutes(5);
  private static final Duration PERIOD = Duration.ofMillis(200);
  private static final int SIGTERM = 128 + 15;
  private static final int LEASE_SECONDS = 15;

  /**
   * The time for which the training run keeps the lease after it has created the objects: 3 s.
   * During this time, it plays the role of another replica.
   */
  private static final Duration STANDBY = Duration.ofSeconds(3);

  private final TrainingOptions options;
  private final PrintStream out;
  private final Duration startLimit;
  private final Duration quiet;

  TrainingRun(TrainingOptions options, PrintStream out) {
    this(options, out, START_LIMIT, QUIET);
  }

  /**
   * Creates a training run.
   *
   * @param startLimit the time that the program has until the server serves the type of its
   *     objects, then to take over its lease, and then until its first write for an object
   * @param quiet the time without writes after which the run stops the program
   */
  TrainingRun(TrainingOptions options, PrintStream out, Duration startLimit, Duration quiet) {
    this.options = options;
    this.out = out;
    this.startLimit = startLimit;
    this.quiet = quiet;
  }

  /**
   * Runs the training. {@code --help} lists the arguments.
   *
   * <p>The exit code is 0 if the program started, stopped writing to the server for 3 s (except to
   * leases), and then terminated on SIGTERM. It is 2 if an argument is invalid, and 1 after any
   * other failure. The cause of a failure is printed to standard error.
   */
  public static void main(String[] arguments) throws InterruptedException {
    // The output of the program is of interest, but not that of the server's libraries.
    if (System.getProperty("slf4j.provider") == null) {
      System.setProperty("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
    }
    if (arguments.length == 1 && arguments[0].equals("--help")) {
      System.out.print(TrainingOptions.USAGE);
      return;
    }
    try {
      new TrainingRun(TrainingOptions.parse(arguments), System.out).run();
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "\n" + TrainingOptions.USAGE);
      System.exit(2);
    } catch (TrainingException | IOException | KubernetesClientException e) {
      System.err.println("The training failed: " + e.getMessage());
      System.exit(1);
    }
  }

  void run() throws TrainingException, IOException, InterruptedException {
    Path folder = Files.createTempDirectory("training");
    Path kubeconfig = folder.resolve("kubeconfig");
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().withTls().start();
        KubernetesClient client = server.newClient()) {
      Files.writeString(kubeconfig, server.kubeconfig());
      prepare(client);
      server.clearRequests();
      ProcessBuilder program = new ProcessBuilder(options.command()).inheritIO();
      program.environment().put("KUBECONFIG", kubeconfig.toString());
      Process process = program.start();
      try {
        int own = createObjects(client, process);
        awaitTakeover(client, process);
        int writes = awaitQuiet(server, process, own);
        stop(process);
        out.printf("The program has written %d times and has stopped.%n", writes);
        if (writes == 0 && options.object().isPresent()) {
          throw new TrainingException(
              "the program wrote nothing for its objects; see its output above. If it never"
                  + " writes, create the objects with --apply instead of --object");
        }
      } finally {
        process.destroyForcibly();
      }
    } finally {
      Files.deleteIfExists(kubeconfig);
      Files.delete(folder);
    }
  }

  private void prepare(KubernetesClient client) throws IOException {
    for (Path manifest : options.manifests()) {
      try (InputStream yaml = Files.newInputStream(manifest)) {
        client.load(yaml).items().forEach(object -> client.resource(object).create());
      }
    }
    if (options.lease().isPresent()) {
      TrainingOptions.LeaseName lease = options.lease().get();
      ensureNamespace(client, lease.namespace());
      ZonedDateTime now = ZonedDateTime.now(Clock.systemUTC());
      client
          .resource(
              new LeaseBuilder()
                  .withNewMetadata()
                  .withNamespace(lease.namespace())
                  .withName(lease.name())
                  .endMetadata()
                  .withNewSpec()
                  .withHolderIdentity("training")
                  .withLeaseDurationSeconds(LEASE_SECONDS)
                  .withAcquireTime(now)
                  .withRenewTime(now)
                  .endSpec()
                  .build())
          .create();
    }
  }

  /** Creates a namespace if it does not exist, and returns the number of writes. */
  @CanIgnoreReturnValue
  private static int ensureNamespace(KubernetesClient client, String name) {
    if (client.namespaces().withName(name).get() != null) {
      return 0;
    }
    client
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    return 1;
  }

  /**
   * Creates the objects. First waits until the server serves their type, because the program may
   * have to install the CRD. Returns the number of writes.
   */
  private int createObjects(KubernetesClient client, Process process)
      throws TrainingException, IOException, InterruptedException {
    if (options.object().isEmpty()) {
      return 0;
    }
    GenericKubernetesResource object =
        new KubernetesSerialization()
            .unmarshal(Files.readString(options.object().get()), GenericKubernetesResource.class);
    if (object.getMetadata() == null || object.getMetadata().getName() == null) {
      throw new TrainingException(options.object().get() + " contains no object with a name");
    }
    String name = object.getMetadata().getName();
    int writes = options.objects();
    if (object.getMetadata().getNamespace() != null) {
      writes += ensureNamespace(client, object.getMetadata().getNamespace());
    }
    var copies = client.genericKubernetesResources(type(client, object, process));
    for (int i = 1; i <= options.objects(); i++) {
      object.getMetadata().setName(name + "-" + i);
      copies.resource(object).create();
    }
    return writes;
  }

  private ResourceDefinitionContext type(
      KubernetesClient client, HasMetadata object, Process process)
      throws TrainingException, InterruptedException {
    long begun = System.nanoTime();
    while (true) {
      APIResourceList served = client.getApiResources(object.getApiVersion());
      for (APIResource type : served == null ? List.<APIResource>of() : served.getResources()) {
        if (type.getKind().equals(object.getKind()) && !type.getName().contains("/")) {
          return ResourceDefinitionContext.fromApiResource(object.getApiVersion(), type);
        }
      }
      pause(process);
      requireWithin(
          startLimit,
          begun,
          "the server does not serve "
              + object.getKind()
              + " of "
              + object.getApiVersion()
              + ", because the program has not installed the CRD. Name the CRD's file with --apply,"
              + " or add --install-crds to the arguments of a program with framework-cli");
    }
  }

  /**
   * Releases the lease after {@link #STANDBY}, and waits until the program has acquired it. Before
   * the release, the program detects that another replica holds the lease.
   */
  private void awaitTakeover(KubernetesClient client, Process process)
      throws TrainingException, InterruptedException {
    if (options.lease().isEmpty()) {
      return;
    }
    if (process.waitFor(STANDBY.toMillis(), TimeUnit.MILLISECONDS)) {
      throw ended(process);
    }
    TrainingOptions.LeaseName name = options.lease().get();
    var lease = client.leases().inNamespace(name.namespace()).withName(name.name());
    lease.edit(
        held ->
            new LeaseBuilder(held)
                .editSpec()
                .withHolderIdentity("")
                .withLeaseDurationSeconds(1)
                .endSpec()
                .build());
    long begun = System.nanoTime();
    while (Objects.requireNonNullElse(lease.require().getSpec().getHolderIdentity(), "")
        .isEmpty()) {
      pause(process);
      requireWithin(startLimit, begun, "the program has not taken over the lease " + lease(name));
    }
  }

  private static String lease(TrainingOptions.LeaseName name) {
    return name.namespace() + "/" + name.name();
  }

  /**
   * Waits until the program has written nothing to the server for {@link #quiet}, and returns the
   * number of its writes. Writes to leases do not count. If there are objects, first waits for a
   * write, because a slow machine can need longer than that to start the program.
   *
   * @param own the number of writes of this training run
   */
  private int awaitQuiet(EmbeddedApiServer server, Process process, int own)
      throws TrainingException, InterruptedException {
    int writes = -own;
    long begun = System.nanoTime();
    long last = begun;
    while (System.nanoTime() - last < quiet.toNanos()
        || (options.object().isPresent()
            && writes <= 0
            && System.nanoTime() - begun < startLimit.toNanos())) {
      pause(process);
      requireWithin(WORK_LIMIT, begun, "the program still writes");
      long now =
          server.requests().stream()
              .filter(request -> request.verb().isWrite())
              .map(RecordedRequest::resource)
              .filter(resource -> !resource.startsWith("leases"))
              .count();
      server.clearRequests();
      if (now > 0) {
        writes += (int) now;
        last = System.nanoTime();
      }
    }
    return writes;
  }

  private static void stop(Process process) throws TrainingException, InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new TrainingException("the program did not exit within 120 s after SIGTERM");
    }
    if (process.exitValue() != 0 && process.exitValue() != SIGTERM) {
      throw new TrainingException("the program has exited with " + process.exitValue());
    }
  }

  /**
   * Waits for {@link #PERIOD} before the next check of the server. Throws an exception if the
   * program ends.
   */
  private static void pause(Process process) throws TrainingException, InterruptedException {
    if (process.waitFor(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
      throw ended(process);
    }
  }

  private static TrainingException ended(Process process) {
    return new TrainingException(
        "the program has exited early, with " + process.exitValue() + "; see its output above");
  }

  private static void requireWithin(Duration limit, long begun, String problem)
      throws TrainingException {
    if (System.nanoTime() - begun > limit.toNanos()) {
      throw new TrainingException("after " + limit.toSeconds() + " s, " + problem);
    }
  }

  /** Thrown if the training fails, because of the program or its environment. */
  static final class TrainingException extends Exception {
    private static final long serialVersionUID = 1L;

    TrainingException(String message) {
      super(message);
    }
  }
}
