// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BindAddressTest {

  @Test
  void isWrittenAsInGo() {
    assertThat(BindAddress.parse(":8081")).contains(new BindAddress("", 8081));
    assertThat(BindAddress.parse(" 127.0.0.1:8080 ")).contains(new BindAddress("127.0.0.1", 8080));
    assertThat(BindAddress.parse("[::1]:0")).contains(new BindAddress("::1", 0));
    assertThat(BindAddress.parse("localhost:65535")).contains(new BindAddress("localhost", 65535));
    assertThat(BindAddress.parse("[::1]:0").orElseThrow()).hasToString("[::1]:0");
    assertThat(BindAddress.parse(":8081").orElseThrow()).hasToString(":8081");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "0"})
  void isNoneIfItIsOff(String text) {
    assertThat(BindAddress.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"8081", "::1:80", ":", ":http", "a b:1", "http://x:1", ":1/", "-1"})
  void isRefusedWithExamplesIfItIsNone(String text) {
    assertThatThrownBy(() -> BindAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'"
                + text
                + "' is not an address to listen on; use ':8081', '127.0.0.1:8081', '[::1]:8081',"
                + " or '0' for none");
  }

  @Test
  void hasAPortThatThereIs() {
    assertThatThrownBy(() -> BindAddress.parse(":65536"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("65536 is not a port; use 0 to 65535, where 0 lets the system choose");
  }

  @Test
  void isLoopbackOnlyOnThisHost() {
    assertThat(new BindAddress("127.0.0.1", 1).isLoopback()).isTrue();
    assertThat(new BindAddress("::1", 1).isLoopback()).isTrue();
    assertThat(new BindAddress("", 1).isLoopback()).isFalse();
    assertThat(new BindAddress("0.0.0.0", 1).isLoopback()).isFalse();
  }
}
