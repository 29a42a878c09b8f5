// SPDX-License-Identifier: Apache-2.0
package dev.windlass.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;

/**
 * Limits on the size of JSON from other programs. The values are the defaults of Jackson 2.18. They
 * are set explicitly so that they do not change with later versions of Jackson. This class is
 * thread-safe.
 */
public final class JsonLimits {

  /** The maximum nesting depth of objects and arrays. */
  private static final int DEPTH = 1_000;

  /**
   * The maximum length of a string, in characters. etcd accepts only 1.5 MiB for a whole object.
   */
  private static final int STRING = 20_000_000;

  /** The maximum number of digits in a number. Converting longer numbers would take too long. */
  private static final int NUMBER = 1_000;

  /** The maximum length of a field name, in characters. */
  private static final int NAME = 50_000;

  private JsonLimits() {}

  public static JsonFactory factory() {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(DEPTH)
                .maxStringLength(STRING)
                .maxNumberLength(NUMBER)
                .maxNameLength(NAME)
                .build())
        .build();
  }
}
