// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Kubernetes quantity, such as {@code 1.5Gi}. Two quantities are equal if they represent the same
 * number.
 */
final class Quantity implements Comparable<Quantity> {
  private static final Pattern TEXT =
      Pattern.compile(
          "([+-]?(?:\\d+\\.?\\d*|\\.\\d+))(?:[eE]([+-]?\\d+)|(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]))?");
  private static final Map<String, Integer> POWERS_OF_TEN =
      Map.of("n", -9, "u", -6, "m", -3, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);
  private static final String BINARY = "KMGTPE";
  private static final int BITS_PER_STEP = 10;
  private static final int FINEST = 9;

  private final BigDecimal number;

  private Quantity(BigDecimal number) {
    this.number = number;
  }

  static Quantity of(long number) {
    return new Quantity(BigDecimal.valueOf(number));
  }

  /** Parses a quantity. Returns empty if the text is not a valid quantity. */
  static Optional<Quantity> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    BigDecimal number = new BigDecimal(matcher.group(1));
    String suffix = matcher.group(3) == null ? "" : matcher.group(3);
    if (matcher.group(2) != null) {
      number = number.scaleByPowerOfTen(Integer.parseInt(matcher.group(2)));
    } else if (suffix.endsWith("i")) {
      int steps = BINARY.indexOf(suffix.charAt(0)) + 1;
      number = number.multiply(BigDecimal.valueOf(1L << (BITS_PER_STEP * steps)));
      number = number.stripTrailingZeros();
    } else if (!suffix.isEmpty()) {
      number = number.scaleByPowerOfTen(POWERS_OF_TEN.getOrDefault(suffix, 0));
    }
    return Optional.of(
        new Quantity(number.scale() > FINEST ? number.setScale(FINEST, RoundingMode.UP) : number));
  }

  BigDecimal number() {
    return number;
  }

  Quantity plus(Quantity other) {
    return new Quantity(number.add(other.number));
  }

  Quantity minus(Quantity other) {
    return new Quantity(number.subtract(other.number));
  }

  /**
   * Returns whether the quantity is represented as an integer. As in Go, {@code 1000m} is not,
   * although its value is 1.
   */
  boolean isInteger() {
    return number.scale() <= 0 && number.toBigInteger().bitLength() < Long.SIZE;
  }

  @Override
  public int compareTo(Quantity other) {
    return number.compareTo(other.number);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Quantity quantity && compareTo(quantity) == 0;
  }

  @Override
  public int hashCode() {
    return number.stripTrailingZeros().hashCode();
  }
}
