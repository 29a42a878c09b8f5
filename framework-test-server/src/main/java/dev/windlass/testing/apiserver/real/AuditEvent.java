// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import java.time.Instant;
import java.util.Set;

/**
 * An entry in the audit log of the API server. It describes one request for objects. Strings that
 * do not apply to the request are empty, never null.
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
 * @param code the HTTP status code of the response, such as 200 or 409
 * @param received the time at which the request arrived, according to the server's clock; the epoch
 *     if unknown
 * @param answered the time at which the request was logged: when the server responded or, for a
 *     watch, when the watch started; the epoch if unknown
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
   * Returns whether the request is a write, regardless of whether it succeeded. Access reviews do
   * not count as writes, although they are create requests.
   */
  public boolean isWrite() {
    return WRITES.contains(verb) && !group.equals("authorization.k8s.io");
  }
}
