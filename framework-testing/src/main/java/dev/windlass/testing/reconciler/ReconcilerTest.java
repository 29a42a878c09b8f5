// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.OpenDefinition;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.simulation.SimulatedProcess;
import dev.windlass.testing.simulation.Simulation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.micrometer.observation.ObservationRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs an operator in virtual time, on the test's thread, against an embedded API server. The
 * controllers use real watches, caches and work queues. They run only while the test calls a
 * method, so a test is reproducible and does not need to sleep.
 *
 * <pre>{@code
 * try (ReconcilerTest test = ReconcilerTest.of(Widget.class, WidgetReconciler::new, ConfigMap.class)) {
 *   test.create(widget);
 *   test.reconcile().assertWrites("create configmaps default/first", "update widgets.example.com/status default/first");
 *   test.assertEventuallyStable();
 *   test.advance(Duration.ofHours(10)); // takes milliseconds
 * }
 * }</pre>
 *
 * <p>The first call that runs the operator, such as {@link #reconcile()}, starts it. Objects that
 * the test creates before this call already exist when the operator starts. The server runs the
 * garbage collector and the other controllers that {@link EmbeddedApiServer} describes.
 *
 * <p>A test method annotated with {@link CrashAtEveryWrite}, {@link StaleCache} or {@link
 * DropEvents} is repeated with injected faults. This class is not thread-safe.
 */
public final class ReconcilerTest implements AutoCloseable {

  /** The maximum virtual time that {@link #reconcile()} waits for a reconcile: 1 h. */
  private static final Duration LIMIT = Duration.ofHours(1);

  /** The time without writes before {@link #assertEventuallyStable()} checks a stable period. */
  private static final Duration QUIET = Duration.ofMinutes(1);

  private static final int MOST_PERIODS = 20;

  /** The number of writes at which {@link #assertEventuallyStable()} fails. */
  private static final int MOST_WRITES = 1_000;

  private final Simulation simulation = Simulation.inOrder();
  private final KubernetesClient user = simulation.kubernetesClient();
  private final Consumer<? super Manager> operator;
  private final @Nullable FaultRun run;
  private final Trace trace;
  private final FaultInjection faults;
  private final ReconcileRecorder recorder = new ReconcileRecorder(this::reconciled);
  private final List<Reconciled> reconciles = new ArrayList<>();
  private final Map<String, Reconciled> latest = new LinkedHashMap<>();
  private final Map<String, Predicate<? super KubernetesClient>> invariants = new LinkedHashMap<>();
  private final List<OtherActor<?>> others = new ArrayList<>();
  private final Set<String> permittedRules = new HashSet<>();
  private UnaryOperator<ManagerBuilder> settings = builder -> builder;

  /** The stable period; by default the resync period of 10 h and the maximum jitter of a tenth. */
  private Duration resync = Duration.ofHours(11);

  private @Nullable SimulatedProcess process;
  private int processes;

  /**
   * The first violation of an invariant. The test throws it only when the current step has ended.
   * Otherwise, the reconciler would receive the exception.
   */
  private @Nullable AssertionError violation;

  private boolean closed;

  private ReconcilerTest(Consumer<? super Manager> operator) {
    this.operator = operator;
    this.run = FaultRun.current();
    this.trace = run == null ? new Trace() : run.begin(this);
    this.faults =
        new FaultInjection(
            simulation,
            run == null ? new Fault.None() : run.fault(),
            trace,
            this::wrote,
            reconciles::size);
    simulation.whenIdle(faults::idle);
  }

  /**
   * Creates a test of an operator.
   *
   * @param operator the function that registers the controllers with a manager, as the operator's
   *     {@code main} method does. It is called for each process, including each process that starts
   *     after a crash. It must create new reconcilers on each call, so that no state in memory
   *     survives a crash
   */
  public static ReconcilerTest of(Consumer<? super Manager> operator) {
    return new ReconcilerTest(operator);
  }

  /**
   * Creates a test of one reconciler, and installs the custom resource definition of the given type
   * as {@link #install(Class)} does.
   *
   * @param type the type of the objects to reconcile
   * @param reconciler the supplier of reconcilers; it is called once for each process
   * @param owned the types of the objects that the controller owns
   */
  @SafeVarargs
  public static <T extends HasMetadata> ReconcilerTest of(
      Class<T> type,
      Supplier<? extends ObjectReconciler<T>> reconciler,
      Class<? extends HasMetadata>... owned) {
    ReconcilerTest test =
        new ReconcilerTest(
            manager -> {
              ControllerBuilder<T> builder =
                  ControllerBuilder.forType(type).objectReconciler(reconciler.get());
              for (Class<? extends HasMetadata> child : owned) {
                builder.owns(child);
              }
              builder.register(manager);
            });
    test.install(type);
    return test;
  }

  /** Installs a custom resource definition. */
  public ReconcilerTest install(CustomResourceDefinition definition) {
    server().install(definition);
    return this;
  }

  /**
   * Installs the custom resource definition of a class. Uses the definition that the CRD generator
   * has written to the class path. If it does not exist, installs a definition that accepts any
   * fields and has a status subresource. Has no effect for built-in types.
   */
  public ReconcilerTest install(Class<? extends HasMetadata> type) {
    if (!CustomResource.class.isAssignableFrom(type)) {
      return this;
    }
    String generated =
        "META-INF/fabric8/%s.%s-v1.yml"
            .formatted(HasMetadata.getPlural(type), HasMetadata.getGroup(type));
    if (type.getClassLoader().getResource(generated) == null) {
      return install(OpenDefinition.of(type));
    }
    @SuppressWarnings("unchecked") // checked above
    var custom = (Class<? extends CustomResource<?, ?>>) type;
    server().install(custom);
    return this;
  }

  /** Sets a function that adds settings, such as a field owner, to the builder of each manager. */
  public ReconcilerTest withManager(UnaryOperator<ManagerBuilder> other) {
    requireNotStarted();
    settings = other;
    return this;
  }

  /**
   * Permits CEL rules of CRDs that the embedded server cannot evaluate. Without this, the test
   * fails when the operator starts. The server accepts all objects for these rules.
   *
   * @param rules the rules, as in the CRD
   * @see EmbeddedApiServer#unevaluatedRules()
   */
  public ReconcilerTest withoutRules(String... rules) {
    requireNotStarted();
    permittedRules.addAll(List.of(rules));
    return this;
  }

  /**
   * Sets the period of virtual time without writes that {@link #assertEventuallyStable()} requires.
   * The default is 11 h, which includes a resync of each object.
   */
  public ReconcilerTest withStablePeriod(Duration period) {
    resync = period;
    return this;
  }

  /**
   * Adds an invariant, which is checked after each write by the operator. A violation fails the
   * test with a message that contains the invariant's name and the write.
   *
   * @param condition the predicate that must be true; it reads the cluster's state with the given
   *     client
   */
  public ReconcilerTest always(String name, Predicate<? super KubernetesClient> condition) {
    invariants.put(name, condition);
    return this;
  }

  /**
   * Excludes a field from the comparison of runs with and without faults, because its value is
   * random by design, such as a generated password. Whether the field exists is still compared.
   *
   * @param path the names of the field and of the objects that contain it, outermost first, such as
   *     {@code "data", "password"}
   */
  public ReconcilerTest ignoring(Class<? extends HasMetadata> type, String... path) {
    trace.ignore(ResourceType.of(type).resource(), List.of(path));
    return this;
  }

  /**
   * Adds another actor, such as a Job that completes 5 min after its creation: runs an action for
   * each object of a type at the given time after its creation, unless the object has been deleted.
   *
   * <pre>{@code
   * test.whenCreated(Job.class, Duration.ofMinutes(5), job -> job.editStatus(this::completed));
   * }</pre>
   *
   * @param delay the virtual time from the creation to the action
   * @param action the action on the object; it uses a client with all permissions
   */
  public <T extends HasMetadata> ReconcilerTest whenCreated(
      Class<T> type, Duration delay, Consumer<? super Resource<T>> action) {
    others.add(new OtherActor<>(simulation, type, delay, action));
    return this;
  }

  private void requireNotStarted() {
    if (process != null) {
      throw new IllegalStateException("the operator has started: call this before");
    }
  }

  // ---- the user of the operator

  /** Returns a client with all permissions, for requests on behalf of a user of the operator. */
  public KubernetesClient kubernetesClient() {
    return user;
  }

  /** Returns the server, for example to inject errors or to read the stored objects. */
  public EmbeddedApiServer server() {
    return simulation.server();
  }

  /** Returns the test's wall clock, which advances with virtual time. */
  public Clock clock() {
    return simulation.clock();
  }

  /** Creates the given object and returns it as the server stored it. */
  public <T extends HasMetadata> T create(T object) {
    return user.resource(object).create();
  }

  /**
   * Changes the object with the given name and returns it as the server stored it.
   *
   * @param namespace the object's namespace, or an empty string for a cluster-scoped object
   */
  public <T extends HasMetadata> T edit(
      Class<T> type, String namespace, String name, Consumer<? super T> change) {
    return resource(type, namespace, name)
        .edit(
            object -> {
              change.accept(object);
              return object;
            });
  }

  /** Deletes the object with the given name, or marks it for deletion if it has finalizers. */
  public void delete(Class<? extends HasMetadata> type, String namespace, String name) {
    resource(type, namespace, name).delete();
  }

  /** Returns the object with the given name, if it exists. */
  public <T extends HasMetadata> Optional<T> get(Class<T> type, String namespace, String name) {
    return Optional.ofNullable(resource(type, namespace, name).get());
  }

  private <T extends HasMetadata> Resource<T> resource(
      Class<T> type, String namespace, String name) {
    Objects.requireNonNull(namespace, "namespace: pass \"\" for a cluster-scoped object");
    return user.resources(type).inNamespace(namespace).withName(name);
  }

  /** Returns the objects of the given type in the given namespace. */
  public <T extends HasMetadata> List<T> list(Class<T> type, String namespace) {
    return user.resources(type).inNamespace(namespace).list().getItems();
  }

  // ---- the operator

  /**
   * Runs the operator until it has reconciled one object, and returns this reconcile. Virtual time
   * advances only when no work is due.
   *
   * @throws AssertionError if nothing is reconciled within one hour of virtual time; if the
   *     operator has stopped, does not hold its lease or waits for a cache, the message states this
   */
  public Reconciled reconcile() {
    int before = reconciles.size();
    if (!runUntil(() -> reconciles.size() > before, LIMIT)) {
      requireWorking();
      throw new AssertionError(
          "nothing was reconciled within 1 h of virtual time: %d objects were reconciled before"
              .formatted(before));
    }
    return reconciles.get(before);
  }

  /**
   * Runs the operator for the given period of virtual time. The call takes only milliseconds of
   * real time. Each reconcile, retry and resync runs at its scheduled time. If the period is zero,
   * runs only the work that is due now.
   */
  public void advance(Duration by) {
    Duration end = simulation.elapsed().plus(by);
    runUntil(() -> false, by);
    simulation.advance(nonNegative(end.minus(simulation.elapsed())));
  }

  private static Duration nonNegative(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }

  private boolean runUntil(Supplier<Boolean> condition, Duration limit) {
    startIfNeeded();
    others.forEach(OtherActor::look);
    boolean met =
        simulation.advanceUntil(
            () -> {
              faults.stepped();
              startIfNeeded();
              return violation != null || condition.get();
            },
            limit);
    AssertionError violated = violation;
    if (violated != null) {
      violation = null;
      throw violated;
    }
    return met;
  }

  private void startIfNeeded() {
    SimulatedProcess running = process;
    if (closed) {
      throw new IllegalStateException("the test is closed");
    }
    if (running != null && running.isAlive()) {
      return;
    }
    requireRules();
    processes++;
    latest.clear(); // the retries have ended with their process
    ObservationRegistry observations = ObservationRegistry.create();
    SimulatedProcess next =
        simulation.start(
            "operator " + processes,
            faults,
            builder -> settings.apply(builder.observationRegistry(observations)),
            operator);
    observations.observationConfig().observationHandler(recorder);
    process = next;
    faults.affects(next);
  }

  private void requireRules() {
    SortedSet<String> rules = server().unevaluatedRules();
    rules.removeAll(permittedRules);
    if (!rules.isEmpty()) {
      throw new AssertionError(
          "the embedded server cannot evaluate the CEL rules %s, because they use functions that only Kubernetes has; test them on a real server, and permit this here with withoutRules(...)"
              .formatted(rules));
    }
  }

  /**
   * Kills the operator's process, like {@code kill -9}. The next call that runs the operator starts
   * a new process.
   */
  public void crash() {
    SimulatedProcess running = process;
    if (running != null) {
      running.kill();
    }
  }

  /**
   * Runs the operator until it is stable. The operator is stable if it has written nothing during a
   * whole {@linkplain #withStablePeriod stable period}, and if no failed reconcile is waiting for a
   * retry at the end of this period.
   *
   * @throws AssertionError if the operator is not stable after 20 periods or 1,000 writes, if its
   *     manager has stopped, if it does not hold its lease, or if a controller waits for a cache,
   *     for example because its CRD is not installed; the message states the reason
   */
  public void assertEventuallyStable() {
    int most = trace.writes().size() + MOST_WRITES;
    for (int i = 0; i < MOST_PERIODS && trace.writes().size() < most; i++) {
      if (isQuietFor(QUIET, most) && isQuietFor(resync, most)) {
        requireWorking();
        return;
      }
    }
    throw Instability.notQuiet(failing(), trace.writes(), simulation.elapsed());
  }

  private boolean isQuietFor(Duration period, int mostWrites) {
    int before = trace.writes().size();
    Duration end = simulation.elapsed().plus(period);
    runUntil(() -> trace.writes().size() >= mostWrites, period);
    if (trace.writes().size() < mostWrites) {
      advance(nonNegative(end.minus(simulation.elapsed())));
    }
    return trace.writes().size() == before && failing().isEmpty();
  }

  private Optional<Reconciled> failing() {
    return latest.values().stream().filter(Reconciled::isRetried).findFirst();
  }

  /** Fails if the controllers do not run, so that their silence proves nothing. */
  private void requireWorking() {
    SimulatedProcess running = process;
    if (running != null && running.isAlive()) {
      Instability.requireWorking(running.manager());
    }
  }

  /** Returns all reconciles so far. */
  public List<Reconciled> reconciles() {
    return List.copyOf(reconciles);
  }

  /** Returns all writes by the operator so far, except writes of Events and Leases. */
  public List<Write> writes() {
    return List.copyOf(trace.writes());
  }

  private void wrote(Write write) {
    recorder.wrote(write);
    if (write.created()) {
      others.forEach(OtherActor::look);
    }
    invariants.forEach(
        (name, condition) -> {
          if (violation == null && !condition.test(user)) {
            violation =
                new AssertionError("after '%s', this is not true: %s".formatted(write, name));
          }
        });
  }

  private void reconciled(Reconciled reconciled) {
    reconciles.add(reconciled);
    latest.put(reconciled.controller() + " " + reconciled.object(), reconciled);
  }

  /** Records the objects at the end of this run. Has no effect after {@link #close()}. */
  void recordEnd() {
    if (!closed) {
      trace.ended(server().objects());
    }
  }

  /** Returns whether the fault of this run has been injected and its effect has ended. */
  boolean hadFault() {
    return faults.isOver();
  }

  /** Kills the operator and closes the server. */
  @Override
  public void close() {
    if (!closed) {
      recordEnd();
      closed = true;
      simulation.close();
    }
  }
}
