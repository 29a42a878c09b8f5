// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.selectors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.http.ListOptions;
import dev.windlass.testing.apiserver.embedded.objects.Meta;

/**
 * The criteria by which a list, watch or deletecollection request selects objects.
 *
 * @param namespace the namespace; empty for all namespaces and for cluster-scoped resources
 * @param name the object's name; empty for any name
 * @param labels the label selector
 * @param fields the field selector
 */
public record ObjectSelection(
    String namespace, String name, LabelSelector labels, FieldSelector fields) {

  /**
   * Reads the selection from a request. Reports errors in the same order as the real server: first
   * invalid syntax, then options that contradict each other, then fields that the resource does not
   * support.
   *
   * @param streamingLists whether watches can request initial events
   */
  public static ObjectSelection of(ApiRequest request, boolean streamingLists) {
    request.number("limit");
    request.number("timeoutSeconds");
    ObjectSelection selection = parse(request);
    ListOptions.validate(request, streamingLists);
    selection.fields.check(request.type());
    return selection;
  }

  private static ObjectSelection parse(ApiRequest request) {
    return new ObjectSelection(
        request.namespace(),
        request.name(),
        LabelSelector.parse(request.parameter("labelSelector")),
        FieldSelector.parse(request.type(), request.parameter("fieldSelector")));
  }

  /** Returns whether a label or field selector can exclude objects. */
  public boolean filtered() {
    return !labels.requirements().isEmpty() || !fields.requirements().isEmpty();
  }

  /** Returns whether the object is in the request's namespace. */
  public boolean isInNamespace(ObjectNode object) {
    return namespace.isEmpty() || namespace.equals(Meta.of(object).namespace());
  }

  public boolean matches(ObjectNode object) {
    Meta meta = Meta.of(object);
    return (namespace.isEmpty() || namespace.equals(meta.namespace()))
        && (name.isEmpty() || name.equals(meta.name()))
        && labels.matches(object)
        && fields.matches(object);
  }
}
