// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What a request does, in the words of RBAC. In rules they stand in this order. */
public enum Verb {
  /** Reads one object. */
  GET,
  /** Reads a collection. */
  LIST,
  /** Follows the changes of a collection. */
  WATCH,
  /** Makes an object. */
  CREATE,
  /** Replaces an object. */
  UPDATE,
  /** Changes a part of an object; a server-side apply that makes one needs {@link #CREATE}, too. */
  PATCH,
  /** Deletes one object. */
  DELETE,
  /** Deletes the objects of a collection. */
  DELETECOLLECTION,
  /** Binds a role that grants what one does not have. */
  BIND,
  /** Grants in a role what one does not have. */
  ESCALATE,
  /** Acts as somebody else. */
  IMPERSONATE,
  /** Uses a policy. */
  USE;

  /** What an informer needs, and whoever reads beside it. */
  static final Set<Verb> READS = EnumSet.of(GET, LIST, WATCH);

  /** What keeps an object as it should be, until it is no longer wanted. */
  static final Set<Verb> WRITES = EnumSet.of(CREATE, UPDATE, PATCH, DELETE);

  /** Whether it is among what keeps an object as it should be: create, update, patch, delete. */
  public boolean isWrite() {
    return WRITES.contains(this);
  }

  /** As it stands in a rule, such as {@code list}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
