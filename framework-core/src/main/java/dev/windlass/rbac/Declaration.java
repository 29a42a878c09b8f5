// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

import java.util.Set;
import java.util.TreeSet;

/**
 * A declaration that a program makes about an operation, and the permissions that the operation
 * requires.
 *
 * @param statement the declaration as it appears in the program, such as {@code owns(Deployment)},
 *     for messages
 * @param permissions the permissions that the operation requires
 * @param need the number of permissions that the program must use; otherwise, the declaration is
 *     too broad
 */
public record Declaration(String statement, Set<Permission> permissions, Need need) {

  /** The number of permissions of a declaration that a program must use. */
  public enum Need {
    /**
     * The program need not use any of them, because the cluster or runtime events determine whether
     * they are used.
     */
    NONE,
    /** The program must use at least one of them, because they belong together. */
    ANY,
    /** The program must use each of them, because they were requested individually. */
    EACH
  }

  /** Creates a declaration with a copy of the permissions. */
  public Declaration {
    permissions = Set.copyOf(permissions);
  }

  /** Returns the permissions in sorted order. */
  Set<Permission> sorted() {
    return new TreeSet<>(permissions);
  }
}
