// SPDX-License-Identifier: Apache-2.0
package shop;

import java.util.Map;

/** An external system, which knows the price of each shop and locks a shop for two calls. */
public final class Market {

  private static int closings;

  private Market() {}

  /** The price of a shop. */
  public record Price(String shop, int amount) {}

  static Map<String, Price> prices() {
    return Map.of("first", new Price("first", 7));
  }

  static void close() {
    if (closings++ < 2) {
      throw new IllegalStateException("the shop is locked");
    }
  }
}
