// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts the path of a file or folder, which need not exist. An empty path is an error, because
 * it is usually an unset variable of a shell script.
 */
final class NamedPath implements ITypeConverter<Path> {

  @Override
  public Path convert(String value) {
    if (value.isBlank()) {
      throw new TypeConversionException("the path is empty; name one, or omit the option");
    }
    try {
      return Path.of(value);
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'" + value + "' is not a path: " + e.getReason());
    }
  }
}
