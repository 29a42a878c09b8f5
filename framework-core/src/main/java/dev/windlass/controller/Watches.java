// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.GenerationChanged;
import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.informer.index.Indexer;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What a controller watches, as its builder was told: the primary type first, and then other types
 * and sources. Knows what of it does not go together, and makes sources of the rest.
 */
final class Watches {

  /** Makes a handler that may ask which objects of the primary type there are. */
  interface HandlerOf<S> {
    EventHandler<S> with(Supplier<? extends Indexer<?>> primaries);
  }

  /** A type to watch. */
  record Watch<S extends HasMetadata>(
      InformerSpec<S> spec,
      boolean owned,
      HandlerOf<S> handler,
      List<EventPredicate<? super S>> predicates) {}

  /**
   * Makes a source, once the filters of all events and the objects of the primary type are known.
   */
  interface SourceOf {
    Source with(
        List<EventPredicate<? super HasMetadata>> filters,
        Supplier<? extends Indexer<?>> primaries);
  }

  private final List<Watch<?>> types = new ArrayList<>();
  private final List<SourceOf> sources = new ArrayList<>();
  private final List<EventPredicate<? super HasMetadata>> filters = new ArrayList<>();
  private final Set<String> namespaces = new LinkedHashSet<>();
  private final List<Object> given = new ArrayList<>();

  void add(Watch<?> type) {
    types.add(type);
  }

  /**
   * Adds a source that is no type.
   *
   * @param object the one that the user knows it by
   */
  void add(Object object, SourceOf source) {
    given.add(object);
    sources.add(source);
  }

  void addFilter(EventPredicate<? super HasMetadata> filter) {
    filters.add(filter);
  }

  void addNamespaces(List<String> names) {
    namespaces.addAll(names);
  }

  private ResourceType primary() {
    return types.get(0).spec().type();
  }

  /** Whether the objects of the primary type can't be read, but for their metadata. */
  boolean knowsMetadataOnly(SharedInformerFactory informers) {
    return in(informers, types.get(0).spec()).codec().projection() == Projection.METADATA;
  }

  /** What does not go together, as a sentence about the controller; empty if all does. */
  Optional<String> misuse(SharedInformerFactory informers) {
    for (Watch<?> watch : types) {
      Optional<String> found =
          (watch.owned() ? misuseOfOwned(watch.spec().type()) : Optional.<String>empty())
              .or(() -> misuseOfPolicy(informers, watch.spec()));
      if (found.isPresent()) {
        return found;
      }
    }
    return misuseOfTypes(informers).or(this::misuseOfSources).or(this::misuseOfNamespaces);
  }

  private Optional<String> misuseOfOwned(ResourceType owned) {
    if (owned.resource().equals(primary().resource())) {
      return Optional.of(
          "owns "
              + owned.resource()
              + ", which is its primary type: call watches(...) with a handler that says which of"
              + " them to reconcile");
    }
    if (primary().namespaced() && !owned.namespaced()) {
      return Optional.of(
          "owns "
              + owned.resource()
              + ", which is cluster-scoped and can't have an owner in a namespace: call"
              + " watches(...) with EventHandler.mapping(...) instead");
    }
    return Optional.empty();
  }

  private Optional<String> misuseOfPolicy(
      SharedInformerFactory informers, InformerSpec<?> watched) {
    Set<String> allowed = informers.policy().namespaces(watched.type());
    return informers
        .policy()
        .refusal(watched)
        .or(
            () ->
                allowed.isEmpty() || allowed.containsAll(namespaces)
                    ? Optional.empty()
                    : Optional.of(
                        "watches %s in the namespaces %s by inNamespaces(...), but ManagerBuilder.cache(...) restricts them to %s: make one of the two as wide as the other"
                            .formatted(watched.type().resource(), namespaces, allowed)));
  }

  private Optional<String> misuseOfTypes(SharedInformerFactory informers) {
    for (Watch<?> a : types) {
      for (Watch<?> b : types) {
        if (a.spec().type().resource().equals(b.spec().type().resource())
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

  private Optional<String> misuseOfNamespaces() {
    for (String namespace : namespaces) {
      try {
        WatchScope.namespace(namespace);
      } catch (IllegalArgumentException e) {
        return Optional.of("can't be restricted by inNamespaces(...): " + e.getMessage());
      }
    }
    if (namespaces.contains("")) {
      return Optional.of(
          "is restricted to the namespace '': leave inNamespaces(...) out to watch all of them");
    }
    if (!namespaces.isEmpty() && types.stream().noneMatch(this::isRestricted)) {
      return Optional.of(
          "is restricted to the namespaces "
              + namespaces
              + ", but watches nothing that lives in them: leave inNamespaces(...) out");
    }
    return Optional.empty();
  }

  private boolean isRestricted(Watch<?> watch) {
    InformerSpec<?> spec = watch.spec();
    return !namespaces.isEmpty() && spec.type().namespaced() && spec.scope().namespace().isEmpty();
  }

  /** The namespaces in which a type is watched, each by itself; empty if it is watched as one. */
  private Set<String> several(SharedInformerFactory informers, Watch<?> watch) {
    if (isRestricted(watch)) {
      return namespaces;
    }
    List<? extends InformerSpec<?>> specs = informers.specs(watch.spec());
    return specs.size() > 1 ? informers.policy().namespaces(watch.spec().type()) : Set.of();
  }

  /**
   * What became of the watches.
   *
   * @param all that of the primary type first
   * @param primary that of the primary type
   * @param spec what of the primary type is watched
   * @param states what they hold
   */
  record Sources(
      List<Source> all, InformerSource<?> primary, InformerSpec<?> spec, ObjectStates states) {}

  /** Makes the sources. */
  Sources sources(SharedInformerFactory informers, Duration resync) {
    List<Source> all = new ArrayList<>();
    Map<String, List<InformerSource<?>>> byKind = new HashMap<>();
    InformerSource<?> first = source(types.get(0), Watches::noIndexer, informers, resync);
    all.add(first);
    byKind.put(primary().kind(), new ArrayList<>(List.of(first)));
    for (Watch<?> watch : types.subList(1, types.size())) {
      InformerSource<?> source = source(watch, first::indexer, informers, resync);
      all.add(source);
      byKind.computeIfAbsent(watch.spec().type().kind(), kind -> new ArrayList<>()).add(source);
    }
    sources.forEach(source -> all.add(source.with(filters, first::indexer)));
    return new Sources(
        all,
        first,
        in(informers, types.get(0).spec()),
        new WatchedStates(first, byKind, ownedTypes()));
  }

  private OwnedTypes ownedTypes() {
    return new OwnedTypes(
        primary(), types.stream().filter(Watch::owned).map(watch -> watch.spec().type()).toList());
  }

  /** What is watched, and where. */
  List<Needs.Watched> watched(SharedInformerFactory informers) {
    List<Needs.Watched> all = new ArrayList<>();
    for (Watch<?> watch : types) {
      Set<String> several = several(informers, watch);
      Set<String> where =
          several.isEmpty() ? Set.of(in(informers, watch.spec()).scope().namespace()) : several;
      all.add(new Needs.Watched(watch.spec(), watch.owned(), where));
    }
    return all;
  }

  /** Where the controller is at home; the empty namespace stands for all. */
  Set<String> home(SharedInformerFactory informers) {
    return namespaces.isEmpty() ? Set.of(informers.defaultScope().namespace()) : namespaces;
  }

  private static Indexer<?> noIndexer() {
    throw new IllegalStateException("the primary type has no owner of its own type");
  }

  private <S extends HasMetadata> InformerSource<S> source(
      Watch<S> watch,
      Supplier<? extends Indexer<?>> primaries,
      SharedInformerFactory informers,
      Duration resync) {
    EventPredicate<S> all = allOf(watch.predicates(), filters);
    EventHandler<S> handler = watch.handler().with(primaries);
    Set<String> several = several(informers, watch);
    InformerSpec<S> spec = in(informers, watch.spec());
    return several.isEmpty()
        ? Source.informer(informers, spec, all, handler, resync)
        : Source.informer(informers, spec.in(spec.scope().in("")), several, all, handler, resync);
  }

  /** What one watch and all watches ask for, in this order. */
  static <S extends HasMetadata> EventPredicate<S> allOf(
      List<EventPredicate<? super S>> own, List<EventPredicate<? super HasMetadata>> filters) {
    List<EventPredicate<? super S>> all = new ArrayList<>(own);
    all.addAll(filters);
    return EventPredicate.allOf(all);
  }

  /** The spec as it is watched, of several namespaces the first: as the factory says. */
  private static <S> InformerSpec<S> in(SharedInformerFactory informers, InformerSpec<S> spec) {
    return informers.specs(spec).get(0);
  }
}
