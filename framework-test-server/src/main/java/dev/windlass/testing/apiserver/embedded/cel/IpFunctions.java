// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.function.Predicate;

/** The functions for IP addresses. */
final class IpFunctions {
  private IpFunctions() {}

  static CelLibrary library() {
    CelLibrary library =
        new CelLibrary()
            .function(
                "isIP",
                SimpleType.BOOL,
                List.of(SimpleType.STRING),
                args -> IpAddress.parse((String) args[0]).isPresent())
            .function(
                "ip", JavaTypes.IP, List.of(SimpleType.STRING), args -> parse((String) args[0]))
            .function(
                "ip.isCanonical",
                SimpleType.BOOL,
                List.of(SimpleType.STRING),
                args -> parse((String) args[0]).toString().equals(args[0]))
            .function(
                "string", SimpleType.STRING, List.of(JavaTypes.IP), args -> args[0].toString())
            .method(
                "family",
                SimpleType.INT,
                List.of(JavaTypes.IP),
                args -> ((IpAddress) args[0]).isV4() ? 4L : 6L);
    test(library, "isUnspecified", ip -> ip.address().isAnyLocalAddress());
    test(library, "isLoopback", ip -> ip.address().isLoopbackAddress());
    test(library, "isLinkLocalMulticast", IpAddress::isLinkLocalMulticast);
    test(library, "isLinkLocalUnicast", ip -> ip.address().isLinkLocalAddress());
    test(library, "isGlobalUnicast", IpAddress::isGlobalUnicast);
    return library;
  }

  private static void test(CelLibrary library, String name, Predicate<IpAddress> test) {
    library.method(
        name, SimpleType.BOOL, List.of(JavaTypes.IP), args -> test.test((IpAddress) args[0]));
  }

  static IpAddress parse(String text) {
    return IpAddress.parse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "IP Address \"%s\" parse error during conversion from string".formatted(text)));
  }
}
