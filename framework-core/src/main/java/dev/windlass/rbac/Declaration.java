// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

import java.util.Set;
import java.util.TreeSet;

/**
 * The permissions that one statement in a program declares, such as {@code owns(Deployment)}.
 *
 * @param statement the statement; messages quote it
 * @param permissions the declared permissions
 * @param need how many of these permissions the program must use; if it uses fewer, the declaration
 *     is too broad
 */
public record Declaration(String statement, Set<Permission> permissions, Need need) {

  /**
   * Specifies how many permissions of a declaration a program must use. If the program uses fewer,
   * the declaration is too broad.
   */
  public enum Need {
    /**
     * The program does not have to use any of the permissions, because their use depends on the
     * cluster or on events at runtime.
     */
    NONE,
    /**
     * The program must use at least one of the permissions, because they were declared as a group.
     */
    ANY,
    /** The program must use each of the permissions, because they were declared individually. */
    EACH
  }

  /** Creates a declaration that holds an unmodifiable copy of the permissions. */
  public Declaration {
    permissions = Set.copyOf(permissions);
  }

  Set<Permission> sorted() {
    return new TreeSet<>(permissions);
  }
}
