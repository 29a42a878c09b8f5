// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * A verb in an RBAC rule, such as {@code list}. It specifies an operation on objects. The constants
 * are declared in the order in which rules list the verbs.
 */
public enum Verb {
  /** Reads one object. */
  GET,
  /** Reads a collection. */
  LIST,
  /** Watches a collection for changes. */
  WATCH,
  /** Creates an object. */
  CREATE,
  /** Replaces an object. */
  UPDATE,
  /**
   * Changes some fields of an object. A server-side apply that creates an object also requires
   * {@link #CREATE}.
   */
  PATCH,
  /** Deletes one object. */
  DELETE,
  /** Deletes a collection of objects. */
  DELETECOLLECTION,
  /** Binds a role, even if it grants permissions that the caller does not have. */
  BIND,
  /** Creates or updates a role, even if it grants permissions that the caller does not have. */
  ESCALATE,
  /** Acts as another user. */
  IMPERSONATE,
  /** Uses a policy object, such as a security policy. */
  USE;

  /** The verbs that informers and other readers require. */
  static final Set<Verb> READS = EnumSet.of(GET, LIST, WATCH);

  /** The verbs that create, change and delete an object. */
  static final Set<Verb> WRITES = EnumSet.of(CREATE, UPDATE, PATCH, DELETE);

  /**
   * Returns whether this verb creates, changes or deletes a single object. These verbs are create,
   * update, patch and delete.
   */
  public boolean isWrite() {
    return WRITES.contains(this);
  }

  /** Returns the verb as it appears in a rule, such as {@code list}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
