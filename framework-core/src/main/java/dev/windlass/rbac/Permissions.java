// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Declaration.Need;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The permissions that a program requires, grouped by declaration. Instances are immutable.
 *
 * <p>{@link #roles} converts the permissions to objects that an administrator can apply: a
 * ClusterRole for the permissions in all namespaces, and a Role for each individual namespace.
 */
public final class Permissions {

  /** An instance without permissions. */
  public static final Permissions NONE = new Permissions(List.of());

  private final List<Declaration> declarations;
  private final SortedSet<Permission> all;

  private Permissions(List<Declaration> declarations) {
    this.declarations = declarations;
    SortedSet<Permission> given = new TreeSet<>();
    declarations.forEach(declaration -> given.addAll(declaration.permissions()));
    all = given;
  }

  /** Returns an instance with the permissions of the given declarations. */
  public static Permissions of(Collection<Declaration> declarations) {
    return new Permissions(List.copyOf(declarations));
  }

  /**
   * Returns the permissions to read and watch objects of a type. The program is not required to use
   * them; see {@link Declaration.Need#NONE}.
   *
   * @param statement the statement that declares the permissions; see {@link Declaration}
   * @param namespace the namespace, or an empty string for all namespaces and for a cluster-scoped
   *     type
   */
  public static Permissions reads(String statement, ResourceType type, String namespace) {
    return group(statement, type, namespace, Verb.READS, Need.NONE);
  }

  /**
   * Returns the permissions to read and watch one object.
   *
   * @param namespace the namespace, or an empty string for a cluster-scoped type
   * @param name the object's name. The server permits lists and watches only if they select the
   *     object by the field {@code metadata.name}
   */
  public static Permissions reads(
      String statement, ResourceType type, String namespace, String name) {
    Set<Permission> permissions =
        Verb.READS.stream()
            .map(verb -> Permission.of(type, namespace, verb).named(name))
            .collect(Collectors.toUnmodifiableSet());
    return of(List.of(new Declaration(statement, permissions, Need.NONE)));
  }

  /**
   * Returns the permissions to create, change and delete objects of a type. The parameters are the
   * same as for {@link #reads}.
   */
  public static Permissions writes(String statement, ResourceType type, String namespace) {
    return group(statement, type, namespace, Verb.WRITES, Need.ANY);
  }

  private static Permissions group(
      String statement, ResourceType type, String namespace, Set<Verb> verbs, Need need) {
    Set<Permission> permissions =
        verbs.stream()
            .map(verb -> Permission.of(type, namespace, verb))
            .collect(Collectors.toUnmodifiableSet());
    return of(List.of(new Declaration(statement, permissions, need)));
  }

  /**
   * Returns the permissions for certain verbs on objects of a type. The program must use each of
   * these permissions; see {@link Declaration.Need#EACH}.
   *
   * @param namespace the namespace, or an empty string for all namespaces and for a cluster-scoped
   *     type
   * @throws IllegalArgumentException if no verb is given
   */
  public static Permissions uses(ResourceType type, String namespace, Verb... verbs) {
    if (verbs.length == 0) {
      throw new IllegalArgumentException(
          "uses(" + type.kind() + ") names no verb: name at least one, such as Verb.GET");
    }
    Set<Permission> permissions =
        Arrays.stream(verbs)
            .map(verb -> Permission.of(type, namespace, verb))
            .collect(Collectors.toUnmodifiableSet());
    return of(List.of(new Declaration("uses(" + type.kind() + ", ...)", permissions, Need.EACH)));
  }

  /** Returns the union of these permissions and the given permissions. */
  public Permissions and(Permissions others) {
    return of(Stream.concat(declarations.stream(), others.declarations.stream()).toList());
  }

  /** Returns the declarations of these permissions, in the order in which they were added. */
  public List<Declaration> declarations() {
    return declarations;
  }

  /** Returns an unmodifiable, sorted set of all permissions. */
  public Set<Permission> all() {
    return Collections.unmodifiableSortedSet(all);
  }

  /** Returns whether these permissions include the given permission. */
  public boolean cover(Permission needed) {
    return all.stream().anyMatch(permission -> permission.covers(needed));
  }

  /**
   * Returns the minimal roles that grant the permissions. If some permissions apply to the whole
   * cluster, the first element is a ClusterRole. A Role follows for each namespace in which the
   * program requires further permissions. The rules never contain wildcards ({@code *}).
   *
   * @param name the name of each role
   */
  public List<HasMetadata> roles(String name) {
    return new RoleConverter(name, all).roles();
  }

  /**
   * Returns the bindings that grant the {@link #roles} to a ServiceAccount, one for each role.
   *
   * @param name the name of each role and of each binding
   * @param namespace the ServiceAccount's namespace
   * @param serviceAccount the ServiceAccount's name
   */
  public List<HasMetadata> bindings(String name, String namespace, String serviceAccount) {
    return new RoleConverter(name, all).bindings(namespace, serviceAccount);
  }

  /** Returns the {@link #roles} as YAML that can be passed to {@code kubectl apply -f -}. */
  public String yaml(String name) {
    return yaml(roles(name));
  }

  /**
   * Returns the {@link #roles} and their {@link #bindings} as YAML that can be passed to {@code
   * kubectl apply -f -}.
   */
  public String yaml(String name, String namespace, String serviceAccount) {
    List<HasMetadata> objects = new ArrayList<>(roles(name));
    objects.addAll(bindings(name, namespace, serviceAccount));
    return yaml(objects);
  }

  private static String yaml(List<HasMetadata> objects) {
    return objects.stream().map(Serialization::asYaml).collect(Collectors.joining());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Permissions permissions
        && declarations.equals(permissions.declarations);
  }

  @Override
  public int hashCode() {
    return declarations.hashCode();
  }

  @Override
  public String toString() {
    return all.toString();
  }
}
