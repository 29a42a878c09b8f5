// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The functions for URLs. */
final class UrlFunctions {
  private UrlFunctions() {}

  static CelLibrary library() {
    CelLibrary library =
        new CelLibrary()
            .function(
                "isURL",
                SimpleType.BOOL,
                List.of(SimpleType.STRING),
                args -> parse((String) args[0]) != null)
            .function(
                "url",
                JavaTypes.URL,
                List.of(SimpleType.STRING),
                args -> {
                  URI url = parse((String) args[0]);
                  if (url == null) {
                    String text = (String) args[0];
                    throw new IllegalArgumentException(
                        "URL parse error during conversion from string: parse \"%s\": %s"
                            .formatted(
                                text,
                                text.startsWith(":")
                                    ? "missing protocol scheme"
                                    : "invalid URI for request"));
                  }
                  return url;
                });
    part(library, "getScheme", URI::getScheme);
    part(library, "getHost", UrlFunctions::hostWithPort);
    part(library, "getHostname", url -> url.getHost() == null ? "" : unbracketed(url.getHost()));
    part(library, "getPort", url -> url.getPort() < 0 ? "" : Integer.toString(url.getPort()));
    part(library, "getEscapedPath", URI::getRawPath);
    return library.method(
        "getQuery",
        MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING)),
        List.of(JavaTypes.URL),
        args -> query((URI) args[0]));
  }

  private static void part(CelLibrary library, String name, Function<URI, @Nullable String> part) {
    library.method(
        name,
        SimpleType.STRING,
        List.of(JavaTypes.URL),
        args -> {
          String value = part.apply((URI) args[0]);
          return value == null ? "" : value;
        });
  }

  /** Parses an absolute URL or an absolute path. Returns null for any other text. */
  private static @Nullable URI parse(String text) {
    try {
      URI url = new URI(text);
      return url.isAbsolute() || text.startsWith("/") ? url : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static String hostWithPort(URI url) {
    String host = url.getHost() == null ? "" : url.getHost();
    return url.getPort() < 0 ? host : host + ":" + url.getPort();
  }

  private static String unbracketed(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private static Map<String, List<String>> query(URI url) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    if (url.getRawQuery() != null) {
      for (String pair : url.getRawQuery().split("&", -1)) {
        String[] parts = pair.split("=", 2);
        query
            .computeIfAbsent(decode(parts[0]), name -> new ArrayList<>())
            .add(parts.length == 2 ? decode(parts[1]) : "");
      }
    }
    return query;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
