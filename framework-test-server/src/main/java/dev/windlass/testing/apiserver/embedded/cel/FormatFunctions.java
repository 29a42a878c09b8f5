// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.List;

/** The functions for named formats, such as {@code format.dns1123Label().validate(self)}. */
final class FormatFunctions {
  private FormatFunctions() {}

  static CelLibrary library() {
    CelLibrary library =
        new CelLibrary()
            .function(
                "format.named",
                OptionalType.create(JavaTypes.FORMAT),
                List.of(SimpleType.STRING),
                args -> NamedFormat.named((String) args[0]))
            .method(
                "validate",
                OptionalType.create(JavaTypes.STRINGS),
                List.of(JavaTypes.FORMAT, SimpleType.STRING),
                args -> ((NamedFormat) args[0]).validate((String) args[1]));
    for (NamedFormat format : NamedFormat.values()) {
      library.function("format." + format.text(), JavaTypes.FORMAT, List.of(), args -> format);
    }
    return library;
  }
}
