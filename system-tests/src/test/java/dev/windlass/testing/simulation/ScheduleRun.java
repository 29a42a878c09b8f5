// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.manager.OnLeadershipLost;
import dev.windlass.object.ObjectCodec;
import dev.windlass.testing.apiserver.embedded.TransportHook.Answer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One run of a {@link Schedule}. */
final class ScheduleRun implements AutoCloseable {

  /** The longest back-off of a reconcile is 1,000 s, and a dead leader's lease lasts 15 s. */
  private static final Duration LIMIT = Duration.ofMinutes(40);

  /** The time within which a new owner reconciles all objects if there are no faults. */
  private static final Duration TAKEOVER = Duration.ofSeconds(60);

  /**
   * The time within which a cache sees the last changes: a watch that an isolation has ended begins
   * again after 30 s at most. The state may be as desired before that, by chance, if the user has
   * changed a widget and changed it back meanwhile.
   */
  private static final Duration LAST_EVENTS = Duration.ofSeconds(35);

  private static final String WIDGETS = "widgets.owned.windlass.dev";

  /** How long a slow reconcile goes on after an isolation. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(8);

  private final Schedule schedule;
  private final PartsOperator.Bug bug;
  private final Simulation simulation;
  private final Violations violations = new Violations();
  private final OwnershipChecker ownership = new OwnershipChecker(violations, this::elapsed);
  private final WidgetChanges changes = new WidgetChanges();
  private final Set<String> buckets = new HashSet<>();
  private final List<SimulatedReplica> replicas = new ArrayList<>();
  private final List<String> writes = new ArrayList<>();
  private Duration convergence = Duration.ZERO;
  private List<Object> looked = List.of();

  /** The action that makes the next reconcile slow, or null if there is none. */
  private Schedule.@Nullable Action slow;

  /**
   * The result of a run.
   *
   * @param violations the broken promises
   * @param steps the number of steps
   * @param elapsed the virtual time
   * @param changes the number of changes by the user
   * @param convergence the virtual time from the end of all faults to the desired state
   */
  record Outcome(
      List<String> violations, long steps, Duration elapsed, int changes, Duration convergence) {}

  private ScheduleRun(Schedule schedule, PartsOperator.Bug bug) {
    this.schedule = schedule;
    this.bug = bug;
    this.simulation = Simulation.random(schedule.seed());
  }

  static Outcome of(Schedule schedule) {
    return of(schedule, PartsOperator.Bug.NONE);
  }

  static Outcome of(Schedule schedule, PartsOperator.Bug bug) {
    try (ScheduleRun run = new ScheduleRun(schedule, bug)) {
      QuietThreads.run(run::run);
      return new Outcome(
          run.violations.found(),
          run.simulation.steps(),
          run.simulation.elapsed(),
          run.changes.count(),
          run.convergence);
    }
  }

  private void run() {
    simulation.server().install(Widget.definition());
    for (int i = 0; i < schedule.replicas(); i++) {
      replicas.add(start(i));
    }
    for (Schedule.Action action : schedule.actions()) {
      perform(action);
      for (int i = 0; i < action.steps() && violations.isEmpty(); i++) {
        step();
      }
    }
    settle();
  }

  /** If the seed is even, replicas stand by after they have lost the lease. */
  private SimulatedReplica start(int number) {
    String identity = "replica-" + number + "-" + simulation.steps();
    SimulatedReplica replica =
        new SimulatedReplica(identity, new ReplicaFaults(this, identity), ownership);
    replica.start(
        simulation,
        schedule.replicas() > 1,
        schedule.seed() % 2 == 0 ? OnLeadershipLost.STAND_BY : OnLeadershipLost.STOP,
        new PartsOperator(
            violations, changes, buckets, bug, context -> slowDown(replica, context)));
    return replica;
  }

  /**
   * Lets time pass in a reconcile. Depending on the action, the replica is stopped at the beginning
   * of this time, or it is isolated, with a target above 0 together with all others, and loses its
   * lease. If the amount is odd, the reconcile ignores its cancellation and goes on.
   */
  private void slowDown(SimulatedReplica replica, ReconcileContext context) {
    Schedule.Action action = slow;
    if (action == null || !replica.showReconcile()) {
      return;
    }
    slow = null;
    if (action.kind() == Schedule.Kind.SLOW_STOPPED) {
      replica.stopManager();
    }
    if (action.kind() == Schedule.Kind.SLOW_ISOLATED) {
      boolean all = action.target() > 0;
      replicas.stream()
          .filter(other -> all || other == replica)
          .forEach(other -> other.isolate(outage(action)));
    }
    advance(outage(action).plus(AFTERWARDS));
    if (action.amount() % 2 == 0 && context.isCancelled()) {
      throw new IllegalStateException("the reconcile was cancelled");
    }
  }

  Duration elapsed() {
    return simulation.elapsed();
  }

  RandomGenerator random() {
    return simulation.random();
  }

  boolean step() {
    boolean ran = simulation.step();
    ownership.look();
    return ran;
  }

  /** Lets virtual time pass. */
  private void advance(Duration by) {
    Duration end = elapsed().plus(by);
    simulation.advanceUntil(this::isBroken, by);
    simulation.advance(end.minus(elapsed()));
  }

  /** Returns whether a promise is broken so far. */
  private boolean isBroken() {
    ownership.look();
    return !violations.isEmpty();
  }

  void kill(String identity) {
    replicas.stream()
        .filter(replica -> replica.identity.equals(identity))
        .forEach(SimulatedReplica::kill);
  }

  private String holder() {
    return stored("leases.coordination.k8s.io").stream()
        .map(lease -> lease.path("spec").path("holderIdentity").asText())
        .findFirst()
        .orElse("");
  }

  /** Records that a write of the Lease has been accepted. */
  void leased() {
    ownership.leased(holder().replaceFirst("_.*", ""));
  }

  /** Checks that a write comes from the holder of the lease. */
  void wrote(String identity, RecordedRequest request, Answer answer) {
    writes.add(identity + " " + request + " " + answer);
    if (schedule.replicas() > 1) {
      String holder = holder();
      violations.check(
          holder.startsWith(identity + "_"),
          "P7: %s wrote %s %s while %s held the lease"
              .formatted(identity, request, answer.name(), holder.isEmpty() ? "nobody" : holder));
      String written = request.name().isEmpty() ? answer.name() : request.name();
      ownership.wrote(identity, written.replaceFirst("-.*", ""), request);
    }
  }

  private KubernetesClient client() {
    return simulation.kubernetesClient();
  }

  /** Performs an action. The user tries again if the server rejects a request. */
  private void perform(Schedule.Action action) {
    for (int i = 0; i < 5; i++) {
      try {
        performOnce(action);
        return;
      } catch (KubernetesClientException e) {
        // injected
      }
    }
  }

  private void performOnce(Schedule.Action action) {
    String widget = "w" + action.target();
    switch (action.kind()) {
      case CREATE -> create(widget, action.amount());
      case EDIT -> edit(widget, action.amount());
      case DELETE -> delete(widget);
      case BREAK_CHILD -> child(widget, client -> breakChild(client));
      case DELETE_CHILD -> child(widget, client -> !client.delete().isEmpty());
      case KILL -> replace(action.target(), false);
      case STOP -> replace(action.target(), true);
      case DIE_AT_WRITE -> replica(action).faults.writesToLive = action.amount();
      case LOSE_RESPONSE -> replica(action).faults.responsesToLose = action.amount();
      case LOSE_REQUESTS -> replica(action).faults.requestsToLose = action.amount();
      case REJECT -> reject(action.amount());
      case CUT -> replica(action).process().transport().cutWatches();
      case COMPACT -> simulation.server().compact();
      case ISOLATE -> {
        replica(action).isolate(outage(action));
        advance(outage(action));
      }
      case SLOW, SLOW_ISOLATED, SLOW_STOPPED -> {
        slow = action;
        create(widget, action.amount());
      }
      case WAIT -> advance(Duration.ofMillis(action.amount()));
    }
    restartDead();
  }

  /** Returns how long an isolation lasts: 14 to 20 s. */
  private static Duration outage(Schedule.Action action) {
    return Duration.ofSeconds(12 + 2L * action.amount());
  }

  private SimulatedReplica replica(Schedule.Action action) {
    return replicas.get(action.target() % replicas.size());
  }

  private Resource<Widget> widget(String name) {
    return client().resources(Widget.class).inNamespace("default").withName(name);
  }

  private void create(String name, int size) {
    if (widget(name).get() == null) {
      Widget widget = Widget.of("default", name);
      widget.getSpec().setSize(size);
      client().resource(widget).create();
      changes.changed(name);
    } else {
      edit(name, size);
    }
  }

  private void edit(String name, int size) {
    Widget before = widget(name).get();
    if (before != null) {
      widget(name)
          .edit(
              widget -> {
                widget.getSpec().setSize(size);
                return widget;
              });
      if (before.getSpec().getSize() != size) {
        changes.changed(name);
      }
    }
  }

  private void delete(String name) {
    if (!widget(name).delete().isEmpty()) {
      changes.changed(name);
    }
  }

  private void child(String widget, Predicate<Resource<ConfigMap>> action) {
    Resource<ConfigMap> child =
        client().configMaps().inNamespace("default").withName(widget + "-0");
    if (child.get() != null && action.test(child)) {
      changes.changed(widget);
    }
  }

  /** Returns whether the child was not broken before. */
  private static boolean breakChild(Resource<ConfigMap> child) {
    Map<String, String> broken = Map.of("size", "broken");
    boolean intact = !broken.equals(child.get().getData());
    child.edit(
        map -> {
          map.setData(broken);
          return map;
        });
    return intact;
  }

  private void reject(int times) {
    int[] codes = {409, 429, 500, 503};
    simulation
        .server()
        .fail(
            request -> request.verb().isWrite() && !request.resource().startsWith("leases"),
            codes[random().nextInt(codes.length)],
            times);
  }

  private void replace(int number, boolean gently) {
    SimulatedReplica old = replicas.get(number % replicas.size());
    if (gently && old.isAlive()) {
      old.stop();
    } else {
      old.kill();
    }
  }

  /** Replaces the processes that have ended, and those that end because their manager failed. */
  private void restartDead() {
    for (int i = 0; i < replicas.size(); i++) {
      SimulatedReplica replica = replicas.get(i);
      if (replica.isAlive() && replica.isEnding()) {
        replica.stop();
      }
      if (!replica.isAlive()) {
        replicas.set(i, start(i));
      }
    }
  }

  /** Removes all faults, and expects the state that the widgets describe. */
  private void settle() {
    simulation.server().healFaults();
    slow = null;
    replicas.forEach(replica -> replica.faults.heal());
    restartDead();
    Duration begun = simulation.elapsed();
    converge();
    convergence = simulation.elapsed().minus(begun);
    if (schedule.replicas() > 1 && violations.isEmpty()) {
      simulation.advanceUntil(() -> isBroken() || unreconciled().isEmpty(), TAKEOVER);
      violations.check(
          unreconciled().isEmpty(),
          "P15: %s has not reconciled %s within %s".formatted(holder(), unreconciled(), TAKEOVER));
      converge(); // the cache of a new leader may have lagged behind
    }
    if (!violations.isEmpty()) {
      return;
    }
    advance(LAST_EVENTS);
    int before = writes.size();
    advance(Duration.ofSeconds(20));
    violations.check(
        writes.size() == before,
        "P12: writes after everything was done: " + writes.subList(before, writes.size()));
    List<String> lost = changes.lost(widgets());
    violations.check(lost.isEmpty(), "P1: no reconcile after the last change of " + lost);
    violations.check(isAsWanted(), "P2: the state changed after everything was done");
  }

  private void converge() {
    boolean converged =
        simulation.advanceUntil(
            () -> {
              restartDead();
              return isBroken() || isTimeToLook() && isAsWanted();
            },
            LIMIT);
    violations.check(
        converged || isAsWanted(),
        "P2: after %d min, %s instead of %s with the buckets %s"
            .formatted(LIMIT.toMinutes(), actual(), wanted(), buckets));
  }

  /**
   * Returns whether the state may have changed. Each look costs time, so between writes there is
   * one for the server's own changes every 16 steps.
   */
  private boolean isTimeToLook() {
    List<Object> now = List.of(simulation.elapsed(), writes.size(), buckets.size());
    boolean changed = !now.equals(looked);
    looked = now;
    return changed || simulation.steps() % 16 == 0;
  }

  private boolean isAsWanted() {
    return actual().equals(wanted());
  }

  private List<ObjectNode> stored(String resource) {
    return simulation.server().objects().getOrDefault(resource, List.of()).stream()
        .map(object -> ObjectCodec.convert(object, ObjectNode.class))
        .toList();
  }

  private List<String> widgets() {
    return stored(WIDGETS).stream().map(ScheduleRun::name).toList();
  }

  private Set<String> unreconciled() {
    return ownership.unreconciled(widgets());
  }

  private static String name(JsonNode object) {
    return object.path("metadata").path("name").asText();
  }

  /** Returns what the widgets describe: children with their sizes, a status, and a bucket. */
  private SortedMap<String, String> wanted() {
    SortedMap<String, String> wanted = new TreeMap<>();
    for (ObjectNode widget : stored(WIDGETS)) {
      if (widget.path("metadata").has("deletionTimestamp")) {
        continue;
      }
      String size = widget.path("spec").path("size").asText();
      wanted.put(name(widget), "ready " + size);
      wanted.put("bucket " + widget.path("metadata").path("uid").asText(), "");
      for (int i = 0; i < Integer.parseInt(size); i++) {
        wanted.put(name(widget) + "-" + i, size);
      }
    }
    return wanted;
  }

  private SortedMap<String, String> actual() {
    SortedMap<String, String> actual = new TreeMap<>();
    for (ObjectNode widget : stored(WIDGETS)) {
      actual.put(name(widget), "ready " + widget.path("status").path("ready").asText());
    }
    buckets.forEach(bucket -> actual.put("bucket " + bucket, ""));
    for (ObjectNode map : stored("configmaps")) {
      actual.put(name(map), map.path("data").path("size").asText());
    }
    return actual;
  }

  @Override
  public void close() {
    simulation.close();
  }
}
