// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.http;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The response to a request.
 *
 * @param code the HTTP status code: 201 if an object was created, otherwise 200
 * @param body the response body
 */
public record ApiResponse(int code, ObjectNode body) {

  public static ApiResponse ok(ObjectNode body) {
    return new ApiResponse(200, body);
  }

  public static ApiResponse created(ObjectNode body) {
    return new ApiResponse(201, body);
  }
}
