// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

/** The optional dependency that compiles and evaluates CEL. */
final class CelDependency {
  /** The error for an expression if the dependency is missing. */
  static final String MISSING =
      "the embedded API server evaluates CEL only if dev.cel:cel is on the class path: add this"
          + " dependency to your tests";

  private static final boolean PRESENT = find();

  private CelDependency() {}

  /** Returns whether the dependency is on the class path. */
  static boolean isPresent() {
    return PRESENT;
  }

  private static boolean find() {
    try {
      // On the module path, the packages of this dependency are in the unnamed module, because its
      // jars share packages and therefore cannot be modules.
      CelDependency.class
          .getModule()
          .addReads(CelDependency.class.getClassLoader().getUnnamedModule());
      Class.forName("dev.cel.bundle.Cel", false, CelDependency.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
