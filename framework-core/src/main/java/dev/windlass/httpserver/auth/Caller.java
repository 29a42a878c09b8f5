// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver.auth;

import java.util.List;
import java.util.Map;

/** The user to whom a token belongs, as reported by the API server. Instances are immutable. */
record Caller(String name, String uid, List<String> groups, Map<String, List<String>> extra) {

  Caller {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }
}
