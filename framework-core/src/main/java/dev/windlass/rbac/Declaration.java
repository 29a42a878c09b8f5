// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

import java.util.Set;
import java.util.TreeSet;

/**
 * A declaration by which a program states an operation, with the permissions that this operation
 * requires.
 *
 * @param statement as it appears in the program, such as {@code owns(Deployment)}, for messages
 * @param permissions the permissions that it requires
 * @param need how many of the permissions must be used, so that the declaration is not too broad
 */
public record Declaration(String statement, Set<Permission> permissions, Need need) {

  /** How many permissions of a declaration a program must use. */
  public enum Need {
    /** None of them: whether they are used depends on the cluster, or on events at runtime. */
    NONE,
    /** At least one of them: they belong together. */
    ANY,
    /** Each of them: they were requested individually. */
    EACH
  }

  /** Copies the permissions. */
  public Declaration {
    permissions = Set.copyOf(permissions);
  }

  /** Returns the permissions, sorted. */
  Set<Permission> sorted() {
    return new TreeSet<>(permissions);
  }
}
