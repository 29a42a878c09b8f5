// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a client offers the cipher suites. If the JVM compiles only with the first
 * stage of its compiler, as with {@code -XX:TieredStopAtLevel=1}, it does not use the processor's
 * instructions for AES. ChaCha20 is then four times as fast as AES-GCM, so it comes first. The API
 * server, like other servers written in Go, follows the order of its client. All suites that are
 * enabled remain enabled, and both ciphers are equally secure.
 */
final class CipherOrder {

  private static final String CHACHA = "CHACHA20";

  private static final boolean CHACHA_FIRST =
      isChaChaFirst(
          System.getProperty("java.vm.info", ""),
          System.getProperty("jdk.tls.client.cipherSuites"));

  private CipherOrder() {}

  /**
   * Returns whether ChaCha20 is to come first.
   *
   * @param vmInfo the system property {@code java.vm.info}
   * @param chosen the suites that the user has chosen, whose order must remain; null if none
   */
  static boolean isChaChaFirst(String vmInfo, @Nullable String chosen) {
    boolean slowAes = vmInfo.contains("emulated-client") || vmInfo.contains("interpreted");
    return slowAes && chosen == null;
  }

  /** Changes the order of the enabled cipher suites if another order is faster. */
  static void apply(SSLParameters parameters) {
    if (CHACHA_FIRST) {
      parameters.setCipherSuites(chaChaFirst(parameters.getCipherSuites()));
    }
  }

  static String[] chaChaFirst(String... suites) {
    List<String> sorted = new ArrayList<>(Arrays.asList(suites));
    sorted.sort(Comparator.comparing(suite -> !suite.contains(CHACHA))); // the sort is stable
    return sorted.toArray(new String[0]);
  }
}
