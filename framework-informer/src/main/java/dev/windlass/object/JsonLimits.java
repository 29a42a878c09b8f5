// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;

/**
 * How large the parts of a JSON may be that somebody else wrote. The figures are those that Jackson
 * 2.18 chose for itself; here they stay the same whatever a later version does. Thread safe.
 */
public final class JsonLimits {

  /** Objects and lists inside of each other. */
  private static final int DEPTH = 1_000;

  /** Characters of a string: more than etcd takes for an object (1.5 MiB). */
  private static final int STRING = 20_000_000;

  /** Digits of a number, beyond which making a number of them takes long. */
  private static final int NUMBER = 1_000;

  /** Characters of the name of a field. */
  private static final int NAME = 50_000;

  private JsonLimits() {}

  /** A factory of parsers that keep to them. */
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
