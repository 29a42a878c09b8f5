// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.http.ApiResponse;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.ownership.EmptyObjects;
import dev.windlass.testing.apiserver.embedded.ownership.FieldOwner;
import dev.windlass.testing.apiserver.embedded.ownership.FieldPath;
import dev.windlass.testing.apiserver.embedded.ownership.FieldShape;
import dev.windlass.testing.apiserver.embedded.ownership.FieldValues;
import dev.windlass.testing.apiserver.embedded.ownership.ManagedFields;
import dev.windlass.testing.apiserver.embedded.rules.BodyRules;
import dev.windlass.testing.apiserver.embedded.rules.FieldValidation;
import dev.windlass.testing.apiserver.embedded.rules.MetadataRules;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait;
import dev.windlass.testing.apiserver.embedded.writes.ObjectWrites;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Implements server-side apply. An apply merges the applied configuration into the object. It
 * removes fields that the manager applied before but no longer applies, unless another manager owns
 * them. It fails with a conflict if another manager owns a field and the value of the field differs
 * from the applied value.
 */
public final class ServerSideApply {
  private static final String STATUS = "status";

  private final Store store;
  private final ObjectWrites writes;

  public ServerSideApply(Store store, ObjectWrites writes) {
    this.store = store;
    this.writes = writes;
  }

  /** Applies the configuration in the body of a request and returns the response. */
  public ApiResponse apply(ApiRequest request, byte[] body, FieldValidation fields) {
    ResourceType type = request.type();
    String manager = request.parameter("fieldManager");
    ObjectNode config = ApplyBody.parse(body);
    FieldOwner owner =
        new FieldOwner(
            manager, FieldOwner.Operation.APPLY, type.apiVersion(), request.subresource());
    try (Store.Transaction tx = store.begin()) {
      ObjectNode live = tx.get(type.storage(), request.key());
      if (live == null && !request.subresource().isEmpty()) {
        throw StatusException.notFound(type.resource(), request.name());
      }
      fields.checkApplied(config);
      if (Meta.of(config).json().hasNonNull("managedFields")) {
        throw StatusException.badRequest("metadata.managedFields must be nil");
      }
      new BodyRules(request).checkApplied(config);
      MetadataRules.checkVersion(Meta.of(config));
      String uid = Meta.of(config).uid();
      if (live == null && !uid.isEmpty()) {
        throw StatusException.conflict(
            type.resource(),
            request.name(),
            "uid mismatch: the provided object specified uid %s, and no existing object was found"
                .formatted(uid));
      }
      if (live != null) {
        MetadataRules.requireSameUid(type, Meta.of(live), Meta.of(config));
        return ApiResponse.ok(update(request, owner, live, config, fields));
      }
      fields.checkDecoding(config);
      return ApiResponse.created(create(request, owner, config));
    }
  }

  /** Returns the part of the configuration that this path can write. */
  private static ObjectNode relevant(ResourceType type, ApiRequest request, ObjectNode config) {
    if (request.subresource().equals(STATUS)) {
      ObjectNode status = Json.shallowCopy(config);
      status.remove(
          config.properties().stream()
              .map(Map.Entry::getKey)
              .filter(name -> !List.of("apiVersion", "kind", "metadata", STATUS).contains(name))
              .toList());
      return status;
    }
    return type.has(Trait.STATUS) ? Json.without(config, STATUS) : config;
  }

  private ObjectNode create(ApiRequest request, FieldOwner owner, ObjectNode config) {
    ResourceType type = request.type();
    new BodyRules(request).checkPlace(config);
    ObjectNode object = config.deepCopy();
    if (!request.dryRun()) {
      Meta.of(object).json().remove("resourceVersion");
    }
    FieldShape shape = FieldShape.of(type);
    Set<FieldPath> wanted = FieldValues.applied(shape, relevant(type, request, config));
    return writes.create(
        type,
        request.namespace(),
        object,
        request.dryRun(),
        (t, subresource, old, created, now) ->
            note(ManagedFields.of(old), owner, wanted, created, now));
  }

  private static void note(
      ManagedFields fields,
      FieldOwner owner,
      Set<FieldPath> wanted,
      ObjectNode object,
      String now) {
    fields.set(owner, wanted, now);
    fields.removeEmpty();
    fields.writeTo(object);
  }

  private ObjectNode update(
      ApiRequest request,
      FieldOwner owner,
      ObjectNode live,
      ObjectNode whole,
      FieldValidation validation) {
    ResourceType type = request.type();
    ObjectNode config = relevant(type, request, whole);
    FieldShape shape = FieldShape.of(type);
    ManagedFields fields = ManagedFields.of(live);
    Map<FieldPath, JsonNode> before = FieldValues.of(shape, live);
    if (fields.isEmpty()) {
      FieldOwner nobody =
          new FieldOwner("before-first-apply", FieldOwner.Operation.UPDATE, type.apiVersion(), "");
      ObjectNode empty = EmptyObjects.of(type);
      Set<FieldPath> all = FieldValues.changed(FieldValues.of(shape, empty), before);
      fields.set(nobody, all, writes.now());
    }
    Set<FieldPath> wanted = FieldValues.applied(shape, config);
    JsonNode merged = FieldMerge.merge(shape, live, config);
    Set<FieldPath> changed = FieldValues.changed(before, FieldValues.of(shape, object(merged)));
    if (!request.flag("force")) {
      ApplyConflicts.check(fields.others(owner), changed);
    }
    validation.checkDecoding(config);
    fields.takeFromOthers(owner, changed::contains);
    Set<FieldPath> kept = withParents(wanted);
    for (FieldPath path : withParents(fields.of(owner))) {
      if (!kept.contains(path) && !isOwned(path, fields.others(owner)) && !isKey(path)) {
        FieldMerge.remove(shape, merged, path);
      }
    }
    ObjectNode result = object(FieldMerge.merge(shape, merged, config));
    // An apply that changes nothing but the owners has no time.
    ObjectNode wished = object(FieldMerge.merge(shape, result, whole));
    boolean same = Json.same(withoutOwners(live), withoutOwners(wished));
    return writes.update(
        type,
        request.key(),
        request.subresource(),
        current -> result,
        request.dryRun(),
        (t, subresource, old, object, now) -> {
          fields.remove(FieldValues.removed(before, FieldValues.of(shape, object)));
          note(fields, owner, wanted, object, same ? fields.timeOf(owner) : now);
        });
  }

  private static ObjectNode withoutOwners(ObjectNode object) {
    ObjectNode copy = Json.shallowCopy(object);
    copy.set("metadata", Json.without(Meta.of(object).json(), "managedFields"));
    return copy;
  }

  private static ObjectNode object(JsonNode merged) {
    if (merged instanceof ObjectNode object) {
      return object;
    }
    throw new IllegalStateException("merging two objects must produce an object");
  }

  /** Returns the paths with the fields that contain them, except for the metadata. */
  private static Set<FieldPath> withParents(Set<FieldPath> paths) {
    Set<FieldPath> all = new TreeSet<>(paths);
    for (FieldPath path : paths) {
      for (int length = 1; length < path.tokens().size(); length++) {
        FieldPath parent = new FieldPath(path.tokens().subList(0, length));
        if (parent.tokens().get(length - 1).startsWith("f:")
            && !parent.tokens().equals(List.of("f:metadata"))) {
          all.add(parent);
        }
      }
    }
    return all;
  }

  /**
   * Returns whether another manager owns the path. Every manager that owns a part of an element
   * owns the element.
   */
  private static boolean isOwned(FieldPath path, List<ManagedFields.Entry> others) {
    return others.stream().flatMap(e -> e.paths().stream()).anyMatch(owned -> owned.isIn(path));
  }

  /**
   * Returns whether the path is a key of a list element. A key is removed only together with its
   * element.
   */
  private static boolean isKey(FieldPath path) {
    List<String> tokens = new ArrayList<>(path.tokens());
    String last = tokens.remove(tokens.size() - 1);
    String parent = tokens.isEmpty() ? "" : tokens.get(tokens.size() - 1);
    return parent.startsWith("k:")
        && Json.parse(parent.substring(2).getBytes(StandardCharsets.UTF_8)).has(last.substring(2));
  }
}
