// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The response to a request.
 *
 * @param code 200, or 201 if an object was created
 */
record Answer(int code, ObjectNode body) {

  static Answer ok(ObjectNode body) {
    return new Answer(200, body);
  }

  static Answer created(ObjectNode body) {
    return new Answer(201, body);
  }
}
