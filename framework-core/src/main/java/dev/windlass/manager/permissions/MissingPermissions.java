// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.permissions;

import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Verb;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Describes missing permissions: one sentence for each type and namespace. Stateless. */
final class MissingPermissions {

  private MissingPermissions() {}

  /**
   * Returns the sentences, each of which states the remedy.
   *
   * @param streams returns whether the program has the permission to watch the same objects. In
   *     this case, a missing permission to list does not prevent caches from using streaming lists
   */
  static List<String> sentences(Collection<Permission> missing, Predicate<Permission> streams) {
    Map<String, List<Permission>> byObject = new TreeMap<>();
    missing.stream()
        .sorted()
        .forEach(
            permission ->
                byObject
                    .computeIfAbsent(object(permission), object -> new ArrayList<>())
                    .add(permission));
    List<String> sentences = new ArrayList<>();
    byObject.forEach(
        (object, permissions) -> sentences.add(sentence(object, permissions, streams)));
    return sentences;
  }

  /** Returns the description of a permission without its verb. */
  private static String object(Permission permission) {
    return permission.toString().substring(permission.verb().toString().length() + 1);
  }

  private static String sentence(
      String object, List<Permission> missing, Predicate<Permission> streams) {
    boolean one = missing.size() == 1;
    Permission first = missing.get(0);
    boolean streamable = one && first.verb() == Verb.LIST && streams.test(first);
    boolean everywhere = first.namespace().isEmpty();
    return "This program lacks the "
        + (one ? "permission" : "permissions")
        + " to "
        + enumerated(missing.stream().map(Permission::verb).map(Verb::toString).toList())
        + " "
        + object
        + "; add "
        + (one ? "it" : "them")
        + " to its "
        + (everywhere ? "ClusterRole" : "Role in this namespace, which must exist")
        + (streamable ? ", for uncached lists and for API servers without streaming lists" : "")
        + " (--print-rbac or Manager.permissions() prints all permissions that it needs)";
  }

  private static String enumerated(List<String> words) {
    int last = words.size() - 1;
    return last == 0
        ? words.get(0)
        : words.subList(0, last).stream().collect(Collectors.joining(", "))
            + " and "
            + words.get(last);
  }
}
