// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;

/**
 * Limits on the size of JSON from other programs. The values are the defaults of Jackson 2.18, set
 * explicitly so that they remain the same with later Jackson versions. This class is thread-safe.
 */
public final class JsonLimits {

  /** The maximum nesting of objects and lists. */
  private static final int DEPTH = 1_000;

  /**
   * The maximum length of a string, in characters. It is more than etcd allows for an object (1.5
   * MiB).
   */
  private static final int STRING = 20_000_000;

  /**
   * The maximum number of digits of a number. It is limited because converting more digits would
   * take too long.
   */
  private static final int NUMBER = 1_000;

  /** The maximum length of a field name, in characters. */
  private static final int NAME = 50_000;

  /**
   * The nesting that the API server allows in an object, plus the nesting of the AdmissionReview or
   * ConversionReview that contains the object.
   */
  private static final int SKIPPED_DEPTH = 10_100;

  private static final JsonFactory SKIPPING =
      JsonFactory.builder()
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(SKIPPED_DEPTH)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private JsonLimits() {}

  /** Creates a factory for parsers that enforce these limits. */
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

  /**
   * Returns a factory for parsers that skip values instead of keeping them. For skipped values,
   * only the API server's limits apply.
   */
  public static JsonFactory ofSkippedValues() {
    return SKIPPING;
  }
}
