// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.selector.Selector;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A predicate with a descriptive name for logs.
 *
 * @param name the Java expression that creates the predicate
 * @param decidedByGeneration whether the predicate rejects every event that {@link
 *     GenerationChanged} rejects
 * @param decision the predicate to which this one delegates
 */
record NamedPredicate<T>(
    String name, boolean decidedByGeneration, EventPredicate<? super T> decision)
    implements EventPredicate<T> {

  private NamedPredicate(String name, EventPredicate<? super T> decision) {
    this(name, false, decision);
  }

  static <T> EventPredicate<T> always() {
    return new NamedPredicate<>("EventPredicate.always()", event -> true);
  }

  static <T> EventPredicate<T> never() {
    return new NamedPredicate<>("EventPredicate.never()", event -> false);
  }

  @Override
  public boolean test(ResourceEvent<? extends T> event) {
    return decision.test(event);
  }

  static <T> EventPredicate<T> not(EventPredicate<T> part) {
    return new NamedPredicate<>(part + ".negate()", event -> !part.test(event));
  }

  /**
   * Returns a predicate that accepts an event if at least one part accepts it. The parts are
   * evaluated in order until one accepts the event.
   */
  static <T> EventPredicate<T> anyOf(List<EventPredicate<? super T>> given) {
    List<EventPredicate<? super T>> parts = List.copyOf(given);
    return new NamedPredicate<>(
        named("anyOf", parts),
        !parts.isEmpty() && parts.stream().allMatch(GenerationChanged::decides),
        event -> {
          for (EventPredicate<? super T> part : parts) {
            if (part.test(event)) {
              return true;
            }
          }
          return false;
        });
  }

  /**
   * Returns a predicate that rejects updates for which {@code differs} returns false. It accepts
   * all other events.
   */
  static <T> EventPredicate<T> changed(
      String name, java.util.function.Predicate<ResourceEvent.Updated<?>> differs) {
    return new NamedPredicate<>(
        named(name, List.of()),
        event -> !(event instanceof ResourceEvent.Updated<?> updated) || differs.test(updated));
  }

  static <T> EventPredicate<T> matching(Selector selector) {
    return new NamedPredicate<>(
        "EventPredicate.labelSelector(\"" + selector + "\")",
        event ->
            selector.matches(event.object().labels())
                || (event instanceof ResourceEvent.Updated<?> updated
                    && selector.matches(updated.old().labels())));
  }

  static boolean labelsDiffer(ResourceEvent.Updated<?> updated) {
    return updated.isResync() || !updated.old().labels().equals(updated.object().labels());
  }

  static boolean annotationsDiffer(ResourceEvent.Updated<?> updated) {
    return updated.isResync()
        || !annotationsOf(updated.old()).equals(annotationsOf(updated.object()));
  }

  private static Map<String, String> annotationsOf(CachedObject<?> object) {
    Map<String, String> annotations = object.metadata().getAnnotations();
    return annotations == null ? Map.of() : annotations;
  }

  static String named(String method, List<?> arguments) {
    return arguments.stream()
        .map(String::valueOf)
        .collect(Collectors.joining(", ", "EventPredicate." + method + "(", ")"));
  }

  @Override
  public String toString() {
    return name;
  }
}
