// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request for a page. Instances are immutable. {@link #toString()} does not reveal the token.
 *
 * @param path the decoded path, such as {@code /readyz/ping}
 * @param query the decoded values of each parameter, in order. The value of a parameter without a
 *     value is an empty string
 * @param bearerToken the token from the header {@code Authorization}, or empty if there is none
 */
public record PageRequest(
    String path, Map<String, List<String>> query, Optional<String> bearerToken) {

  private static final String BEARER = "bearer ";

  /** Creates a request that holds an unmodifiable copy of the query. */
  public PageRequest {
    query = Map.copyOf(query);
  }

  /**
   * Creates a request from its raw parts. The JDK's server has already validated their encoding.
   */
  static PageRequest of(String path, @Nullable String rawQuery, @Nullable String authorization) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    for (String pair : rawQuery == null || rawQuery.isEmpty() ? new String[0] : split(rawQuery)) {
      int equals = pair.indexOf('=');
      String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
      String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
      query.merge(
          name, List.of(value), (old, more) -> Stream.concat(old.stream(), more.stream()).toList());
    }
    boolean bearer =
        authorization != null
            && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
            && !authorization.substring(BEARER.length()).isBlank();
    return new PageRequest(
        path,
        query,
        bearer && authorization != null
            ? Optional.of(authorization.substring(BEARER.length()).strip())
            : Optional.empty());
  }

  private static String[] split(String rawQuery) {
    return rawQuery.split("&", -1);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Returns whether the request contains a parameter with this name, with or without a value. */
  public boolean has(String parameter) {
    return query.containsKey(parameter);
  }

  /** Returns the values of a parameter, or an empty list if the parameter is absent. */
  public List<String> values(String parameter) {
    return query.getOrDefault(parameter, List.of());
  }

  @Override
  public String toString() {
    return "GET " + path + (bearerToken.isPresent() ? " with a token" : "");
  }
}
