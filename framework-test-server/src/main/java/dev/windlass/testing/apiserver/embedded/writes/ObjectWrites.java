// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.ownership.FieldOwnership;
import dev.windlass.testing.apiserver.embedded.ownership.ManagedFields;
import dev.windlass.testing.apiserver.embedded.rules.KindRules;
import dev.windlass.testing.apiserver.embedded.rules.MetadataRules;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Creates and updates objects according to the rules of the API, on behalf of clients and of the
 * server's own controllers.
 */
public final class ObjectWrites {
  private static final int NAME_ATTEMPTS = 8;

  private final Store store;
  private final Clock clock;
  private final IdGenerator ids;

  public ObjectWrites(Store store, Clock clock, IdGenerator ids) {
    this.store = store;
    this.clock = clock;
    this.ids = ids;
  }

  /** Returns the current time in the format used in objects: RFC 3339, in UTC and whole seconds. */
  public String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Creates an object on behalf of the server itself. */
  public ObjectNode create(ResourceType type, String namespace, ObjectNode body) {
    return create(type, namespace, body, WriteOptions.CONTROLLER);
  }

  /**
   * Creates an object.
   *
   * @param namespace the namespace; empty for a cluster-scoped kind
   * @param body the object, which the caller must not use afterwards
   * @throws StatusException if the object is rejected
   */
  public ObjectNode create(
      ResourceType type, String namespace, ObjectNode body, WriteOptions options) {
    ObjectNode object = new KindRules(type).decode(body);
    placeInNamespace(Meta.of(object), namespace);
    if (!options.mustReleaseLock(type)) {
      try (Store.Transaction tx = store.begin()) {
        complete(tx, type, object, options);
        return type.present(insert(tx, type, object, type.toStored(object), options.dryRun()));
      }
    }
    try (Store.Transaction tx = store.begin()) {
      admit(tx, type, Meta.of(object));
    }
    WriteOptions noted = options;
    if (options.review().isActive()) {
      ObjectNode sent = owned(type, object, options);
      ObjectNode mutated = options.review().mutate(Json.object(), sent);
      if (!Json.same(sent, mutated)) {
        object = new KindRules(type).decode(mutated.deepCopy());
        placeInNamespace(Meta.of(object), namespace);
        noted = options.withOwners(FieldOwnership.as(mutated));
      }
    }
    try (Store.Transaction tx = store.begin()) {
      complete(tx, type, object, noted);
    }
    options.review().validate(Json.object(), type.present(object));
    ObjectNode stored = type.toStored(object);
    try (Store.Transaction tx = store.begin()) {
      stored = insert(tx, type, object, stored, options.dryRun());
    }
    return type.present(stored);
  }

  /**
   * Returns a copy of a new object to pass to the review. The copy includes {@code managedFields}.
   */
  private ObjectNode owned(ResourceType type, ObjectNode object, WriteOptions options) {
    ObjectNode noted = object.deepCopy();
    MetadataRules.dropServerFields(Meta.of(noted));
    new KindRules(type).dropStatus(noted);
    options.owners().note(type, "", Json.object(), noted, now());
    ObjectNode sent = object.deepCopy();
    MetadataRules.dropServerFields(Meta.of(sent));
    Meta.of(sent).json().remove(List.of("uid", "creationTimestamp"));
    ManagedFields.copy(noted, sent);
    return type.present(sent);
  }

  /** Sets the fields of a new object that the server assigns, and validates the object. */
  private void complete(
      Store.Transaction tx, ResourceType type, ObjectNode object, WriteOptions options) {
    KindRules rules = new KindRules(type);
    Meta meta = Meta.of(object);
    boolean versioned = meta.resourceVersion().matches("0*[1-9]\\d*");
    if (meta.name().isEmpty() && !meta.text("generateName").isEmpty()) {
      meta.json().put("name", freeName(tx, type, meta));
    }
    admit(tx, type, meta);
    MetadataRules.dropServerFields(meta);
    rules.dropStatus(object);
    rules.firstGeneration(object);
    if (!options.dryRun()) {
      meta.json().remove("resourceVersion");
    }
    meta.json().put("uid", ids.uid()).put("creationTimestamp", now());
    options.owners().note(type, "", Json.object(), object, now());
    rules.allocate(Json.object(), object, ids::address);
    rules.validate(Json.object(), object, "", MetadataRules.onCreate(type, meta));
    if (versioned && !options.dryRun()) {
      throw StatusException.of(
          500, "", "resourceVersion should not be set on objects to be created");
    }
  }

  /**
   * Stores a new object and returns it. A dry run stores nothing and returns {@code object}.
   *
   * @param stored the object in its storage version
   * @throws StatusException 409 if the object already exists
   */
  private static ObjectNode insert(
      Store.Transaction tx,
      ResourceType type,
      ObjectNode object,
      ObjectNode stored,
      boolean dryRun) {
    Meta meta = Meta.of(object);
    ObjectNode existing = tx.get(type.storage(), meta.key());
    if (existing != null) {
      throw alreadyExists(type, existing, meta);
    }
    return dryRun ? object : tx.put(type.storage(), stored);
  }

  private static StatusException alreadyExists(
      ResourceType type, ObjectNode existing, Meta created) {
    boolean deleting = Meta.of(existing).deleting();
    return created.text("generateName").isEmpty()
        ? StatusException.alreadyExists(type.resource(), created.name(), deleting)
        : StatusException.noUniqueName(type.resource(), created.name(), deleting);
  }

  private static void placeInNamespace(Meta meta, String namespace) {
    MetadataRules.checkNamespace(meta, namespace);
    if (!namespace.isEmpty()) {
      meta.json().put("namespace", namespace);
    }
  }

  private String freeName(Store.Transaction tx, ResourceType type, Meta meta) {
    String prefix = meta.text("generateName");
    String name = ids.name(prefix);
    for (int i = 1; i < NAME_ATTEMPTS; i++) {
      if (tx.get(type.storage(), new ObjectKey(meta.namespace(), name)) == null) {
        return name;
      }
      name = ids.name(prefix);
    }
    return name;
  }

  private static void admit(Store.Transaction tx, ResourceType type, Meta meta) {
    if (type.custom()) {
      ObjectNode crd = tx.get(BuiltInTypes.CRDS, new ObjectKey("", type.resource().toString()));
      if (crd != null && Meta.of(crd).deleting()) {
        throw StatusException.of(
            405,
            "MethodNotAllowed",
            "create not allowed while custom resource definition is terminating");
      }
    }
    if (!type.namespaced()) {
      return;
    }
    String name = meta.namespace();
    ObjectNode namespace = tx.get(BuiltInTypes.NAMESPACES, new ObjectKey("", name));
    if (namespace == null) {
      throw StatusException.notFound(BuiltInTypes.NAMESPACES, name);
    }
    if (Meta.of(namespace).deleting()) {
      String why = "unable to create new content in namespace %s because it is being terminated";
      throw StatusException.forbidden(type.resource(), meta.name(), why.formatted(name))
          .cause(
              "NamespaceTerminating",
              "namespace %s is being terminated".formatted(name),
              "metadata.namespace");
    }
  }

  /**
   * Updates an object and returns the result. If another request changes the object before the
   * result is stored, this method calls {@code edit} again with the changed object.
   *
   * @param subresource {@code status} to change only the status; {@code finalize} to also change a
   *     namespace's {@code spec.finalizers}; empty to change neither the status nor these
   *     finalizers
   * @param edit the function that computes the desired object from the current object, in the
   *     version of {@code type}. It must not modify its argument
   * @throws StatusException 404, 409 or 422
   */
  public ObjectNode update(
      ResourceType type,
      ObjectKey key,
      String subresource,
      UnaryOperator<ObjectNode> edit,
      WriteOptions options) {
    ObjectUpdate update = new ObjectUpdate(type, key, subresource, edit, options);
    if (!options.mustReleaseLock(type)) {
      try (Store.Transaction tx = store.begin()) {
        ObjectNode stored = existing(tx, type, key);
        ObjectNode object = update.apply(stored, now(), ids::address);
        return type.present(commit(tx, type, stored, object, type.toStored(object), options));
      }
    }
    while (true) {
      ObjectNode stored;
      try (Store.Transaction tx = store.begin()) {
        stored = existing(tx, type, key);
      }
      ObjectNode object = update.apply(stored, now(), ids::address);
      ObjectNode next = type.toStored(object);
      ObjectNode committed = null;
      try (Store.Transaction tx = store.begin()) {
        if (tx.isCurrent(type.storage(), key, stored)) {
          committed = commit(tx, type, stored, object, next, options);
        }
      }
      if (committed != null) {
        return type.present(committed);
      }
    }
  }

  public static ObjectNode existing(Store.Transaction tx, ResourceType type, ObjectKey key) {
    ObjectNode old = tx.get(type.storage(), key);
    if (old == null) {
      throw StatusException.notFound(type.resource(), key.name());
    }
    return old;
  }

  /**
   * Stores an updated object and returns it. If the object is {@linkplain #finished finished},
   * deletes it and returns {@code object}. If the object is unchanged, writes nothing and returns
   * the stored object. A dry run writes nothing and returns {@code object}.
   *
   * @param next the updated object in its storage version
   */
  private static ObjectNode commit(
      Store.Transaction tx,
      ResourceType type,
      ObjectNode stored,
      ObjectNode object,
      ObjectNode next,
      WriteOptions options) {
    if (Json.same(stored, next)) {
      return stored;
    }
    if (options.dryRun()) {
      return object;
    }
    if (finished(type, next)) {
      // The real server does not store the last update either. It responds with the object that the
      // client sent, and watches show the previous state with the revision of the delete.
      tx.remove(type.storage(), Meta.of(next).key());
      return object;
    }
    return tx.put(type.storage(), next);
  }

  /** Returns whether the given object is being deleted and all its finalizers have been removed. */
  static boolean finished(ResourceType type, ObjectNode object) {
    Meta meta = Meta.of(object);
    boolean namespace = type.resource().equals(BuiltInTypes.NAMESPACES);
    return meta.deleting()
        && meta.finalizers().isEmpty()
        && !(namespace && !object.path("spec").path("finalizers").isEmpty());
  }

  /**
   * Updates an object on behalf of a controller, as {@link #update} does. Returns null if the
   * object does not exist or if {@code edit} returns null.
   */
  @Nullable
  public ObjectNode tryUpdate(ResourceType type, ObjectKey key, String subresource, Edit edit) {
    try (Store.Transaction tx = store.begin()) {
      ObjectNode old = tx.get(type.storage(), key);
      if (old == null) {
        return null;
      }
      if (type.custom()) {
        return editStored(tx, type, old, edit);
      }
      ObjectNode wanted = edit.apply(type.present(old).deepCopy());
      return wanted == null
          ? null
          : update(type, key, subresource, current -> wanted, WriteOptions.CONTROLLER);
    }
  }

  /**
   * Updates a custom object in its storage version, without conversion. A conversion can call a
   * webhook, for which the server's controllers cannot wait. They change only metadata, which is
   * the same in all versions.
   */
  private static @Nullable ObjectNode editStored(
      Store.Transaction tx, ResourceType type, ObjectNode old, Edit edit) {
    ObjectNode wanted = edit.apply(old.deepCopy());
    return wanted == null ? null : commit(tx, type, old, wanted, wanted, WriteOptions.CONTROLLER);
  }

  /** A change that a controller makes to an object. */
  @FunctionalInterface
  public interface Edit {
    /** Returns a changed copy of the object, or null to leave the object unchanged. */
    @Nullable ObjectNode apply(ObjectNode copy);
  }
}
