// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.GenerationChanged;
import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.enqueue.NamespaceSet;
import dev.windlass.controller.enqueue.ReconcileAll;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.loops.ObjectStates;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.running.Pausing;
import dev.windlass.informer.CachePolicy;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.index.Indexer;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a controller watches, as its builder was told: the primary type first, and then other types
 * and sources. Knows what of it does not go together, and makes sources of the rest.
 */
public final class Watches {

  /** Makes a handler that may ask which objects of the primary type there are. */
  interface HandlerOf<S> {
    EventHandler<? super S> with(Supplier<? extends Indexer<?>> primaries, String cluster);
  }

  /** Why a type is watched. */
  enum Role {
    PRIMARY,
    OWNED,
    OTHER
  }

  /** A type to watch. */
  record Watch<S extends HasMetadata>(
      InformerSpec<S> spec,
      Role role,
      HandlerOf<S> handler,
      List<EventPredicate<? super S>> predicates) {

    boolean owned() {
      return role == Role.OWNED;
    }
  }

  /** The informers of each cluster. */
  interface Informers {

    /**
     * Those of one.
     *
     * @param cluster its name; empty for the program's own
     */
    SharedInformerFactory of(String cluster);

    /** Whether there is one of the name. */
    boolean knows(String cluster);
  }

  /**
   * Makes a source, once the filters of all events and the objects of the primary type are known.
   */
  public interface SourceOf {
    Source with(
        List<EventPredicate<? super HasMetadata>> filters,
        Supplier<? extends Indexer<?>> primaries,
        String cluster);
  }

  private final List<Watch<?>> types = new ArrayList<>();
  private final List<SourceOf> sources = new ArrayList<>();
  private final List<EventPredicate<? super HasMetadata>> filters = new ArrayList<>();
  private final NamespaceSelection namespaces = new NamespaceSelection();
  private final List<Object> given = new ArrayList<>();
  private @Nullable String pausedBy;

  public void add(Watch<?> type) {
    types.add(type);
  }

  /**
   * Adds a source that is no type.
   *
   * @param object the one that the user knows it by
   */
  public void add(Object object, SourceOf source) {
    given.add(object);
    sources.add(source);
  }

  public void addFilter(EventPredicate<? super HasMetadata> filter) {
    filters.add(filter);
  }

  public void pausedBy(String annotation) {
    pausedBy = annotation;
  }

  /** The annotation of objects that are not reconciled. */
  public Optional<String> pausedBy() {
    return Optional.ofNullable(pausedBy);
  }

  /** Where it is restricted to. */
  public NamespaceSelection namespaces() {
    return namespaces;
  }

  private Optional<Watch<?>> primary() {
    return types.stream().filter(watch -> watch.role() == Role.PRIMARY).findFirst();
  }

  /** Where the objects of the primary type are; empty for the program's own cluster. */
  String cluster() {
    return primary().map(watch -> watch.spec().cluster()).orElse("");
  }

  /** Whether there is a primary type. */
  boolean hasPrimary() {
    return primary().isPresent();
  }

  /** Whether the objects of the primary type can't be read, but for their metadata. */
  boolean knowsMetadataOnly(Informers informers) {
    return primary()
        .filter(watch -> in(informers, watch.spec()).codec().projection() == Projection.METADATA)
        .isPresent();
  }

  /** What does not go together, as a sentence about the controller; empty if all does. */
  Optional<String> misuse(Informers informers) {
    for (Watch<?> watch : types) {
      if (!informers.knows(watch.spec().cluster())) {
        return Optional.of(
            "watches %s in the cluster '%s', which the manager does not know: call Manager.cluster(...) with this name first"
                .formatted(watch.spec().type().resource(), watch.spec().cluster()));
      }
      Optional<String> found =
          (watch.owned() ? misuseOfOwned(watch.spec()) : Optional.<String>empty())
              .or(() -> misuseOfPolicy(informers, watch.spec()));
      if (found.isPresent()) {
        return found;
      }
    }
    return misuseOfTypes(informers)
        .or(this::misuseOfSources)
        .or(() -> namespaces.misuse(types.stream().<InformerSpec<?>>map(Watch::spec).toList()));
  }

  private Optional<String> misuseOfOwned(InformerSpec<?> spec) {
    ResourceType owned = spec.type();
    if (primary().isEmpty()) {
      return Optional.of(
          "owns "
              + owned.resource()
              + ", but has no primary type that could own it: begin with forType(...), or call"
              + " watches(...)");
    }
    ResourceType owner = primary().get().spec().type();
    String home = primary().get().spec().cluster();
    if (!home.equals(spec.cluster())) {
      return Optional.of(
          "owns %s in %s, but its primary type is in %s, and no owner is in another cluster: call watches(...)"
              .formatted(owned.resource(), cluster(spec.cluster()), cluster(home)));
    }
    if (owned.resource().equals(owner.resource())) {
      return Optional.of(
          "owns "
              + owned.resource()
              + ", which is its primary type: call watches(...) with a handler that says which of"
              + " them to reconcile");
    }
    if (owner.namespaced() && !owned.namespaced()) {
      return Optional.of(
          "owns "
              + owned.resource()
              + ", which is cluster-scoped and can't have an owner in a namespace: call"
              + " watches(...) with EventHandler.mapping(...) instead");
    }
    return Optional.empty();
  }

  private static String cluster(String name) {
    return name.isEmpty() ? "the program's own cluster" : "the cluster '" + name + "'";
  }

  private Optional<String> misuseOfPolicy(Informers informers, InformerSpec<?> watched) {
    CachePolicy policy = informers.of(watched.cluster()).policy();
    Set<String> allowed = policy.namespaces(watched.type());
    if (namespaces.changing().isPresent() && !allowed.isEmpty()) {
      return Optional.of(
          "watches %s in namespaces that may change, but ManagerBuilder.cache(...) restricts them to %s: leave one of the two out"
              .formatted(watched.type().resource(), allowed));
    }
    return policy
        .refusal(watched)
        .or(
            () ->
                allowed.isEmpty() || allowed.containsAll(namespaces.names())
                    ? Optional.empty()
                    : Optional.of(
                        "watches %s in the namespaces %s by inNamespaces(...), but ManagerBuilder.cache(...) restricts them to %s: make one of the two as wide as the other"
                            .formatted(watched.type().resource(), namespaces, allowed)));
  }

  private Optional<String> misuseOfTypes(Informers informers) {
    for (Watch<?> a : types) {
      for (Watch<?> b : types) {
        if (a.spec().type().resource().equals(b.spec().type().resource())
            && a.spec().cluster().equals(b.spec().cluster())
            && in(informers, a.spec()).scope().equals(in(informers, b.spec()).scope())
            && !in(informers, a.spec()).equals(in(informers, b.spec()))) {
          return Optional.of(
              ("watches %s twice, as (%s) and as (%s), which would be two caches:"
                      + " give the same InformerSpec to both")
                  .formatted(a.spec().type().resource(), a.spec(), b.spec()));
        }
      }
    }
    return types.size() > 1 && filters.stream().anyMatch(GenerationChanged::decides)
        ? Optional.of(
            "filters the events of every type by EventPredicate.generationChanged(), which would hide"
                + " the status of what it owns: give it to forType(type, predicate) instead")
        : Optional.empty();
  }

  private Optional<String> misuseOfSources() {
    if (!hasPrimary() && pausedBy != null) {
      return Optional.of(
          "has no primary type, whose objects could be paused: leave pausedBy(...) out");
    }
    if (types.isEmpty() && sources.isEmpty()) {
      return Optional.of("watches nothing: call watches(...)");
    }
    if (!hasPrimary() && given.stream().anyMatch(ReconcileAll.class::isInstance)) {
      return Optional.of(
          "has no primary type, all objects of which could be reconciled: call"
              + " watches(trigger.over(...)) with the cache that is meant");
    }
    for (int i = 0; i < given.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (given.get(i) == given.get(j)) {
          return Optional.of(
              "watches " + given.get(i) + " twice: a source is started once, so give it once");
        }
      }
    }
    return Optional.empty();
  }

  /** The namespaces in which a type is watched, each by itself; empty if it is watched as one. */
  private Optional<Supplier<Set<String>>> several(Informers informers, Watch<?> watch) {
    InformerSpec<?> spec = watch.spec();
    if (namespaces.restricts(spec)) {
      return namespaces.now();
    }
    SharedInformerFactory there = informers.of(spec.cluster());
    return there.specs(spec).size() > 1
        ? Optional.of(() -> there.policy().namespaces(spec.type()))
        : Optional.empty();
  }

  /**
   * What became of the watches.
   *
   * @param all that of the primary type first
   * @param primary that of the primary type, if there is one
   * @param owned those of the owned types
   * @param states what they hold
   * @param accepts which requests are of namespaces that it watches now
   */
  record Sources(
      List<Source> all,
      Optional<Watched<?>> primary,
      List<Watched<?>> owned,
      ObjectStates states,
      Predicate<Request> accepts) {

    /** The changes of what one watch is about. */
    record Watched<S extends HasMetadata>(InformerSpec<S> spec, InformerSource<S> source) {}
  }

  /** Makes the sources. */
  Sources sources(Informers informers, Duration resync) {
    List<Source> all = new ArrayList<>();
    Map<String, List<InformerSource<?>>> byKind = new HashMap<>();
    Optional<Sources.Watched<?>> primary =
        primary().map(watch -> watched(watch, Watches::noIndexer, informers, resync));
    Supplier<? extends Indexer<?>> primaries =
        primary
            .<Supplier<? extends Indexer<?>>>map(first -> first.source()::indexer)
            .orElse(Watches::noIndexer);
    List<Sources.Watched<?>> owned = new ArrayList<>();
    for (Watch<?> watch : types) {
      Sources.Watched<?> watched =
          watch.role() == Role.PRIMARY
              ? primary.orElseThrow()
              : watched(watch, primaries, informers, resync);
      all.add(watched.source());
      byKind
          .computeIfAbsent(watch.spec().type().kind(), kind -> new ArrayList<>())
          .add(watched.source());
      if (watch.owned()) {
        owned.add(watched);
      }
    }
    sources.forEach(source -> all.add(source.with(filters, primaries, cluster())));
    namespaces.finder(informers.of(cluster())).ifPresent(all::add);
    return new Sources(
        all,
        primary,
        owned,
        new WatchedStates(primary.map(Sources.Watched::source), cluster(), byKind, ownedTypes()),
        accepts());
  }

  /** A controller of a cluster-scoped type is asked for all of its objects. */
  private Predicate<Request> accepts() {
    boolean namespaced = primary().filter(each -> namespaces.restricts(each.spec())).isPresent();
    return namespaces
        .changing()
        .filter(set -> namespaced)
        .<Predicate<Request>>map(set -> request -> set.contains(request.namespace()))
        .orElse(request -> true);
  }

  private Optional<OwnedTypes> ownedTypes() {
    return primary()
        .map(
            first ->
                new OwnedTypes(
                    first.spec().type(),
                    types.stream()
                        .filter(Watch::owned)
                        .map(watch -> watch.spec().type())
                        .toList()));
  }

  private <S extends HasMetadata> Sources.Watched<S> watched(
      Watch<S> watch,
      Supplier<? extends Indexer<?>> primaries,
      Informers informers,
      Duration resync) {
    return new Sources.Watched<>(
        in(informers, watch.spec()), source(watch, primaries, informers, resync));
  }

  /** What is watched of the program's own cluster, and where. */
  List<RequiredPermissions.Watched> watched(Informers informers) {
    List<RequiredPermissions.Watched> all = new ArrayList<>();
    for (Watch<?> watch : types) {
      if (!watch.spec().cluster().isEmpty()) {
        continue; // rights in another cluster are not those of the own ServiceAccount
      }
      Set<String> one = Set.of(in(informers, watch.spec()).scope().namespace());
      all.add(
          new RequiredPermissions.Watched(
              watch.spec(), watch.role(), several(informers, watch).orElse(() -> one)));
    }
    if (namespaces.isByLabels() && cluster().isEmpty()) {
      all.add(
          new RequiredPermissions.Watched(
              InformerSpec.of(Namespace.class), Role.OTHER, () -> Set.of("")));
    }
    return all;
  }

  /** Where the controller is at home at any time; the empty namespace stands for all. */
  Supplier<Set<String>> home(Informers informers) {
    Set<String> one = Set.of(informers.of("").defaultScope().namespace());
    return namespaces.now().orElse(() -> one);
  }

  private static Indexer<?> noIndexer() {
    throw new IllegalStateException("the controller has no objects of a primary type");
  }

  private <S extends HasMetadata> InformerSource<S> source(
      Watch<S> watch,
      Supplier<? extends Indexer<?>> primaries,
      Informers informers,
      Duration resync) {
    EventPredicate<S> all = allOf(watch.predicates(), filters);
    String annotation = pausedBy;
    if (annotation != null && watch.role() == Role.PRIMARY) {
      all = Pausing.orResumed(annotation, all);
    }
    EventHandler<? super S> handler = watch.handler().with(primaries, cluster());
    InformerSpec<S> spec = in(informers, watch.spec());
    SharedInformerFactory there = informers.of(spec.cluster());
    Optional<Supplier<Set<String>>> several = several(informers, watch);
    if (several.isEmpty()) {
      return Source.informer(there, spec, all, handler, resync);
    }
    InformerSpec<S> everywhere = spec.in(spec.scope().in(""));
    Optional<NamespaceSet> changing =
        namespaces.changing().filter(set -> namespaces.restricts(watch.spec()));
    return changing.isPresent()
        ? Source.informer(there, everywhere, changing.get(), all, handler, resync)
        : Source.informer(there, everywhere, several.get().get(), all, handler, resync);
  }

  /** What one watch and all watches ask for, in this order. */
  public static <S extends HasMetadata> EventPredicate<S> allOf(
      List<EventPredicate<? super S>> own, List<EventPredicate<? super HasMetadata>> filters) {
    List<EventPredicate<? super S>> all = new ArrayList<>(own);
    all.addAll(filters);
    return EventPredicate.allOf(all);
  }

  /** The spec as it is watched, of several namespaces the first: as the factory says. */
  private static <S> InformerSpec<S> in(Informers informers, InformerSpec<S> spec) {
    return informers.of(spec.cluster()).specs(spec).get(0);
  }
}
