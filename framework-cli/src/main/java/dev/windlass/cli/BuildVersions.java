// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.diagnosis.Versions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/**
 * Reports the versions of a program, of Windlass and of the fabric8 client. This record is
 * immutable.
 *
 * @param program the program's version; null if it is unknown
 */
record BuildVersions(@Nullable String program) implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {line("${COMMAND-FULL-NAME}")};
  }

  /**
   * Returns a line such as {@code foo 1.2.0, with Windlass 0.1.0, fabric8 client 7.9.0, Java
   * 17.0.17}.
   *
   * @param name the program's name
   */
  String line(String name) {
    Versions versions = Versions.ofProcess(Optional.empty());
    return "%s, with Windlass %s, fabric8 client %s, Java %s"
        .formatted(
            program == null ? name : name + " " + program,
            versions.windlass(),
            versions.client(),
            versions.java());
  }
}
