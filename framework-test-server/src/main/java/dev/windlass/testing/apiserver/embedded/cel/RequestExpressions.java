// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import java.util.Map;
import java.util.Optional;

/**
 * Compiles match conditions, which are CEL expressions about admission requests. The variables of a
 * match condition are dynamically typed.
 */
final class RequestExpressions {
  private static final Map<String, CelType> VARIABLES =
      Map.of("object", SimpleType.DYN, "oldObject", SimpleType.DYN, "request", SimpleType.DYN);

  private static final CelTypeProvider NO_TYPES =
      new CelTypeProvider() {
        @Override
        public ImmutableList<CelType> types() {
          return ImmutableList.of();
        }

        @Override
        public Optional<CelType> findType(String name) {
          return Optional.empty();
        }
      };

  private RequestExpressions() {}

  /**
   * Compiles a match condition.
   *
   * @throws CelFailure if the condition is invalid
   */
  static CelExpression compile(String expression) throws CelFailure {
    return new CelEnvironment(NO_TYPES, VARIABLES)
        .compile(expression, SimpleType.BOOL, type -> "must evaluate to bool");
  }
}
