// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.enqueue.NamespaceSet;
import dev.windlass.controller.enqueue.ReconcileAll;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.running.Pause;
import dev.windlass.controller.settings.ObjectLookup;
import dev.windlass.informer.CachePolicy;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.logging.OneLine;
import dev.windlass.object.Projection;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A controller's watches: the watched types, of which the primary type is the first, and any other
 * sources. This class detects conflicts between the watches and creates their sources.
 */
public final class WatchSelection {

  /**
   * The pattern of the annotation keys that the API server accepts ({@code ValidateAnnotations}).
   */
  private static final Pattern ANNOTATION =
      Pattern.compile(
          "(?:(?=[^/]{1,253}/)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*/)?"
              + "[a-z0-9](?:[-a-z0-9_.]{0,61}[a-z0-9])?",
          Pattern.CASE_INSENSITIVE);

  /** Creates an event handler that can read the cached objects of the primary type. */
  interface HandlerOf<S> {
    EventHandler<? super S> with(Supplier<? extends Indexer<?>> primaries, String cluster);
  }

  enum Role {
    PRIMARY,
    OWNED,
    OTHER
  }

  record Watch<S extends HasMetadata>(
      InformerSpec<S> spec,
      Role role,
      HandlerOf<S> handler,
      List<EventPredicate<? super S>> predicates) {

    boolean owned() {
      return role == Role.OWNED;
    }
  }

  interface Informers {

    /**
     * Returns a cluster's informers.
     *
     * @param cluster the cluster's name, or empty for the program's own cluster
     */
    SharedInformerFactory of(String cluster);

    boolean knows(String cluster);
  }

  /**
   * Creates a source. {@code WatchSelection.sources} calls this function after all event filters
   * have been added and the primary type's source has been created.
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
   * Adds a source that does not watch a type.
   *
   * @param object the instance that the user passed to the builder
   */
  public void add(Object object, SourceOf source) {
    given.add(object);
    sources.add(source);
  }

  public void addFilter(EventPredicate<? super HasMetadata> filter) {
    filters.add(filter);
  }

  public void pausedBy(String annotation) {
    pausedBy = checked(annotation);
  }

  /** Returns the annotation that pauses objects, or empty if there is none. */
  public Optional<String> pausedBy() {
    return Optional.ofNullable(pausedBy);
  }

  public NamespaceSelection namespaces() {
    return namespaces;
  }

  private Optional<Watch<?>> primary() {
    return types.stream().filter(watch -> watch.role() == Role.PRIMARY).findFirst();
  }

  /** Returns the primary type's cluster, or empty for the program's own cluster. */
  String cluster() {
    return primary().map(watch -> watch.spec().cluster()).orElse("");
  }

  boolean hasPrimary() {
    return primary().isPresent();
  }

  /** Returns whether the cache holds only the metadata of the primary type's objects. */
  boolean knowsMetadataOnly(Informers informers) {
    return primary()
        .filter(watch -> in(informers, watch.spec()).codec().projection() == Projection.METADATA)
        .isPresent();
  }

  /**
   * Returns a description of the first conflict between the settings, or empty if there is none.
   * The description completes a sentence that begins with the name of the controller.
   */
  Optional<String> misuse(Informers informers) {
    for (Watch<?> watch : types) {
      if (!informers.knows(watch.spec().cluster())) {
        return Optional.of(
            "watches %s in the cluster '%s', which the manager does not have: add it with Manager.cluster(...) first"
                .formatted(watch.spec().type().resource(), watch.spec().cluster()));
      }
      Optional<String> found =
          (watch.owned()
                  ? OwnedTypes.misuse(watch.spec(), primary().<InformerSpec<?>>map(Watch::spec))
                  : Optional.<String>empty())
              .or(() -> misuseOfPolicy(informers, watch.spec()));
      if (found.isPresent()) {
        return found;
      }
    }
    return misuseOfTypes(informers)
        .or(this::misuseOfSources)
        .or(() -> namespaces.misuse(types.stream().<InformerSpec<?>>map(Watch::spec).toList()));
  }

  /**
   * Returns a description of the first watch outside the namespace to which the program is
   * restricted, or empty if there is none. The restriction can be a setting from outside the
   * program, so this is not an error in the program.
   */
  Optional<String> conflictOfNamespaces(Informers informers) {
    return types.stream()
        .<InformerSpec<?>>map(Watch::spec)
        .map(spec -> namespaces.conflict(spec, informers.of(spec.cluster()).defaultScope()))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<String> misuseOfPolicy(Informers informers, InformerSpec<?> watched) {
    CachePolicy policy = informers.of(watched.cluster()).policy();
    Set<String> allowed = policy.namespaces(watched.type());
    if (namespaces.changing().isPresent() && !allowed.isEmpty()) {
      return Optional.of(
          "watches %s in namespaces that may change, but ManagerBuilder.cache(...) restricts them to %s: remove one of the two calls"
              .formatted(watched.type().resource(), allowed));
    }
    return policy
        .refusal(watched)
        .or(
            () ->
                allowed.isEmpty() || allowed.containsAll(namespaces.names())
                    ? Optional.empty()
                    : Optional.of(
                        "watches %s in the namespaces %s by inNamespaces(...), but ManagerBuilder.cache(...) restricts them to %s: widen one or narrow the other"
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
    return GenerationFilters.misuse(types, filters);
  }

  private Optional<String> misuseOfSources() {
    if (!hasPrimary() && pausedBy != null) {
      return Optional.of("has no primary type whose objects could be paused: remove pausedBy(...)");
    }
    if (types.isEmpty() && sources.isEmpty()) {
      return Optional.of("watches nothing: call watches(...)");
    }
    if (!hasPrimary() && given.stream().anyMatch(ReconcileAll.class::isInstance)) {
      return Optional.of(
          "has no primary type whose objects could be reconciled: call"
              + " watches(trigger.over(...)) with the cache to use");
    }
    for (int i = 0; i < given.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (given.get(i) == given.get(j)) {
          return Optional.of("watches " + given.get(i) + " twice: add each source only once");
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns a supplier of the namespaces for which a type needs separate watches, or empty if one
   * watch is sufficient.
   */
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
   * The sources created from the watches.
   *
   * @param all all sources, beginning with the primary type's source
   * @param primary the primary type's source, or empty if there is none
   * @param owned the sources of the owned types
   * @param lookup finds objects in the sources' caches
   * @param accepts tests whether the controller currently watches a request's namespace; empty if
   *     the namespaces never change
   */
  record Sources(
      List<Source> all,
      Optional<Watched<?>> primary,
      List<Watched<?>> owned,
      ObjectLookup lookup,
      Optional<Predicate<Request>> accepts) {

    record Watched<S extends HasMetadata>(InformerSpec<S> spec, InformerSource<S> source) {}
  }

  Sources sources(Informers informers, Duration resync) {
    List<Source> all = new ArrayList<>();
    Optional<OwnedTypes> ownedTypes = ownedTypes();
    Map<String, List<InformerSource<?>>> byKind = new HashMap<>();
    Optional<Sources.Watched<?>> primary =
        primary()
            .map(watch -> watched(watch, WatchSelection::noIndexer, ownedTypes, informers, resync));
    Supplier<? extends Indexer<?>> primaries =
        primary
            .<Supplier<? extends Indexer<?>>>map(first -> first.source()::indexer)
            .orElse(WatchSelection::noIndexer);
    List<Sources.Watched<?>> owned = new ArrayList<>();
    for (Watch<?> watch : types) {
      Sources.Watched<?> watched =
          watch.role() == Role.PRIMARY
              ? primary.orElseThrow()
              : watched(watch, primaries, ownedTypes, informers, resync);
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
        new InformerLookup(primary.map(Sources.Watched::source), cluster(), byKind, ownedTypes),
        accepts());
  }

  /**
   * Returns a predicate that tests whether the controller currently watches a request's namespace.
   * Returns empty if the namespaces never change, or if the primary type is not restricted to
   * namespaces.
   */
  private Optional<Predicate<Request>> accepts() {
    boolean namespaced = primary().filter(each -> namespaces.restricts(each.spec())).isPresent();
    return namespaces
        .changing()
        .filter(set -> namespaced)
        .map(set -> request -> set.contains(request.namespace()));
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
      Optional<OwnedTypes> ownedTypes,
      Informers informers,
      Duration resync) {
    EventHandler<? super S> handler = watch.handler().with(primaries, cluster());
    if (watch.owned() && ownedTypes.isPresent()) {
      handler = ownedTypes.get().unblocking(handler);
    }
    return new Sources.Watched<>(
        in(informers, watch.spec()), source(watch, handler, informers, resync));
  }

  /** Returns the types that are watched in the program's own cluster, and their namespaces. */
  List<DerivedPermissions.Watched> watched(Informers informers) {
    List<DerivedPermissions.Watched> all = new ArrayList<>();
    for (Watch<?> watch : types) {
      if (!watch.spec().cluster().isEmpty()) {
        continue; // the program's ServiceAccount has no permissions in other clusters
      }
      Set<String> one = Set.of(in(informers, watch.spec()).scope().namespace());
      all.add(
          new DerivedPermissions.Watched(
              watch.spec(), watch.role(), several(informers, watch).orElse(() -> one)));
    }
    if (namespaces.isByLabels() && cluster().isEmpty()) {
      all.add(
          new DerivedPermissions.Watched(
              InformerSpec.of(Namespace.class), Role.OTHER, () -> Set.of("")));
    }
    return all;
  }

  /**
   * Returns a supplier of the controller's current namespaces. An empty string stands for all
   * namespaces.
   */
  Supplier<Set<String>> home(Informers informers) {
    Set<String> one = Set.of(informers.of("").defaultScope().namespace());
    return namespaces.now().orElse(() -> one);
  }

  private static Indexer<?> noIndexer() {
    throw new IllegalStateException("the controller has no objects of a primary type");
  }

  private <S extends HasMetadata> InformerSource<S> source(
      Watch<S> watch, EventHandler<? super S> handler, Informers informers, Duration resync) {
    EventPredicate<S> all = allOf(watch.predicates(), filters);
    String annotation = pausedBy;
    if (annotation != null && watch.role() == Role.PRIMARY) {
      all = orResumed(annotation, all);
    }
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

  /**
   * Combines the predicates of one watch with the controller's event filters, which apply to all
   * watches. The predicates of the watch are evaluated first.
   */
  public static <S extends HasMetadata> EventPredicate<S> allOf(
      List<EventPredicate<? super S>> own, List<EventPredicate<? super HasMetadata>> filters) {
    List<EventPredicate<? super S>> all = new ArrayList<>(own);
    all.addAll(filters);
    return EventPredicate.allOf(all);
  }

  /**
   * Returns the spec with the scope that the factory uses for it. If the factory watches the type
   * in several namespaces, the result is for the first of them.
   */
  private static <S> InformerSpec<S> in(Informers informers, InformerSpec<S> spec) {
    return informers.of(spec.cluster()).specs(spec).get(0);
  }

  /**
   * Checks that an annotation key is valid, and returns it.
   *
   * @throws IllegalArgumentException if the API server would reject an annotation with this key
   */
  private static String checked(String annotation) {
    if (!ANNOTATION.matcher(annotation).matches()) {
      throw new IllegalArgumentException(
          "'"
              + OneLine.of(annotation, 100)
              + "' can't be the name of an annotation; use a domain and a name, such as"
              + " 'example.com/paused'");
    }
    return annotation;
  }

  /**
   * Returns a predicate that accepts an event if the event ends a pause, or if the given predicate
   * accepts it.
   */
  private static <T> EventPredicate<T> orResumed(String annotation, EventPredicate<T> others) {
    return EventPredicate.<T>anyOf(
        List.of(
            others,
            event ->
                event instanceof ResourceEvent.Updated<?> updated
                    && Pause.isPaused(updated.old(), annotation)
                    && !Pause.isPaused(updated.object(), annotation)));
  }
}
