// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The optional dependency that compiles and evaluates CEL. */
final class CelDependency {
  /** The error message for any expression if the dependency is missing. */
  static final String MISSING =
      "the embedded API server evaluates CEL only if dev.cel:cel is on the class path: add"
          + " dev.cel:cel:"
          + version()
          + " to your dependencies, with the scope test";

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

  /** Returns the version of the dependency with which this module was tested. */
  private static String version() {
    try (InputStream in = CelDependency.class.getResourceAsStream("cel-version.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
