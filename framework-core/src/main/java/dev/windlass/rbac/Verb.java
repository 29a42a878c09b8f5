// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A verb of RBAC: the operation of a request. Rules contain verbs in this order. */
public enum Verb {
  /** Reads one object. */
  GET,
  /** Reads a collection. */
  LIST,
  /** Watches the changes of a collection. */
  WATCH,
  /** Creates an object. */
  CREATE,
  /** Replaces an object. */
  UPDATE,
  /**
   * Changes a part of an object; a server-side apply that creates one also needs {@link #CREATE}.
   */
  PATCH,
  /** Deletes one object. */
  DELETE,
  /** Deletes the objects of a collection. */
  DELETECOLLECTION,
  /** Binds a role with permissions that the caller does not have. */
  BIND,
  /** Writes a role with permissions that the caller does not have. */
  ESCALATE,
  /** Acts as another user. */
  IMPERSONATE,
  /** Uses a policy. */
  USE;

  /** The verbs that informers and other readers need. */
  static final Set<Verb> READS = EnumSet.of(GET, LIST, WATCH);

  /** The verbs that create, change and delete an object. */
  static final Set<Verb> WRITES = EnumSet.of(CREATE, UPDATE, PATCH, DELETE);

  /**
   * Returns whether this verb creates, changes or deletes an object: create, update, patch or
   * delete.
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
