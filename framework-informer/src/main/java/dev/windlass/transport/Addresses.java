// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The addresses of each host, in the order in which a connection tries them. A name of an API
 * server can have several addresses, of which one does not respond. An address that failed
 * therefore comes last until another one fails. This class is thread-safe.
 */
final class Addresses {

  interface Resolver {
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  /** The shortest share of an address, unless the whole time limit is shorter: 2 s. */
  private static final Duration SHORTEST = Duration.ofSeconds(2);

  private final Resolver resolver;

  /** The address to try first for each host with a failed address. */
  private final Map<String, InetAddress> first = new ConcurrentHashMap<>();

  Addresses(Resolver resolver) {
    this.resolver = resolver;
  }

  /** Returns the addresses of a host. The list can be empty. */
  List<InetAddress> of(String host) throws UnknownHostException {
    List<InetAddress> found = new ArrayList<>(List.of(resolver.resolve(host)));
    InetAddress start = first.get(host);
    if (start != null && found.contains(start)) {
      Collections.rotate(found, -found.indexOf(start));
    }
    return found;
  }

  /**
   * Records that the connection to an address failed or was aborted. The next connection starts
   * with the address that follows in the list. A request whose time limit ends during the attempt
   * can therefore be repeated with success.
   */
  void failed(String host, InetAddress address, List<InetAddress> all) {
    first.put(host, all.get((all.indexOf(address) + 1) % all.size()));
  }

  /**
   * Returns the time limit for the connection to one address. All addresses but the last share the
   * time, because the request often has the same limit as the connection.
   *
   * @param limit the limit for the connection to a host with one address; zero for no limit
   * @param left the number of addresses that have not been tried, including this one
   */
  static Duration share(Duration limit, int left) {
    if (left == 1 || limit.compareTo(SHORTEST) <= 0) {
      return limit;
    }
    Duration share = limit.dividedBy(left);
    return share.compareTo(SHORTEST) < 0 ? SHORTEST : share;
  }
}
