// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Determines what informers cache for a type if the caller specifies only the type. By default,
 * they cache all objects. A policy can contain specs, which restrict the cached objects of their
 * types. It can contain a transform, which applies to all types without a spec. It can also exclude
 * types from caching. Instances are immutable.
 *
 * <p>If a requested spec specifies only a type, the policy replaces it with the specs that it
 * contains for that type. A type can have several specs if they differ only in their namespaces. In
 * this case, informers cache the objects in all of these namespaces.
 */
public final class CachePolicy {

  /** The policy that caches all objects of each type. */
  public static final CachePolicy EVERYTHING = new CachePolicy(Map.of(), Set.of(), Transform.NONE);

  private final Map<String, List<InformerSpec<?>>> specs;
  private final Set<String> never;
  private final Transform forAll;

  private CachePolicy(
      Map<String, List<InformerSpec<?>>> specs, Set<String> never, Transform forAll) {
    this.specs = specs;
    this.never = never;
    this.forAll = forAll;
  }

  /**
   * Returns a copy of this policy that also contains the given spec. The spec restricts which
   * objects of its type are cached. A type can have several specs if they differ only in their
   * namespaces.
   *
   * @throws IllegalArgumentException if the spec contradicts the policy; the message states the
   *     remedy
   */
  public CachePolicy with(InformerSpec<?> spec) {
    String type = spec.type().resource();
    List<InformerSpec<?>> known = specs.getOrDefault(type, List.of());
    requireFit(spec, known);
    List<InformerSpec<?>> longer = new ArrayList<>(known);
    longer.add(spec);
    Map<String, List<InformerSpec<?>>> more = new LinkedHashMap<>(specs);
    more.put(type, List.copyOf(longer));
    return new CachePolicy(more, never, forAll);
  }

  private void requireFit(InformerSpec<?> spec, List<InformerSpec<?>> known) {
    ResourceType type = spec.type();
    if (never.contains(type.resource())) {
      throw neverAndSpec(type);
    }
    String namespace = spec.scope().namespace();
    if (!namespace.isEmpty() && !type.namespaced()) {
      throw new IllegalArgumentException(
          "the cache of %s is restricted to namespace %s, but the type is cluster-scoped: leave the namespace out"
              .formatted(type.resource(), namespace));
    }
    for (InformerSpec<?> other : known) {
      if (!isSame(spec.in(other.scope()), other)
          || !spec.scope().in("").equals(other.scope().in(""))) {
        throw new IllegalArgumentException(
            "%s are cached as (%s) and as (%s), which would be two caches: give one InformerSpec for the type, or several that differ in their namespace only"
                .formatted(type.resource(), other, spec));
      }
      String there = other.scope().namespace();
      if (there.equals(namespace) || there.isEmpty() || namespace.isEmpty()) {
        throw new IllegalArgumentException(
            "%s are cached twice in the same place, as (%s) and as (%s): leave one of the two out"
                .formatted(type.resource(), other, spec));
      }
    }
  }

  private static IllegalArgumentException neverAndSpec(ResourceType type) {
    return new IllegalArgumentException(
        "%s have an InformerSpec in cache(...), and are in neverCache(...): leave out one of the two"
            .formatted(type.resource()));
  }

  /**
   * Returns a copy of this policy that never caches the given type.
   *
   * @throws IllegalArgumentException if the policy has a spec for the type
   */
  public CachePolicy withNever(ResourceType type) {
    if (specs.containsKey(type.resource())) {
      throw neverAndSpec(type);
    }
    Set<String> more = new HashSet<>(never);
    more.add(type.resource());
    return new CachePolicy(specs, Set.copyOf(more), forAll);
  }

  /** Returns a copy of this policy that applies the given transform to each type without a spec. */
  public CachePolicy withTransform(Transform transform) {
    return new CachePolicy(specs, never, transform);
  }

  /**
   * Checks that no spec in this policy has a namespace outside the given scope.
   *
   * @param scope the scope to which the program is restricted
   * @throws IllegalArgumentException if a spec has a namespace outside the scope; the message
   *     states the remedy
   */
  public void requireWithin(WatchScope scope) {
    for (List<InformerSpec<?>> each : specs.values()) {
      for (InformerSpec<?> spec : each) {
        String namespace = spec.scope().namespace();
        if (!scope.namespace().isEmpty()
            && !namespace.isEmpty()
            && !namespace.equals(scope.namespace())) {
          throw new IllegalArgumentException(
              "the manager is restricted to namespace %s, and the cache of %s to namespace %s: leave out one of the two"
                  .formatted(scope.namespace(), spec.type().resource(), namespace));
        }
      }
    }
  }

  /** Returns whether the given type is never cached. */
  public boolean isNever(ResourceType type) {
    return never.contains(type.resource());
  }

  /**
   * Returns the namespaces to which this policy restricts a type. The set is empty if there is no
   * restriction.
   */
  public Set<String> namespaces(ResourceType type) {
    Set<String> found = new HashSet<>();
    specs
        .getOrDefault(type.resource(), List.of())
        .forEach(spec -> found.add(spec.scope().namespace()));
    found.remove("");
    return found;
  }

  /**
   * Returns a message that states why this policy forbids a watch with the given spec, and what to
   * change. The result is empty if the policy permits the watch.
   */
  public Optional<String> refusal(InformerSpec<?> asked) {
    ResourceType type = asked.type();
    if (isNever(type)) {
      return Optional.of(
          "watches %s, which ManagerBuilder.neverCache(...) forbids: leave out one of the two"
              .formatted(type.resource()));
    }
    List<InformerSpec<?>> own = specs.getOrDefault(type.resource(), List.of());
    if (own.isEmpty() || isPlain(asked) || own.stream().anyMatch(spec -> isSame(asked, spec))) {
      return Optional.empty();
    }
    return Optional.of(
        "watches %s as (%s), but ManagerBuilder.cache(...) defines (%s), which would be two caches: name the class without an InformerSpec, or change cache(...)"
            .formatted(type.resource(), asked, own.get(0)));
  }

  /**
   * Returns the specs of the informers that serve a request for the given spec. If the given spec
   * specifies only a type and the policy has specs for this type, these specs are returned.
   * Otherwise, the given spec is returned. In both cases, a spec without a namespace is restricted
   * to the program's scope.
   *
   * @param usual the program's scope
   * @return one spec, or one spec for each namespace of the type
   */
  <T> List<InformerSpec<T>> specs(InformerSpec<T> asked, WatchScope usual) {
    List<InformerSpec<?>> own = specs.getOrDefault(asked.type().resource(), List.of());
    if (own.isEmpty()) {
      return List.of(within(usual, transformed(asked)));
    }
    if (!isPlain(asked)) {
      return List.of(within(usual, asked));
    }
    List<InformerSpec<T>> found = new ArrayList<>();
    for (InformerSpec<?> spec : own) {
      InformerSpec<T> same =
          new InformerSpec<>(
              asked.codec().with(spec.codec().projection()), spec.scope(), spec.transform());
      found.add(within(usual, same));
    }
    return found;
  }

  /**
   * Does the same as {@link #specs}, but rejects types that must not be cached.
   *
   * @throws IllegalStateException if the policy excludes the type from caching
   */
  <T> List<InformerSpec<T>> required(InformerSpec<T> asked, WatchScope usual) {
    if (isNever(asked.type())) {
      throw new IllegalStateException(
          "%s can't be cached because of neverCache(...): leave out one of the two"
              .formatted(asked.type().resource()));
    }
    return specs(asked, usual);
  }

  private <T> InformerSpec<T> transformed(InformerSpec<T> asked) {
    return asked.transform() == Transform.NONE
            && asked.codec().projection() != Projection.METADATA
            && forAll != Transform.NONE
        ? asked.with(forAll)
        : asked;
  }

  private static <T> InformerSpec<T> within(WatchScope usual, InformerSpec<T> spec) {
    WatchScope scope = spec.scope();
    if (scope.equals(WatchScope.ALL)) {
      return spec.in(usual);
    }
    return scope.namespace().isEmpty() ? spec.in(scope.in(usual.namespace())) : spec;
  }

  private static boolean isPlain(InformerSpec<?> spec) {
    return spec.scope().equals(WatchScope.ALL)
        && spec.transform() == Transform.NONE
        && spec.codec().projection() == Projection.STRIPPED;
  }

  /**
   * Returns whether informers with these specs store the same objects in the same form. The Java
   * classes of the specs can differ.
   */
  private static boolean isSame(InformerSpec<?> one, InformerSpec<?> other) {
    return one.type().equals(other.type())
        && one.scope().equals(other.scope())
        && one.transform() == other.transform()
        && one.codec().projection() == other.codec().projection();
  }
}
