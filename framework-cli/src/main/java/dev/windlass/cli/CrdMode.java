// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Determines whether and how a program installs its CRDs. */
enum CrdMode {

  /** Installs nothing. */
  NO,

  /** Installs the CRDs, and fails if another field manager has set a field to a different value. */
  YES,

  /** Installs the CRDs, and overwrites the values of other field managers. */
  FORCE;

  /** Parses the names used on the command line. */
  static final class Named implements ITypeConverter<CrdMode> {
    @Override
    public CrdMode convert(String value) {
      return switch (value) {
        case "false" -> NO;
        case "true" -> YES;
        case "force" -> FORCE;
        default ->
            throw new TypeConversionException(
                "'" + value + "' is not a way to install CRDs; use true, false or force");
      };
    }
  }
}
