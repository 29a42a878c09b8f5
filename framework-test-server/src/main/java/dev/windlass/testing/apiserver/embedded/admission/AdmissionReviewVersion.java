// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import com.fasterxml.jackson.databind.JsonNode;

/** The versions of AdmissionReview that webhooks can accept. */
enum AdmissionReviewVersion {
  V1("v1"),
  /**
   * The older version. The server does not check the kind and the uid of a response in this
   * version.
   */
  V1BETA1("v1beta1");

  private final String version;

  AdmissionReviewVersion(String version) {
    this.version = version;
  }

  /** Returns the first known version in the list, or {@link #V1} if there is none. */
  static AdmissionReviewVersion firstOf(JsonNode versions) {
    for (JsonNode name : versions) {
      for (AdmissionReviewVersion known : values()) {
        if (known.version.equals(name.asText())) {
          return known;
        }
      }
    }
    return V1;
  }

  String apiVersion() {
    return "admission.k8s.io/" + version;
  }
}
