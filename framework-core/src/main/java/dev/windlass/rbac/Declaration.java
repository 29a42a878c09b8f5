// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

import java.util.Set;
import java.util.TreeSet;

/**
 * A statement of a program about what it does, and the rights that follow from it.
 *
 * @param statement as it stands in the program, such as {@code owns(Deployment)}, for messages
 * @param permissions what it takes
 * @param need how much of them must be used, so that the statement is not too wide
 */
public record Declaration(String statement, Set<Permission> permissions, Need need) {

  /** How much of a declaration a program must use. */
  public enum Need {
    /** Nothing: it depends on the cluster, or on what happens, whether it is used. */
    NONE,
    /** At least one of them: they go together. */
    ANY,
    /** Each of them: they were asked for one by one. */
    EACH
  }

  /** Copies the permissions. */
  public Declaration {
    permissions = Set.copyOf(permissions);
  }

  /** The permissions, sorted. */
  Set<Permission> sorted() {
    return new TreeSet<>(permissions);
  }
}
