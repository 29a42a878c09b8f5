// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.function.BinaryOperator;

/** The functions for quantities. */
final class QuantityFunctions {
  private static final List<CelType> ONE = List.of(JavaTypes.QUANTITY);
  private static final List<CelType> TWO = List.of(JavaTypes.QUANTITY, JavaTypes.QUANTITY);
  private static final List<CelType> WITH_INT = List.of(JavaTypes.QUANTITY, SimpleType.INT);
  private static final String SYNTAX =
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

  private QuantityFunctions() {}

  static CelLibrary library() {
    CelLibrary library =
        new CelLibrary()
            .function(
                "isQuantity",
                SimpleType.BOOL,
                List.of(SimpleType.STRING),
                args -> Quantity.parse((String) args[0]).isPresent())
            .function(
                "quantity",
                JavaTypes.QUANTITY,
                List.of(SimpleType.STRING),
                args ->
                    Quantity.parse((String) args[0])
                        .orElseThrow(() -> new IllegalArgumentException(SYNTAX)))
            .method("sign", SimpleType.INT, ONE, args -> (long) quantity(args[0]).number().signum())
            .method("isInteger", SimpleType.BOOL, ONE, args -> quantity(args[0]).isInteger())
            .method("asInteger", SimpleType.INT, ONE, args -> asInteger(quantity(args[0])))
            .method(
                "asApproximateFloat",
                SimpleType.DOUBLE,
                ONE,
                args -> quantity(args[0]).number().doubleValue())
            .method("isLessThan", SimpleType.BOOL, TWO, args -> compare(args) < 0)
            .method("isGreaterThan", SimpleType.BOOL, TWO, args -> compare(args) > 0)
            .method("compareTo", SimpleType.INT, TWO, args -> (long) compare(args));
    arithmetic(library, "add", Quantity::plus);
    arithmetic(library, "sub", Quantity::minus);
    return library;
  }

  private static void arithmetic(
      CelLibrary library, String name, BinaryOperator<Quantity> operation) {
    library
        .method(
            name,
            JavaTypes.QUANTITY,
            TWO,
            args -> operation.apply(quantity(args[0]), quantity(args[1])))
        .method(
            name,
            JavaTypes.QUANTITY,
            WITH_INT,
            args -> operation.apply(quantity(args[0]), Quantity.of((Long) args[1])));
  }

  private static Quantity quantity(Object value) {
    return (Quantity) value;
  }

  private static int compare(Object[] quantities) {
    return quantity(quantities[0]).compareTo(quantity(quantities[1]));
  }

  private static long asInteger(Quantity quantity) {
    if (!quantity.isInteger()) {
      throw new IllegalArgumentException("cannot convert value to integer");
    }
    return quantity.number().longValue();
  }
}
