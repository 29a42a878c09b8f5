// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/**
 * Reports the versions of this program and its libraries, which the build recorded. This class is
 * stateless.
 */
final class BuildVersions implements IVersionProvider {

  /** Creates a provider. Picocli calls this constructor by reflection. */
  BuildVersions() {}

  @Override
  public String[] getVersion() {
    return new String[] {line("${COMMAND-FULL-NAME}")};
  }

  /**
   * Returns a line such as {@code foo 0.1.0, with Windlass 0.1.0, fabric8 client 7.8.0, Java
   * 17.0.17}.
   */
  static String line(String program) {
    Properties build = read();
    return "%s %s, with Windlass %s, fabric8 client %s, Java %s"
        .formatted(
            program,
            build.getProperty("version"),
            build.getProperty("version"),
            build.getProperty("fabric8"),
            System.getProperty("java.version"));
  }

  private static Properties read() {
    Properties build = new Properties();
    try (InputStream file = BuildVersions.class.getResourceAsStream("build.properties")) {
      build.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build;
  }
}
