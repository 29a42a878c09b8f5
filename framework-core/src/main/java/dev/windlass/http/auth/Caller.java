// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http.auth;

import java.util.List;
import java.util.Map;

/** The user a token belongs to, as reported by the API server. Immutable. */
record Caller(String name, String uid, List<String> groups, Map<String, List<String>> extra) {

  Caller {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }
}
