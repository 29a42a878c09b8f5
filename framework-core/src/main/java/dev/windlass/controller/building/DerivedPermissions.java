// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.informer.InformerSpec;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Declaration;
import dev.windlass.rbac.Declaration.Need;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Derives a controller's required permissions from the settings of its builder. */
public final class DerivedPermissions {

  /** All verbs that can change a status. */
  public static final List<Verb> EVERY_WRITE_OF_STATUS = List.of(Verb.UPDATE, Verb.PATCH);

  private final List<Use> uses = new ArrayList<>();
  private @Nullable List<Verb> status;
  private boolean finalizers;
  private boolean events;

  public void use(Class<? extends HasMetadata> type, List<Verb> verbs, BuilderErrors errors) {
    try {
      ResourceType used = ResourceType.of(type);
      if (verbs.isEmpty()) {
        errors.add("uses " + used.kind() + " without a verb: name at least one, such as Verb.GET");
      }
      uses.add(new Use(used, List.copyOf(verbs)));
    } catch (IllegalArgumentException e) {
      errors.cantUse("uses", e);
    }
  }

  public void status(List<Verb> verbs) {
    status = verbs;
  }

  public void finalizers() {
    finalizers = true;
  }

  void events() {
    events = true;
  }

  /**
   * Returns a supplier of the permissions that the controller requires. Each call of the supplier
   * uses the current namespaces. Later changes to the settings do not affect the supplier.
   *
   * @param watched the watched types and their namespaces
   * @param home the controller's namespaces; an empty string stands for all namespaces
   */
  Supplier<Permissions> of(List<Watched> watched, Supplier<Set<String>> home) {
    DerivedPermissions copy = new DerivedPermissions();
    copy.uses.addAll(uses);
    copy.status = status;
    copy.finalizers = finalizers;
    copy.events = events;
    return () -> copy.now(watched, home.get());
  }

  private Permissions now(List<Watched> watched, Set<String> namespaces) {
    Permissions all = Permissions.NONE;
    boolean owns = false;
    for (Watched watch : watched) {
      ResourceType type = watch.spec().type();
      for (String namespace : watch.namespaces().get()) {
        all = all.and(reads(watch.spec(), namespace));
        if (watch.role() == WatchSelection.Role.OWNED) {
          owns = true;
          all = all.and(ofOwned(type, namespace));
        }
      }
    }
    for (Watched watch : watched) {
      if (watch.role() == WatchSelection.Role.PRIMARY) {
        for (String namespace : watch.namespaces().get()) {
          all = all.and(ofPrimary(watch.spec(), namespace, owns));
        }
      }
    }
    for (Use use : uses) {
      for (String namespace : namespaces) {
        all = all.and(use.in(namespace));
      }
    }
    return all;
  }

  private static Permissions reads(InformerSpec<?> watched, String namespace) {
    ResourceType type = watched.type();
    String statement = "watches(" + type.kind() + ")";
    return watched
        .scope()
        .objectName()
        .map(name -> Permissions.reads(statement, type, namespace, name))
        .orElseGet(() -> Permissions.reads(statement, type, namespace));
  }

  /**
   * Returns the write permissions for an owned type. They contain the write verbs that the user has
   * declared for the type, or all write verbs if the user has declared none.
   */
  private Permissions ofOwned(ResourceType type, String namespace) {
    List<Use> said = uses.stream().filter(use -> use.writes(type)).toList();
    if (said.isEmpty()) {
      return Permissions.writes("owns(" + type.kind() + ")", type, namespace);
    }
    return said.stream().map(use -> use.in(namespace)).reduce(Permissions.NONE, Permissions::and);
  }

  private Permissions ofPrimary(InformerSpec<?> primary, String namespace, boolean owns) {
    ResourceType type = primary.type();
    List<Declaration> declared = new ArrayList<>();
    List<Verb> written = status;
    if (written == null) {
      written = primary.codec().hasStatus() ? EVERY_WRITE_OF_STATUS : List.of();
    }
    if (!written.isEmpty()) {
      declared.add(
          new Declaration(
              "usesStatus() of " + type.kind(),
              subresource(type, namespace, "status", written.toArray(Verb[]::new)),
              Need.ANY));
    }
    if (finalizers) {
      declared.add(
          new Declaration(
              "usesFinalizers() of " + type.kind(),
              Set.of(Permission.of(type, namespace, Verb.PATCH)),
              Need.EACH));
    }
    if (events) { // about cluster-scoped objects, they are in the namespace default
      ResourceType recorded = ResourceType.of(Event.class);
      declared.add(
          new Declaration(
              "eventRecorder of " + type.kind(),
              Set.of(
                  Permission.of(recorded, namespace, Verb.CREATE),
                  Permission.of(recorded, namespace, Verb.PATCH)),
              Need.NONE));
    }
    if (owns) {
      // A cluster can require this permission to set blockOwnerDeletion in an owner reference.
      declared.add(
          new Declaration(
              "owns(...) for " + type.kind(),
              subresource(type, namespace, "finalizers", Verb.UPDATE),
              Need.NONE));
    }
    return Permissions.of(declared);
  }

  private static Set<Permission> subresource(
      ResourceType type, String namespace, String name, Verb... verbs) {
    Set<Permission> permissions = new HashSet<>();
    for (Verb verb : verbs) {
      permissions.add(Permission.of(type, namespace, verb).subresource(name));
    }
    return permissions;
  }

  /** A type that the reconciler uses, with the verbs declared for it. */
  private record Use(ResourceType type, List<Verb> verbs) {

    boolean writes(ResourceType owned) {
      return type.equals(owned) && verbs.stream().anyMatch(Verb::isWrite);
    }

    Permissions in(String namespace) {
      return Permissions.uses(type, namespace, verbs.toArray(Verb[]::new));
    }
  }

  /**
   * A watched type.
   *
   * @param spec the type, and the scope of the watch
   * @param role the reason why the type is watched
   * @param namespaces supplies the namespaces in which the type is currently watched; an empty
   *     string stands for all namespaces
   */
  record Watched(
      InformerSpec<? extends HasMetadata> spec,
      WatchSelection.Role role,
      Supplier<Set<String>> namespaces) {}
}
