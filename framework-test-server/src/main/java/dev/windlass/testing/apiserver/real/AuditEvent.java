// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import java.time.Instant;
import java.util.Set;

/**
 * An entry in the API server's audit log, which describes one request for objects. A string that
 * does not apply is empty, never null.
 *
 * @param verb {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code
 *     patch}, {@code delete} or {@code deletecollection}
 * @param group the API group; empty for the core group
 * @param resource the resource's plural name, such as {@code configmaps}
 * @param subresource the subresource, such as {@code status}; empty for the resource itself
 * @param namespace the namespace; empty for a cluster-scoped resource, and for a request across all
 *     namespaces
 * @param name the object's name; empty if the request does not contain a name, for example in a
 *     list request; can also be empty for a create
 * @param user the user who sent the request, such as {@link RealApiServer#ADMINISTRATOR}
 * @param code the response's HTTP status code, such as 200 or 409
 * @param received the time when the request arrived, according to the server's clock; the epoch if
 *     unknown
 * @param answered the time when the event was logged, which is the time of the response except for
 *     a watch; the epoch if unknown
 */
public record AuditEvent(
    String verb,
    String group,
    String resource,
    String subresource,
    String namespace,
    String name,
    String user,
    int code,
    Instant received,
    Instant answered) {

  private static final Set<String> WRITES =
      Set.of("create", "update", "patch", "delete", "deletecollection");

  /**
   * Returns whether the request was intended to change objects, regardless of whether it succeeded.
   * Returns false for a permission review, which is a create that does not change objects.
   */
  public boolean isWrite() {
    return WRITES.contains(verb) && !group.equals("authorization.k8s.io");
  }
}
