// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.object.ObjectCodec;
import dev.windlass.testing.apiserver.embedded.TransportHook.Answer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
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

/** One run of a {@link Schedule}. */
final class ScheduleRun implements AutoCloseable {

  /** The longest back-off of a reconcile is 1,000 s, and a dead leader's lease lasts 15 s. */
  private static final Duration LIMIT = Duration.ofMinutes(40);

  private static final String LEASE = "parts";
  private static final String WIDGETS = "widgets.owned.windlass.dev";

  private final Schedule schedule;
  private final PartsOperator.Bug bug;
  private final Simulation simulation;
  private final Violations violations = new Violations();
  private final WidgetChanges changes = new WidgetChanges();
  private final Set<String> buckets = new HashSet<>();
  private final List<Replica> replicas = new ArrayList<>();
  private final List<String> writes = new ArrayList<>();
  private Duration convergence = Duration.ZERO;
  private List<Object> looked = List.of();

  private static final class Replica {
    private final String identity;
    private final ReplicaFaults faults;
    private final SimulatedProcess process;

    Replica(String identity, ReplicaFaults faults, SimulatedProcess process) {
      this.identity = identity;
      this.faults = faults;
      this.process = process;
    }
  }

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

  private Replica start(int number) {
    String identity = "replica-" + number + "-" + simulation.steps();
    ReplicaFaults faults = new ReplicaFaults(this, identity);
    SimulatedProcess process =
        simulation.start(
            identity,
            faults,
            builder -> elected(builder, identity),
            new PartsOperator(violations, changes, buckets, bug)::register);
    return new Replica(identity, faults, process);
  }

  private ManagerBuilder elected(ManagerBuilder builder, String identity) {
    ManagerBuilder silent = builder.meterRegistry(new CompositeMeterRegistry());
    return schedule.replicas() == 1
        ? silent
        : silent.leaderElection(
            LeaderElectionOptions.of(LEASE).withNamespace("default").withIdentity(identity));
  }

  RandomGenerator random() {
    return simulation.random();
  }

  boolean step() {
    return simulation.step();
  }

  void kill(String identity) {
    replicas.stream()
        .filter(replica -> replica.identity.equals(identity))
        .forEach(replica -> replica.process.kill());
  }

  /** Checks that a write comes from the holder of the lease. */
  void wrote(String identity, RecordedRequest request, Answer answer) {
    writes.add(identity + " " + request + " " + answer);
    if (schedule.replicas() > 1) {
      String holder =
          stored("leases.coordination.k8s.io").stream()
              .map(lease -> lease.path("spec").path("holderIdentity").asText())
              .findFirst()
              .orElse("nobody");
      violations.check(
          holder.startsWith(identity + "_"),
          "P7: %s wrote %s %s while %s held the lease"
              .formatted(identity, request, answer.name(), holder));
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
      case CUT -> replica(action).process.transport().cutWatches();
      case COMPACT -> simulation.server().compact();
      case WAIT -> simulation.advance(Duration.ofMillis(action.amount()));
    }
    restartDead();
  }

  private Replica replica(Schedule.Action action) {
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
    Replica old = replicas.get(number % replicas.size());
    if (gently && old.process.isAlive()) {
      old.process.stop();
    } else {
      old.process.kill();
    }
  }

  private void restartDead() {
    for (int i = 0; i < replicas.size(); i++) {
      if (!replicas.get(i).process.isAlive()) {
        replicas.set(i, start(i));
      }
    }
  }

  /** Removes all faults, and expects the state that the widgets describe. */
  private void settle() {
    simulation.server().healFaults();
    for (Replica replica : replicas) {
      replica.faults.requestsToLose = 0;
      replica.faults.responsesToLose = 0;
      replica.faults.writesToLive = 0;
    }
    restartDead();
    Duration begun = simulation.elapsed();
    boolean settled =
        simulation.advanceUntil(
            () -> !violations.isEmpty() || isTimeToLook() && isAsWanted(), LIMIT);
    convergence = simulation.elapsed().minus(begun);
    violations.check(
        settled || isAsWanted(),
        "P2: after %d min, %s instead of %s with the buckets %s"
            .formatted(LIMIT.toMinutes(), actual(), wanted(), buckets));
    if (!violations.isEmpty()) {
      return;
    }
    simulation.advance(Duration.ofSeconds(3)); // events of the last writes
    int before = writes.size();
    simulation.advance(Duration.ofSeconds(20));
    violations.check(
        writes.size() == before,
        "P12: writes after everything was done: " + writes.subList(before, writes.size()));
    List<String> lost = changes.lost(stored(WIDGETS).stream().map(ScheduleRun::name).toList());
    violations.check(lost.isEmpty(), "P1: no reconcile after the last change of " + lost);
    violations.check(isAsWanted(), "P2: the state changed after everything was done");
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
