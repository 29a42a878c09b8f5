// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The notation in which kube-apiserver stores a quantity of a built-in type. For example, it stores
 * {@code 1000m} as {@code 1}, {@code 0.5} as {@code 500m}, and {@code 1024Mi} as {@code 1Gi}. The
 * server stores quantities of custom resources as they are.
 *
 * <p>Notations with different kinds of suffixes remain different, even for the same number, because
 * the server keeps the kind: {@code 1Gi} and {@code 1073741824} are two different values for it.
 * This class follows {@code quantity.go} and {@code amount.go} of apimachinery 0.34.
 */
final class CanonicalQuantity {

  private static final Pattern TEXT =
      Pattern.compile(
          "(?<number>[+-]?0*(?<whole>\\d*)(?:\\.(?<fraction>\\d*))?)"
              + "(?:[eE](?<exponent>[+-]?\\d{1,4})|(?<suffix>[KMGTPE]i|[numkMGTPE]))?");

  /** The decimal suffixes, from 10^-9 to 10^18 in steps of 10^3. */
  private static final String DECIMAL = "num kMGTPE";

  private static final int FINEST = -9;
  private static final int STEP = 3;
  private static final String BINARY = "KMGTPE";
  private static final int BITS_PER_STEP = 10;
  private static final BigDecimal KIBI = BigDecimal.valueOf(1 << BITS_PER_STEP);
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  /** The number of digits up to which Go parses a decimal number as an int64. */
  private static final int SHORT_DECIMAL = 18;

  /** The number of digits up to which Go parses a binary number without a suffix as an int64. */
  private static final int SHORT_BINARY = 14;

  private CanonicalQuantity() {}

  /** Returns the stored notation of a quantity, or the given text if it is not a quantity. */
  static String of(String text) {
    Matcher parts = TEXT.matcher(text.strip());
    if (!parts.matches() || !text.matches(".*\\d.*")) {
      return text;
    }
    String suffix = orEmpty(parts.group("suffix"));
    String whole = parts.group("whole").isEmpty() ? "0" : parts.group("whole");
    String digits = whole + orEmpty(parts.group("fraction"));
    int places = digits.length() - whole.length();
    if (suffix.endsWith("i")) {
      int steps = BINARY.indexOf(suffix.charAt(0)) + 1;
      boolean reused =
          places == 0
              && digits.length() + steps * STEP <= SHORT_BINARY
              && new BigInteger(digits).intValue() % 8 != 0;
      return reused ? text.strip() : ofBinary(number(parts).multiply(KIBI.pow(steps)));
    }
    boolean power = parts.group("exponent") != null;
    int exponent = power ? Integer.parseInt(parts.group("exponent")) : exponent(suffix);
    int scale = exponent - places;
    // Go keeps a text that looks canonical, although it is not always, as in 1.500.
    boolean reused =
        digits.length() <= SHORT_DECIMAL
            && scale >= FINEST
            && scale % STEP == 0
            && !digits.endsWith("000")
            && digits.charAt(0) != '0';
    return reused ? text.strip() : ofDecimal(number(parts).scaleByPowerOfTen(exponent), power);
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static BigDecimal number(Matcher parts) {
    String number = parts.group("number");
    return new BigDecimal(number.endsWith(".") ? number + "0" : number);
  }

  private static int exponent(String suffix) {
    return suffix.isEmpty() ? 0 : FINEST + STEP * DECIMAL.indexOf(suffix);
  }

  private static String ofBinary(BigDecimal number) {
    BigDecimal value = number.min(LARGEST).max(LARGEST.negate());
    boolean whole = value.stripTrailingZeros().scale() <= 0;
    if (!whole || value.abs().compareTo(KIBI) < 0) {
      return ofDecimal(value, false); // a binary suffix would lose precision
    }
    int steps = 0;
    while (value.remainder(KIBI).signum() == 0) {
      value = value.divideToIntegralValue(KIBI);
      steps++;
    }
    String suffix = steps == 0 ? "" : BINARY.charAt(steps - 1) + "i";
    return value.toBigInteger() + suffix;
  }

  private static String ofDecimal(BigDecimal number, boolean power) {
    BigDecimal value = number.setScale(Math.min(number.scale(), -FINEST), RoundingMode.UP);
    if (value.signum() == 0) {
      return "0";
    }
    BigDecimal stripped = value.stripTrailingZeros();
    int exponent = Math.floorDiv(-stripped.scale(), STEP) * STEP;
    BigInteger digits = stripped.scaleByPowerOfTen(-exponent).toBigIntegerExact();
    if (power) {
      return exponent == 0 ? digits.toString() : digits + "e" + exponent;
    }
    int index = (exponent - FINEST) / STEP;
    String suffix = index < DECIMAL.length() ? DECIMAL.substring(index, index + 1).strip() : "";
    return digits + suffix;
  }
}
