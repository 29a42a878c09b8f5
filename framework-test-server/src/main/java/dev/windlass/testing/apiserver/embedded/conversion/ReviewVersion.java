// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.conversion;

import com.fasterxml.jackson.databind.JsonNode;

/** The API versions of ConversionReview. */
enum ReviewVersion {
  V1("v1"),
  /**
   * The beta version. The server does not check the kind and the uid of a response in this version.
   */
  V1BETA1("v1beta1");

  private final String version;

  ReviewVersion(String version) {
    this.version = version;
  }

  /**
   * Returns the first version in {@code versions} that this server supports. At least one of them
   * must be supported.
   */
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
