// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/** A range of IP addresses, such as {@code 10.0.0.0/8}. */
record Cidr(IpAddress ip, int prefix) {
  private static final Pattern PREFIX = Pattern.compile("0|[1-9]\\d{0,2}");
  private static final int HEX = 16;
  private static final int BITS_PER_DIGIT = 4;

  /** Parses a range. Returns empty if the string is not a range. */
  static Optional<Cidr> parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || !PREFIX.matcher(text.substring(slash + 1)).matches()) {
      return Optional.empty();
    }
    int prefix = Integer.parseInt(text.substring(slash + 1));
    return IpAddress.parse(text.substring(0, slash))
        .map(ip -> new Cidr(ip, prefix))
        .filter(cidr -> prefix <= cidr.bits());
  }

  private int bits() {
    return ip.bytes().length() * BITS_PER_DIGIT;
  }

  boolean contains(IpAddress other) {
    return ip.isV4() == other.isV4() && network(other).equals(network(ip));
  }

  boolean contains(Cidr other) {
    return other.prefix >= prefix && contains(other.ip);
  }

  private BigInteger network(IpAddress address) {
    return new BigInteger(address.bytes(), HEX).shiftRight(bits() - prefix);
  }

  /** Returns the same range, with the first address of the range as {@code ip}. */
  Cidr masked() {
    String hex = network(ip).shiftLeft(bits() - prefix).toString(HEX);
    return new Cidr(new IpAddress("0".repeat(ip.bytes().length() - hex.length()) + hex), prefix);
  }

  @Override
  public String toString() {
    return ip + "/" + prefix;
  }
}
