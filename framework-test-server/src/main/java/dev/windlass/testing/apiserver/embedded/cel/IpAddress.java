// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An IP address in a form that Kubernetes accepts. Kubernetes rejects zones, leading zeros and
 * IPv4-mapped IPv6 addresses.
 *
 * @param bytes the bytes of the address, as hexadecimal digits
 */
record IpAddress(String bytes) {
  private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
  private static final Pattern V4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
  private static final Pattern V6 =
      Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:]*(\\d+(\\.\\d+){3})?");
  private static final int V4_DIGITS = 8;

  /** Parses an IP address. Returns empty if the text is not a valid address. */
  static Optional<IpAddress> parse(String text) {
    boolean v4 = V4.matcher(text).matches();
    if (!v4 && !V6.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      byte[] bytes = InetAddress.getByName(text).getAddress();
      boolean mapped = !v4 && bytes.length == 4;
      return mapped
          ? Optional.empty()
          : Optional.of(new IpAddress(HexFormat.of().formatHex(bytes)));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  boolean isV4() {
    return bytes.length() == V4_DIGITS;
  }

  InetAddress address() {
    try {
      return InetAddress.getByAddress(HexFormat.of().parseHex(bytes));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean isGlobalUnicast() {
    InetAddress address = address();
    return !address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && !address.isMulticastAddress()
        && !address.isLinkLocalAddress()
        && !bytes.equals("ffffffff");
  }

  boolean isLinkLocalMulticast() {
    return isV4() ? bytes.startsWith("e00000") : bytes.matches("ff.2.*");
  }

  /**
   * Returns the canonical form of the address. In an IPv6 address, {@code ::} replaces the longest
   * run of zeros.
   */
  @Override
  public String toString() {
    if (isV4()) {
      return address().getHostAddress();
    }
    String[] groups = address().getHostAddress().split(":", -1);
    int start = -1;
    int longest = 1;
    for (int i = 0; i < groups.length; i++) {
      int end = i;
      while (end < groups.length && groups[end].equals("0")) {
        end++;
      }
      if (end - i > longest) {
        start = i;
        longest = end - i;
      }
    }
    if (start < 0) {
      return String.join(":", groups);
    }
    String[] before = Arrays.copyOfRange(groups, 0, start);
    String[] after = Arrays.copyOfRange(groups, start + longest, groups.length);
    return String.join(":", before) + "::" + String.join(":", after);
  }
}
