// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.ownership.FieldOwnership;
import dev.windlass.testing.apiserver.embedded.ownership.ManagedFields;
import dev.windlass.testing.apiserver.embedded.rules.ImmutableDataRules;
import dev.windlass.testing.apiserver.embedded.rules.KindRules;
import dev.windlass.testing.apiserver.embedded.rules.MetadataRules;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Creates and updates objects according to the rules of the API, on behalf of clients and of the
 * server's own controllers.
 */
public final class ObjectWrites {
  private static final String STATUS = "status";
  private static final String FINALIZE = "finalize";
  private static final int NAME_ATTEMPTS = 8;

  private final Store store;
  private final Clock clock;
  private final IdGenerator ids;

  public ObjectWrites(Store store, Clock clock, IdGenerator ids) {
    this.store = store;
    this.clock = clock;
    this.ids = ids;
  }

  /** Returns the current time in the format used in objects: RFC 3339 in UTC, in whole seconds. */
  public String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Creates an object on behalf of the server itself. */
  public ObjectNode create(ResourceType type, String namespace, ObjectNode body, boolean dryRun) {
    return create(type, namespace, body, dryRun, FieldOwnership.byUpdate(""));
  }

  /**
   * Creates an object.
   *
   * @param namespace the namespace; empty for a cluster-scoped kind
   * @param body the object, which the caller must not use afterwards
   * @param dryRun whether to check the object without storing it
   */
  public ObjectNode create(
      ResourceType type, String namespace, ObjectNode body, boolean dryRun, FieldOwnership owners) {
    KindRules rules = new KindRules(type);
    ObjectNode object = rules.decode(body);
    Meta meta = Meta.of(object);
    placeInNamespace(meta, namespace);
    boolean versioned = meta.resourceVersion().matches("0*[1-9]\\d*");
    try (Store.Transaction tx = store.begin()) {
      if (meta.name().isEmpty() && !meta.text("generateName").isEmpty()) {
        meta.json().put("name", freeName(tx, type, meta));
      }
      admit(tx, type, meta);
      MetadataRules.dropServerFields(meta);
      rules.dropStatus(object);
      rules.firstGeneration(object);
      if (!dryRun) {
        meta.json().remove("resourceVersion");
      }
      meta.json().put("uid", ids.uid()).put("creationTimestamp", now());
      owners.note(type, "", Json.object(), object, now());
      rules.allocate(Json.object(), object, ids::address);
      rules.validate(Json.object(), object, "", MetadataRules.onCreate(type, meta));
      if (versioned && !dryRun) {
        throw StatusException.of(
            500, "", "resourceVersion should not be set on objects to be created");
      }
      ObjectNode existing = tx.get(type.storage(), meta.key());
      if (existing != null) {
        throw alreadyExists(type, existing, meta);
      }
      return type.present(dryRun ? object : tx.put(type.storage(), object));
    }
  }

  private static StatusException alreadyExists(
      ResourceType type, ObjectNode existing, Meta created) {
    boolean deleting = Meta.of(existing).deleting();
    return created.text("generateName").isEmpty()
        ? StatusException.alreadyExists(type.resource(), created.name(), deleting)
        : StatusException.noUniqueName(type.resource(), created.name(), deleting);
  }

  private static void placeInNamespace(Meta meta, String namespace) {
    if (!meta.namespace().isEmpty() && !meta.namespace().equals(namespace)) {
      throw StatusException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
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
   * Changes an object and returns its new state.
   *
   * @param subresource {@code status} to change only the status; {@code finalize} to also change a
   *     namespace's {@code spec.finalizers}; empty to change everything except these two
   * @param edit the function that receives the current state as seen by clients of this version,
   *     and returns the desired state. It must not modify the current state
   * @throws StatusException 404, 409 or 422
   */
  public ObjectNode update(
      ResourceType type,
      ObjectKey key,
      String subresource,
      UnaryOperator<ObjectNode> edit,
      boolean dryRun,
      FieldOwnership owners) {
    KindRules rules = new KindRules(type);
    try (Store.Transaction tx = store.begin()) {
      ObjectNode old = existing(tx, type, key);
      ObjectNode edited = edit.apply(type.present(old));
      boolean reset = ManagedFields.isReset(type, edited);
      ObjectNode object = rules.decode(edited);
      Meta meta = Meta.of(object);
      checkPlace(key, meta);
      ObjectNode owned = subresource.isEmpty() ? ManagedFields.asGiven(old, object, reset) : old;
      MetadataRules.restore(type, Meta.of(old), meta, dryRun);
      if (subresource.equals(STATUS)) {
        object = rules.withStatus(old, object);
      } else {
        rules.keepStatus(old, object);
        if (!subresource.equals(FINALIZE)) {
          rules.keepSpecFinalizers(old, object);
        }
        object.set("apiVersion", old.path("apiVersion"));
        rules.nextGeneration(old, object);
      }
      boolean keepsMetadata = type.custom() && subresource.equals(STATUS);
      List<FieldError> errors =
          keepsMetadata
              ? new ArrayList<>()
              : MetadataRules.onUpdate(type, Meta.of(old), Meta.of(object));
      errors.addAll(ImmutableDataRules.onUpdate(type, old, object));
      owners.note(type, subresource, owned, object, now());
      if (subresource.equals(STATUS)) {
        rules.keepMetadata(old, object);
      } else {
        rules.allocate(old, object, ids::address);
      }
      rules.validate(old, object, subresource, errors);
      return type.present(commit(tx, type, old, object, dryRun));
    }
  }

  public static ObjectNode existing(Store.Transaction tx, ResourceType type, ObjectKey key) {
    ObjectNode old = tx.get(type.storage(), key);
    if (old == null) {
      throw StatusException.notFound(type.resource(), key.name());
    }
    return old;
  }

  private static void checkPlace(ObjectKey key, Meta meta) {
    if (!meta.namespace().isEmpty() && !meta.namespace().equals(key.namespace())) {
      throw StatusException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    if (meta.name().isEmpty()) {
      throw StatusException.badRequest(
          "the name of the object (%s based on URL) was undeterminable: name must be provided"
              .formatted(key.name()));
    }
    if (!meta.name().equals(key.name())) {
      throw StatusException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(meta.name(), key.name()));
    }
  }

  private static ObjectNode commit(
      Store.Transaction tx, ResourceType type, ObjectNode old, ObjectNode object, boolean dryRun) {
    if (Json.same(old, object)) {
      return old;
    }
    if (!dryRun && finished(type, object)) {
      // The real server does not store the last update either. It responds with the object that the
      // client sent, and watches show the previous state with the revision of the delete.
      tx.remove(type.storage(), Meta.of(object).key());
    } else if (!dryRun) {
      tx.put(type.storage(), object);
    }
    return object;
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
   * Changes an object as {@link #update} does, on behalf of a controller. Returns null if the
   * object no longer exists or if {@code edit} returns null.
   */
  @Nullable
  public ObjectNode tryUpdate(ResourceType type, ObjectKey key, String subresource, Edit edit) {
    try (Store.Transaction tx = store.begin()) {
      ObjectNode old = tx.get(type.storage(), key);
      ObjectNode wanted = old == null ? null : edit.apply(type.present(old).deepCopy());
      return wanted == null
          ? null
          : update(type, key, subresource, current -> wanted, false, FieldOwnership.byUpdate(""));
    }
  }

  /** A change that a controller makes to an object. */
  @FunctionalInterface
  public interface Edit {
    /** Returns a changed copy of the object, or null to leave the object unchanged. */
    @Nullable ObjectNode apply(ObjectNode copy);
  }
}
