// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.common.types.SimpleType;
import java.util.List;

/** The functions for IP address ranges. */
final class CidrFunctions {
  private CidrFunctions() {}

  static CelLibrary library() {
    return new CelLibrary()
        .function(
            "isCIDR",
            SimpleType.BOOL,
            List.of(SimpleType.STRING),
            args -> Cidr.parse((String) args[0]).isPresent())
        .function(
            "cidr", JavaTypes.CIDR, List.of(SimpleType.STRING), args -> parse((String) args[0]))
        .function("string", SimpleType.STRING, List.of(JavaTypes.CIDR), args -> args[0].toString())
        .method(
            "containsIP",
            SimpleType.BOOL,
            List.of(JavaTypes.CIDR, SimpleType.STRING),
            args -> cidr(args[0]).contains(IpFunctions.parse((String) args[1])))
        .method(
            "containsIP",
            SimpleType.BOOL,
            List.of(JavaTypes.CIDR, JavaTypes.IP),
            args -> cidr(args[0]).contains((IpAddress) args[1]))
        .method(
            "containsCIDR",
            SimpleType.BOOL,
            List.of(JavaTypes.CIDR, SimpleType.STRING),
            args -> cidr(args[0]).contains(parse((String) args[1])))
        .method(
            "containsCIDR",
            SimpleType.BOOL,
            List.of(JavaTypes.CIDR, JavaTypes.CIDR),
            args -> cidr(args[0]).contains(cidr(args[1])))
        .method("ip", JavaTypes.IP, List.of(JavaTypes.CIDR), args -> cidr(args[0]).ip())
        .method("masked", JavaTypes.CIDR, List.of(JavaTypes.CIDR), args -> cidr(args[0]).masked())
        .method(
            "prefixLength",
            SimpleType.INT,
            List.of(JavaTypes.CIDR),
            args -> (long) cidr(args[0]).prefix());
  }

  private static Cidr cidr(Object value) {
    return (Cidr) value;
  }

  private static Cidr parse(String text) {
    return Cidr.parse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "network address parse error during conversion from string: invalid CIDR address: "
                        + text));
  }
}
