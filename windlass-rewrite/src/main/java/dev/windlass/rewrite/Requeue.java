// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.List;
import java.util.Map;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;

/**
 * Converts calls to methods of the Java Operator SDK that schedule another reconcile: {@code
 * reschedule} and all variants of {@code rescheduleAfter}.
 */
final class Requeue {

  private static final Map<String, String> FACTORIES =
      Map.of(
          "NANOSECONDS", "ofNanos",
          "MILLISECONDS", "ofMillis",
          "SECONDS", "ofSeconds",
          "MINUTES", "ofMinutes",
          "HOURS", "ofHours",
          "DAYS", "ofDays");

  private Requeue() {}

  /** Returns an expression for the Windlass result that is equivalent to a call. */
  static String of(J.MethodInvocation call, Source source) {
    List<Expression> arguments =
        call.getArguments().stream().filter(it -> !(it instanceof J.Empty)).toList();
    if (arguments.isEmpty()) {
      return result(source.name(Windlass.DURATION) + ".ZERO", source);
    }
    Expression delay = arguments.get(0);
    if (arguments.size() == 2) {
      return result(duration(delay, arguments.get(1), source), source);
    }
    return Sdk.is(delay.getType(), Windlass.DURATION)
        ? result(source.text(delay), source)
        : result(source.name(Windlass.DURATION) + ".ofMillis(" + source.text(delay) + ")", source);
  }

  /**
   * Returns an expression for a {@code Duration} that is specified as an amount of a {@code
   * TimeUnit}.
   */
  static String duration(Expression amount, Expression unit, Source source) {
    String duration = source.name(Windlass.DURATION);
    String constant = unit instanceof J.FieldAccess field ? field.getSimpleName() : unit.toString();
    String factory = FACTORIES.get(constant);
    return factory == null
        ? "%s.of(%s, %s.toChronoUnit())".formatted(duration, source.text(amount), source.text(unit))
        : "%s.%s(%s)".formatted(duration, factory, source.text(amount));
  }

  /** Returns an expression for a result that requests another reconcile after a delay. */
  static String result(String delay, Source source) {
    return source.name(Windlass.RESULT) + ".requeueAfter(" + delay + ")";
  }
}
