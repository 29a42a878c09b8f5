// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.webhook;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.Quantity;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Generates random values of types that are not JSON objects, such as strings, numbers and dates.
 */
final class ScalarValues {

  private static final List<String> STRINGS =
      List.of("", "a", "b", "some words", "x-1.example.com", "1", "true", "\u00e9\u4e2d\"\\\n");

  private static final Map<Class<?>, Function<RandomGenerator, Object>> BY_CLASS = new HashMap<>();

  static {
    BY_CLASS.put(String.class, ScalarValues::string);
    BY_CLASS.put(Boolean.class, RandomGenerator::nextBoolean);
    BY_CLASS.put(Character.class, random -> (char) ('a' + random.nextInt(26)));
    BY_CLASS.put(UUID.class, random -> new UUID(random.nextLong(), random.nextLong()));
    BY_CLASS.put(URI.class, random -> URI.create("https://host-" + random.nextInt(100) + "/x"));
    BY_CLASS.put(byte[].class, ScalarValues::bytes);
    BY_CLASS.put(Instant.class, ScalarValues::instant);
    BY_CLASS.put(Date.class, random -> Date.from(instant(random)));
    BY_CLASS.put(ZonedDateTime.class, random -> instant(random).atZone(ZoneOffset.UTC));
    BY_CLASS.put(OffsetDateTime.class, random -> instant(random).atOffset(ZoneOffset.UTC));
    BY_CLASS.put(LocalDate.class, random -> LocalDate.ofEpochDay(random.nextInt(30_000)));
    BY_CLASS.put(Duration.class, ScalarValues::duration);
    BY_CLASS.put(
        io.fabric8.kubernetes.api.model.Duration.class,
        random -> new io.fabric8.kubernetes.api.model.Duration(duration(random)));
    BY_CLASS.put(MicroTime.class, random -> new MicroTime("2026-01-02T03:04:05.000006Z"));
    BY_CLASS.put(Quantity.class, ScalarValues::quantity);
    BY_CLASS.put(
        IntOrString.class,
        random ->
            random.nextBoolean()
                ? new IntOrString(random.nextInt(100))
                : new IntOrString(random.nextInt(100) + "%"));
  }

  private ScalarValues() {}

  /** Returns a random value of the given class, or empty if the class is not supported. */
  static Optional<Object> of(
      Class<?> type, RandomGenerator random, Optional<Double> min, Optional<Double> max) {
    Class<?> boxed = boxed(type);
    if (Number.class.isAssignableFrom(boxed) && !BY_CLASS.containsKey(boxed)) {
      return number(boxed, random, min, max);
    }
    if (type.isEnum()) {
      Object[] constants = type.getEnumConstants();
      return Optional.of(constants[random.nextInt(constants.length)]);
    }
    return Optional.ofNullable(BY_CLASS.get(boxed)).map(generator -> generator.apply(random));
  }

  private static Class<?> boxed(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }

  private static Object string(RandomGenerator random) {
    return random.nextInt(3) == 0
        ? STRINGS.get(random.nextInt(STRINGS.size()))
        : "text-" + random.nextInt(1000);
  }

  private static byte[] bytes(RandomGenerator random) {
    byte[] bytes = new byte[random.nextInt(8)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Instant instant(RandomGenerator random) {
    return Instant.ofEpochSecond(random.nextInt(2_000_000_000));
  }

  private static Duration duration(RandomGenerator random) {
    return Duration.ofSeconds(random.nextInt(100_000));
  }

  private static Quantity quantity(RandomGenerator random) {
    List<String> units = List.of("", "m", "k", "Mi", "Gi");
    return new Quantity("" + random.nextInt(10_000), units.get(random.nextInt(units.size())));
  }

  private static Optional<Object> number(
      Class<?> type, RandomGenerator random, Optional<Double> min, Optional<Double> max) {
    boolean whole = !(type == Double.class || type == Float.class || type == BigDecimal.class);
    double least = Math.max(min.orElse(-Double.MAX_VALUE), least(type));
    double most = Math.min(max.orElse(Double.MAX_VALUE), most(type));
    double[] candidates = {0, 1, -1, least, most, random.nextInt(100), random.nextLong() >> 14};
    double chosen = candidates[random.nextInt(candidates.length)] + (whole ? 0 : 0.5);
    double value = Math.min(Math.max(chosen, least), most);
    BigDecimal exact = new BigDecimal(whole ? Math.ceil(value) : value);
    return Optional.ofNullable(cast(exact, type));
  }

  /** Returns the smallest number to generate. A double can represent this number exactly. */
  private static double least(Class<?> type) {
    return -most(type);
  }

  private static double most(Class<?> type) {
    if (type == Byte.class) {
      return Byte.MAX_VALUE;
    } else if (type == Short.class) {
      return Short.MAX_VALUE;
    } else if (type == Integer.class) {
      return Integer.MAX_VALUE;
    } else if (type == Float.class) {
      return 1 << 20;
    }
    return 1L << 52;
  }

  private static @Nullable Object cast(BigDecimal value, Class<?> type) {
    if (type == Byte.class) {
      return value.byteValueExact();
    } else if (type == Short.class) {
      return value.shortValueExact();
    } else if (type == Integer.class) {
      return value.intValueExact();
    } else if (type == Long.class) {
      return value.longValueExact();
    } else if (type == Float.class) {
      return value.floatValue();
    } else if (type == Double.class || type == Number.class) {
      return value.doubleValue();
    } else if (type == BigInteger.class) {
      return value.toBigInteger();
    }
    return type == BigDecimal.class ? value : null;
  }
}
