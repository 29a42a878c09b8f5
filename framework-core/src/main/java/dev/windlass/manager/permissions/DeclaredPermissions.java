// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.permissions;

import dev.windlass.health.checks.Heartbeat;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Declaration;
import dev.windlass.rbac.Declaration.Need;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.PermissionSource;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.Scheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The permissions on the API server that a program and the components of its manager have declared.
 * This class is thread-safe.
 */
public final class DeclaredPermissions {

  /** The namespace of Events about cluster-scoped objects. */
  private static final String DEFAULT = "default";

  private final SharedInformerFactory informers;
  private final Supplier<List<PermissionSource>> sources;

  /**
   * The declarations of the program itself. The declarations of components come from {@code
   * sources}.
   */
  private final List<Declaration> declarations = new CopyOnWriteArrayList<>();

  private volatile @Nullable ServerVersion version;
  private volatile @Nullable PermissionCheck check;

  /** The scope in which the Leases of shards are observed; null if there are none. */
  private volatile @Nullable WatchScope leases;

  /**
   * Creates an instance that does not yet contain declarations of the program itself.
   *
   * @param sources a function that returns the components that currently declare permissions
   */
  public DeclaredPermissions(
      SharedInformerFactory informers, Supplier<List<PermissionSource>> sources) {
    this.informers = informers;
    this.sources = sources;
  }

  /** Creates a check of these permissions, but does not start it. */
  public PermissionCheck check(
      KubernetesClient client, Scheduler scheduler, BiFunction<String, LoopStep, Loop> loops) {
    ServerVersion asked = new ServerVersion(client);
    version = asked;
    PermissionCheck made =
        new PermissionCheck(
            this::all, new SelfAccessReview(client)::missing, asked::ask, scheduler, loops);
    check = made;
    return made;
  }

  /** Returns the version of the API server, or empty if it is unknown or the check is disabled. */
  public Optional<String> serverVersion() {
    ServerVersion asked = version;
    return asked == null ? Optional.empty() : asked.known();
  }

  /**
   * Returns the permissions that the check has found to be missing. The list is empty if the check
   * is disabled.
   */
  public List<Permission> missing() {
    PermissionCheck looking = check;
    return looking == null ? List.of() : looking.missing();
  }

  /** Returns the heartbeat of the check. The list is empty if the check is disabled. */
  public List<Heartbeat> heartbeats() {
    PermissionCheck looking = check;
    return looking == null ? List.of() : looking.heartbeats();
  }

  public void declare(Permissions more) {
    more.declarations().stream().filter(d -> !declarations.contains(d)).forEach(declarations::add);
    changed();
  }

  /** Notifies the check that additional permissions may be required. */
  public void changed() {
    PermissionCheck looking = check;
    if (looking != null) {
      looking.wake();
    }
  }

  /** Declares the permissions that a recorder of Events requires. */
  public void recordsEvents() {
    String namespace = informers.defaultScope().namespace();
    // The permissions need not be used, because runtime events determine whether an Event is
    // recorded.
    recordsEvents(namespace);
    if (!namespace.isEmpty()) {
      recordsEvents(DEFAULT);
    }
  }

  /** Declares the permissions to record Events in a namespace, or in all if it is empty. */
  public void recordsEvents(String namespace) {
    ResourceType events = ResourceType.of(Event.class);
    declare(
        one(
            "eventRecorder",
            Set.of(
                Permission.of(events, namespace, Verb.CREATE),
                Permission.of(events, namespace, Verb.PATCH))));
  }

  /** Declares that a leader looks for replicas that have divided its keys into shards. */
  public void looksForRivals(LeaderElectionOptions election) {
    leases(election, Verb.LIST);
  }

  /** Declares that replicas observe the Leases by which they divide shards. */
  public void observes(LeaderElectionOptions election) {
    leases = WatchScope.namespace(election.namespace());
    leases(election, Verb.LIST, Verb.WATCH);
  }

  private void leases(LeaderElectionOptions election, Verb... verbs) {
    Set<Permission> all = new LinkedHashSet<>();
    for (Verb verb : verbs) {
      all.add(Permission.of(ResourceType.of(Lease.class), election.namespace(), verb));
    }
    declare(one("leaderElection(" + election.name() + ")", all));
  }

  /**
   * Declares the permissions that a leader election requires.
   *
   * @param lease the namespace and name of the Lease, with a slash between them
   */
  public void elects(String lease) {
    int slash = lease.indexOf('/');
    String namespace = lease.substring(0, slash);
    String name = lease.substring(slash + 1);
    ResourceType leases = ResourceType.of(Lease.class);
    declare(
        one(
            "leaderElection(" + name + ")",
            Set.of(
                Permission.of(leases, namespace, Verb.CREATE),
                Permission.of(leases, namespace, Verb.GET).named(name),
                Permission.of(leases, namespace, Verb.UPDATE).named(name))));
  }

  /**
   * Declares the permissions that the metrics endpoint requires to authenticate and authorise
   * callers. The endpoint creates TokenReviews and SubjectAccessReviews.
   */
  public void reviewsCallers() {
    declare(
        one(
            "metricsAuthentication",
            Set.of(
                Permission.of(ResourceType.of(TokenReview.class), "", Verb.CREATE),
                Permission.of(ResourceType.of(SubjectAccessReview.class), "", Verb.CREATE))));
  }

  /**
   * Declares that the program performs the given operations on objects of a type in the manager's
   * namespace.
   */
  public void uses(Class<? extends HasMetadata> type, Verb... verbs) {
    declare(Permissions.uses(ResourceType.of(type), informers.defaultScope().namespace(), verbs));
  }

  private static Permissions one(String statement, Set<Permission> permissions) {
    return Permissions.of(List.of(new Declaration(statement, permissions, Need.NONE)));
  }

  /** Returns whether the declared permissions include listing a type in all namespaces. */
  public boolean listEverywhere(ResourceType type) {
    return all().cover(Permission.of(type, "", Verb.LIST));
  }

  /**
   * Returns all declared permissions. They include the permissions that the requested informers
   * require.
   */
  public Permissions all() {
    Stream<Declaration> reads =
        informers.informers().stream()
            .filter(informer -> !isOfLeases(informer))
            .flatMap(i -> reads(i).declarations().stream());
    Stream<Declaration> parts =
        sources.get().stream().flatMap(part -> part.permissions().declarations().stream());
    return Permissions.of(
        Stream.of(declarations.stream(), parts, reads).flatMap(d -> d).distinct().toList());
  }

  /**
   * Returns whether an informer serves only to observe the Leases of shards, without {@code get}.
   */
  private boolean isOfLeases(SharedIndexInformer<?> informer) {
    return informer.type().equals(ResourceType.of(Lease.class)) && informer.scope().equals(leases);
  }

  private static Permissions reads(SharedIndexInformer<?> informer) {
    ResourceType type = informer.type();
    String statement = "cache(" + type.kind() + ")";
    String namespace = informer.scope().namespace();
    return informer
        .scope()
        .objectName()
        .map(name -> Permissions.reads(statement, type, namespace, name))
        .orElseGet(() -> Permissions.reads(statement, type, namespace));
  }
}
