// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.UserInfo;
import dev.windlass.testing.apiserver.embedded.types.BuiltInTypes;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;

/**
 * The attributes of a write, as sent to webhooks.
 *
 * @param operation the kind of write
 * @param type the resource type, in the version of the objects
 * @param subresource the subresource; empty for the object itself
 * @param namespace the namespace; for a Namespace, its own name; empty for other cluster-scoped
 *     objects
 * @param name the name; empty if it is not known yet, or if the request deletes a collection
 * @param old the object before the write; an empty object for a create request
 * @param object the object after the write; an empty object for a delete request
 * @param options the CreateOptions, UpdateOptions or DeleteOptions of the request
 * @param dryRun whether the request is a dry run
 * @param user the user who sends the request
 */
record WriteAttributes(
    Operation operation,
    ResourceType type,
    String subresource,
    String namespace,
    String name,
    ObjectNode old,
    ObjectNode object,
    ObjectNode options,
    boolean dryRun,
    UserInfo user) {

  /** The kinds of write, with the names that webhook rules and reviews use. */
  enum Operation {
    CREATE,
    UPDATE,
    DELETE
  }

  /** Returns a copy of these attributes with the given object as the result of the write. */
  WriteAttributes withObject(ObjectNode other) {
    return new WriteAttributes(
        operation, type, subresource, namespace, name, old, other, options, dryRun, user);
  }

  /** Returns a copy of these attributes with the objects converted to the given version. */
  WriteAttributes in(ResourceType other) {
    return new WriteAttributes(
        operation,
        other,
        subresource,
        namespace,
        name,
        converted(old, other),
        converted(object, other),
        options,
        dryRun,
        user);
  }

  /**
   * Converts an object to the version of the given type. Returns the object unchanged if it is
   * empty or a Scale, or if the type is built in.
   */
  static ObjectNode converted(ObjectNode object, ResourceType type) {
    return object.isEmpty() || type.versions() == null || isScale(object)
        ? object
        : type.versions().convert(object, type.apiVersion());
  }

  private static boolean isScale(ObjectNode object) {
    return object.path("apiVersion").asText().equals("autoscaling/v1")
        && object.path("kind").asText().equals("Scale");
  }

  boolean isOfNamespace() {
    return type.resource().equals(BuiltInTypes.NAMESPACES);
  }
}
