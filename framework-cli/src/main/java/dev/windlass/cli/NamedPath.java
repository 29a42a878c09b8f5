// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts the path of a file or folder. An empty path is an error, because it is usually an unset
 * variable of a shell script.
 */
abstract class NamedPath implements ITypeConverter<Path> {

  @Override
  public Path convert(String value) {
    if (value.isBlank()) {
      throw new TypeConversionException("the path is empty; name one, or omit the option");
    }
    try {
      return checked(Path.of(value));
    } catch (InvalidPathException e) {
      throw new TypeConversionException("'" + value + "' is not a path: " + e.getReason());
    }
  }

  /** Returns the path, or throws an exception if it cannot be used. */
  abstract Path checked(Path path);

  /** The path of a file. The file itself is checked when it is read. */
  static final class OfFile extends NamedPath {
    @Override
    Path checked(Path path) {
      return path;
    }
  }

  /** The path of a folder, which need not exist. */
  static final class OfFolder extends NamedPath {
    @Override
    Path checked(Path path) {
      if (Files.exists(path) && !Files.isDirectory(path)) {
        throw new TypeConversionException("'" + path + "' is not a folder");
      }
      return path;
    }
  }
}
