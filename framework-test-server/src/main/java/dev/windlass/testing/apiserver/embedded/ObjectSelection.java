// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The objects that are selected by a list, a watch or a deletecollection.
 *
 * @param namespace the namespace; empty for all namespaces and for cluster-scoped resources
 * @param name the name of the object; empty for any name
 */
record ObjectSelection(String namespace, String name, LabelSelector labels, FieldSelector fields) {

  static ObjectSelection of(ApiRequest request) {
    return new ObjectSelection(
        request.namespace(),
        request.name(),
        LabelSelector.parse(request.parameter("labelSelector")),
        FieldSelector.parse(request.type().resource(), request.parameter("fieldSelector")));
  }

  /** Returns whether selectors can exclude objects in the namespace. */
  boolean filtered() {
    return !labels.requirements().isEmpty() || !fields.requirements().isEmpty();
  }

  boolean matches(ObjectNode object) {
    Meta meta = Meta.of(object);
    return (namespace.isEmpty() || namespace.equals(meta.namespace()))
        && (name.isEmpty() || name.equals(meta.name()))
        && labels.matches(object)
        && fields.matches(object);
  }
}
