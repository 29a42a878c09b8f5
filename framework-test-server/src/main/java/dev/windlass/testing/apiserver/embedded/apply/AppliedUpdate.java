// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.ownership.EmptyObjects;
import dev.windlass.testing.apiserver.embedded.ownership.FieldOwner;
import dev.windlass.testing.apiserver.embedded.ownership.FieldOwnership;
import dev.windlass.testing.apiserver.embedded.ownership.FieldPath;
import dev.windlass.testing.apiserver.embedded.ownership.FieldShape;
import dev.windlass.testing.apiserver.embedded.ownership.FieldValues;
import dev.windlass.testing.apiserver.embedded.ownership.ManagedFields;
import dev.windlass.testing.apiserver.embedded.rules.FieldValidation;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Updates an existing object in response to an apply request. The update merges the configuration
 * into the object, and then records the field owners. If another request changes the object before
 * the result is stored, {@code ObjectWrites} repeats both steps.
 */
final class AppliedUpdate implements UnaryOperator<ObjectNode>, FieldOwnership {
  private final ApiRequest request;
  private final FieldOwner owner;
  private final ObjectNode whole;
  private final FieldValidation validation;
  private final Supplier<String> now;
  private final FieldShape shape;
  private final Set<FieldPath> wanted;

  // The following fields belong to the latest merge.
  private ManagedFields fields = ManagedFields.of(Json.object());
  private Map<FieldPath, JsonNode> before = Map.of();
  private boolean unchanged;

  /**
   * Creates the update for a request.
   *
   * @param whole the applied configuration, including any fields that the request cannot write
   */
  AppliedUpdate(
      ApiRequest request,
      FieldOwner owner,
      ObjectNode whole,
      FieldValidation validation,
      Supplier<String> now) {
    this.request = request;
    this.owner = owner;
    this.whole = whole;
    this.validation = validation;
    this.now = now;
    this.shape = FieldShape.of(request.type());
    this.wanted = FieldValues.applied(shape, ServerSideApply.relevant(request, whole));
  }

  /**
   * Returns the result of merging the configuration into the live object. The result does not
   * contain fields that the owner no longer applies, unless other managers own them.
   */
  @Override
  public ObjectNode apply(ObjectNode live) {
    ResourceType type = request.type();
    ObjectNode config = ServerSideApply.relevant(request, whole);
    fields = ManagedFields.of(live);
    before = FieldValues.of(shape, live);
    if (fields.isEmpty()) {
      FieldOwner nobody =
          new FieldOwner("before-first-apply", FieldOwner.Operation.UPDATE, type.apiVersion(), "");
      ObjectNode empty = EmptyObjects.of(type);
      Set<FieldPath> all = FieldValues.changed(FieldValues.of(shape, empty), before);
      fields.set(nobody, all, now.get());
    }
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
    // If an apply changes only the owners, its entry has no time.
    ObjectNode wished = object(FieldMerge.merge(shape, result, whole));
    unchanged = Json.same(withoutOwners(live), withoutOwners(wished));
    return result;
  }

  @Override
  public void note(
      ResourceType type, String subresource, ObjectNode old, ObjectNode object, String time) {
    fields.remove(FieldValues.removed(before, FieldValues.of(shape, object)));
    ServerSideApply.note(fields, owner, wanted, object, unchanged ? fields.timeOf(owner) : time);
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

  /**
   * Returns the given paths and the paths of all fields that contain them, except {@code metadata}.
   */
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

  /** Returns whether another manager owns the value at the path, or a part of this value. */
  private static boolean isOwned(FieldPath path, List<ManagedFields.Entry> others) {
    return others.stream().flatMap(e -> e.paths().stream()).anyMatch(owned -> owned.isIn(path));
  }

  /**
   * Returns whether the path refers to a key field of a list element. A key field is removed only
   * together with its element.
   */
  private static boolean isKey(FieldPath path) {
    List<String> tokens = new ArrayList<>(path.tokens());
    String last = tokens.remove(tokens.size() - 1);
    String parent = tokens.isEmpty() ? "" : tokens.get(tokens.size() - 1);
    return parent.startsWith("k:")
        && Json.parse(parent.substring(2).getBytes(StandardCharsets.UTF_8)).has(last.substring(2));
  }
}
