// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AddressesTest {

  private static final String HOST = "api";

  private final InetAddress a = address(1);
  private final InetAddress b = address(2);
  private final InetAddress c = address(3);
  private InetAddress[] known = {a, b, c};
  private final Addresses addresses = new Addresses(host -> known);

  private static InetAddress address(int last) {
    try {
      return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
    } catch (java.net.UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void startsAfterTheAddressThatFailed() throws Exception {
    assertThat(addresses.of(HOST)).containsExactly(a, b, c);
    addresses.failed(HOST, a, List.of(a, b, c));
    assertThat(addresses.of(HOST)).containsExactly(b, c, a);
    assertThat(addresses.of("other")).containsExactly(a, b, c);
    addresses.failed(HOST, c, List.of(a, b, c));
    assertThat(addresses.of(HOST)).containsExactly(a, b, c);
  }

  @Test
  void forgetsAnAddressThatTheNameNoLongerHas() throws Exception {
    addresses.failed(HOST, a, List.of(a, b, c));
    known = new InetAddress[] {c, a};
    assertThat(addresses.of(HOST)).containsExactly(c, a);
    known = new InetAddress[0];
    assertThat(addresses.of(HOST)).isEmpty();
  }

  @Test
  void sharesTheTimeAmongTheAddresses() {
    Duration limit = Duration.ofSeconds(10);
    assertThat(Addresses.share(limit, 1)).isEqualTo(limit);
    assertThat(Addresses.share(limit, 2)).hasSeconds(5);
    assertThat(Addresses.share(limit, 20)).hasSeconds(2);
    assertThat(Addresses.share(Duration.ofSeconds(1), 2)).hasSeconds(1);
    assertThat(Addresses.share(Duration.ZERO, 2)).isZero();
  }
}
