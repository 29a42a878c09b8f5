// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.conversion;

import com.fasterxml.jackson.databind.JsonNode;

/** The version of the ConversionReviews that a webhook accepts. */
enum ReviewVersion {
  V1("v1"),
  /**
   * The older version. The server does not check the kind and the uid of responses in this version.
   */
  V1BETA1("v1beta1");

  private final String version;

  ReviewVersion(String version) {
    this.version = version;
  }

  /** Returns the first known version in {@code versions}. The list must contain a known version. */
  static ReviewVersion firstOf(JsonNode versions) {
    for (JsonNode name : versions) {
      for (ReviewVersion known : values()) {
        if (known.version.equals(name.asText())) {
          return known;
        }
      }
    }
    return V1;
  }

  String apiVersion() {
    return "apiextensions.k8s.io/" + version;
  }
}
