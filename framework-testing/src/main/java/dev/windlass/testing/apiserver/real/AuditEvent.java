// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import java.time.Instant;
import java.util.Set;

/**
 * One request for objects, as the API server saw and answered it. A text that does not apply is
 * empty, never null.
 *
 * @param verb {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code
 *     patch}, {@code delete} or {@code deletecollection}
 * @param group the API group; empty for the core group
 * @param resource in the plural, such as {@code configmaps}
 * @param subresource such as {@code status}; empty for the resource itself
 * @param namespace empty for a resource without namespaces, and for one asked for in all of them
 * @param name empty where the request names no object, as a list; a create may leave it empty too
 * @param user who asked, such as {@link RealApiServer#ADMINISTRATOR}
 * @param code the status of the answer, such as 200 or 409
 * @param received when the request arrived, by the server's clock; the epoch if that is unknown
 * @param answered when this was logged: for all but a watch, when it was answered; the epoch if
 *     that is unknown
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
   * Whether the request was meant to change something, whatever came of it. Reviews of rights are
   * created, and change nothing.
   */
  public boolean isWrite() {
    return WRITES.contains(verb) && !group.equals("authorization.k8s.io");
  }
}
