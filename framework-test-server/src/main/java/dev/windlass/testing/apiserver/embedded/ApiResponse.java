// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The response to a request.
 *
 * @param code the status code: 200, or 201 if an object was created
 */
record ApiResponse(int code, ObjectNode body) {

  static ApiResponse ok(ObjectNode body) {
    return new ApiResponse(200, body);
  }

  static ApiResponse created(ObjectNode body) {
    return new ApiResponse(201, body);
  }
}
