// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import dev.windlass.logging.OneLine;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address on which a server listens, in Go's notation: {@code :8081} for all interfaces, {@code
 * 127.0.0.1:8080} for one interface, or {@code [::1]:0} for a port that the system chooses.
 * Instances are immutable.
 *
 * @param host a host name or a literal address, or empty for all interfaces
 * @param port the port, or 0 for a port that the system chooses
 */
public record BindAddress(String host, int port) {

  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9a-fA-F:.%]+)]|([A-Za-z0-9._-]*)):([0-9]{1,5})");

  /** A host that consists of numbers, and can therefore only be an IPv4 address. */
  private static final Pattern NUMBERS = Pattern.compile("[0-9.]+");

  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");

  /** The highest valid port: 65,535. */
  public static final int HIGHEST_PORT = 65_535;

  /**
   * Creates an address.
   *
   * @throws IllegalArgumentException if the port is invalid
   */
  public BindAddress {
    if (port < 0 || port > HIGHEST_PORT) {
      throw new IllegalArgumentException(
          port + " is not a port; use 0 to " + HIGHEST_PORT + ", where 0 lets the system choose");
    }
  }

  /**
   * Parses an address.
   *
   * @return the address, or an empty result if the text is empty or {@code 0}, which disables the
   *     server
   * @throws IllegalArgumentException if the text is not an address; the message quotes the text
   */
  public static Optional<BindAddress> parse(String text) {
    String address = text.strip();
    if (address.isEmpty() || address.equals("0")) {
      return Optional.empty();
    }
    Matcher form = FORM.matcher(address);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "'"
              + OneLine.of(address, 100)
              + "' is not an address to listen on; use ':8081', '127.0.0.1:8081', '[::1]:8081', or"
              + " '0' for none");
    }
    String host = form.group(1) == null ? form.group(2) : form.group(1);
    if (host != null && NUMBERS.matcher(host).matches() && !IPV4.matcher(host).matches()) {
      throw new IllegalArgumentException(
          "'" + host + "' is not an IPv4 address; use four numbers from 0 to 255");
    }
    return Optional.of(new BindAddress(host == null ? "" : host, Integer.parseInt(form.group(3))));
  }

  /** Returns whether the address is reachable only from the same machine or the same Pod. */
  public boolean isLoopback() {
    try {
      return !host.isEmpty() && InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Returns the socket address. This method resolves the host name. */
  public InetSocketAddress socket() {
    return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
  }

  public BindAddress withPort(int other) {
    return new BindAddress(host, other);
  }

  /** Returns the address in Go's notation. */
  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
