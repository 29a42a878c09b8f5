// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import java.util.List;

/**
 * The API server's request to convert objects of one kind.
 *
 * @param uid the identifier of the request, which the response must repeat
 * @param desiredApiVersion the group and version to which the objects are to be converted
 * @param objects the objects to convert
 */
record ReviewRequest(String uid, String desiredApiVersion, List<RequestedObject> objects) {

  /**
   * The version of ConversionReview. API servers use no other version, because Windlass lists only
   * this one in {@code conversionReviewVersions}.
   */
  static final String API_VERSION = "apiextensions.k8s.io/v1";

  static final String KIND = "ConversionReview";

  ReviewRequest {
    objects = List.copyOf(objects);
  }
}
