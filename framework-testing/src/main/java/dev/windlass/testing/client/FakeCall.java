// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A call to a method of {@link FakeClient}.
 *
 * @param verb the name of the method: get, list, create, update, patch, apply, applyNew, delete or
 *     deleteAllOf; for subresources also read or replace
 * @param type the resource type of the object
 * @param key the object's key; empty for list and deleteAllOf, and for objects without a name
 * @param subresource the name of the subresource, such as {@code status}; empty for the object
 *     itself
 */
public record FakeCall(
    String verb, ResourceType type, Optional<ObjectKey> key, String subresource) {

  private static final Set<String> VERBS =
      Set.of(
          "get",
          "list",
          "create",
          "update",
          "patch",
          "apply",
          "applyNew",
          "delete",
          "deleteAllOf",
          "read",
          "replace");

  /**
   * Returns a predicate that accepts calls with the given verb and class. Calls for a subresource
   * are not accepted.
   *
   * @throws IllegalArgumentException if the verb is unknown
   */
  public static Predicate<FakeCall> of(String verb, Class<? extends HasMetadata> type) {
    return of(verb, type, "");
  }

  /**
   * Returns a predicate that accepts calls with the given verb, class and subresource.
   *
   * @throws IllegalArgumentException if the verb is unknown
   */
  public static Predicate<FakeCall> of(
      String verb, Class<? extends HasMetadata> type, String subresource) {
    if (!VERBS.contains(verb)) {
      throw new IllegalArgumentException(
          "no call has the verb '%s', so this would never match: use one of %s, and pass the subresource separately, as in of(\"update\", %s.class, \"status\")"
              .formatted(verb, new TreeSet<>(VERBS), type.getSimpleName()));
    }
    ResourceType wanted = ResourceType.of(type);
    return call ->
        call.verb().equals(verb)
            && call.type().equals(wanted)
            && call.subresource().equals(subresource);
  }

  /** Returns whether calls with this verb can change objects. */
  public boolean isWrite() {
    return !verb.equals("get") && !verb.equals("list") && !verb.equals("read");
  }

  @Override
  public String toString() {
    return verb
        + " "
        + type.plural()
        + (subresource.isEmpty() ? "" : "/" + subresource)
        + key.map(named -> " " + named).orElse("");
  }
}
