// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import java.util.Map;
import java.util.function.Function;

/** Compiles expressions with the function libraries of Kubernetes 1.34. */
final class CelEnvironment {
  private static final CelOptions OPTIONS =
      CelOptions.current().enableHeterogeneousNumericComparisons(true).build();

  private final Cel cel;

  /** Creates an environment whose expressions can refer to the given variables. */
  CelEnvironment(CelTypeProvider types, Map<String, CelType> variables) {
    CelBuilder builder =
        CelFactory.legacyCelBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .setTypeProvider(types)
            .addCompilerLibraries(
                CelExtensions.strings(),
                CelExtensions.lists(),
                CelExtensions.sets(OPTIONS),
                CelExtensions.optional(),
                CelExtensions.comprehensions())
            .addRuntimeLibraries(
                CelExtensions.strings(),
                CelExtensions.lists(),
                CelExtensions.sets(OPTIONS),
                CelExtensions.optional(),
                CelExtensions.comprehensions());
    variables.forEach(builder::addVar);
    for (CelLibrary library : CelLibrary.ALL) {
      library.addTo(builder);
    }
    cel = builder.build();
  }

  /**
   * Compiles an expression.
   *
   * @param type the type that the expression must have
   * @param mistyped a function that returns the error message for an expression of another type
   * @throws CelFailure if the expression is invalid
   */
  CelExpression compile(String text, CelType type, Function<CelType, String> mistyped)
      throws CelFailure {
    CelValidationResult result = cel.compile(text);
    try {
      if (result.hasError()) {
        throw new CelFailure("compilation failed: " + GoMessages.compilation(result));
      }
      if (!result.getAst().getResultType().equals(type)) {
        throw new CelFailure(mistyped.apply(result.getAst().getResultType()));
      }
      boolean usesOldSelf =
          result.getAst().getReferenceMap().values().stream()
              .anyMatch(reference -> reference.name().equals("oldSelf"));
      return new CelExpression(text, cel.createProgram(result.getAst()), usesOldSelf);
    } catch (CelValidationException | CelEvaluationException e) {
      throw new CelFailure("compilation failed: " + e.getMessage());
    }
  }
}
