// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A compiled expression. It can use the functions of CEL and of the extensions that dev.cel has.
 * The functions that Kubernetes adds are missing.
 *
 * @param text the expression as text
 * @param program the compiled program
 * @param usesOldSelf whether the expression refers to {@code oldSelf}
 */
record CelExpression(String text, CelRuntime.Program program, boolean usesOldSelf) {

  private static final CelOptions OPTIONS =
      CelOptions.current().enableHeterogeneousNumericComparisons(true).build();

  /** The functions, and the objects with functions, that only Kubernetes has. */
  private static final Set<String> OF_KUBERNETES =
      Set.of(
          ("isURL url isQuantity quantity isIP ip isCIDR cidr format find findAll isSorted min max"
                  + " sum indexOf lastIndexOf isSemver semver authorizer")
              .split(" "));

  private static final Map<String, CelType> REQUEST =
      Map.of("object", SimpleType.DYN, "oldObject", SimpleType.DYN, "request", SimpleType.DYN);

  private static final Pattern UNKNOWN =
      Pattern.compile("(?:undeclared reference to|no matching overload for) '(\\w+)");

  /** Thrown if an expression cannot be compiled or evaluated. */
  static final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean unsupported;

    private Failure(String message, boolean unsupported) {
      super(message, null, false, false);
      this.unsupported = unsupported;
    }

    /** Returns whether the expression uses a function that a real server has. */
    boolean isUnsupported() {
      return unsupported;
    }

    /** Returns the message, which is never null. */
    String text() {
      return String.valueOf(getMessage());
    }
  }

  /** Compiles a condition on the request that a webhook would answer. */
  static CelExpression ofRequest(String text) throws Failure {
    return compile(new SchemaTypes(), REQUEST, text, SimpleType.BOOL);
  }

  /**
   * Compiles an expression.
   *
   * @param variables the types of the variables
   * @param result the type that the expression must have
   */
  static CelExpression compile(
      CelTypeProvider types, Map<String, CelType> variables, String text, CelType result)
      throws Failure {
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
    Cel cel = builder.build();
    CelValidationResult compiled = cel.compile(text);
    try {
      if (compiled.hasError()) {
        throw failure(compiled.getErrors());
      }
      CelType type = compiled.getAst().getResultType();
      if (!type.equals(result)) {
        throw new Failure("must evaluate to " + result.name() + ", not " + type.name(), false);
      }
      boolean usesOldSelf =
          compiled.getAst().getReferenceMap().values().stream()
              .anyMatch(reference -> reference.name().equals("oldSelf"));
      return new CelExpression(text, cel.createProgram(compiled.getAst()), usesOldSelf);
    } catch (CelValidationException | CelEvaluationException e) {
      throw new Failure("compilation failed: " + e.getMessage(), false);
    }
  }

  private static Failure failure(List<CelIssue> issues) {
    boolean unsupported =
        issues.stream()
            .map(issue -> UNKNOWN.matcher(issue.getMessage()))
            .filter(Matcher::find)
            .anyMatch(unknown -> OF_KUBERNETES.contains(unknown.group(1)));
    String messages = String.join("; ", issues.stream().map(CelIssue::getMessage).toList());
    return new Failure("compilation failed: " + messages, unsupported);
  }

  /** Returns the value of the expression. */
  Object evaluate(Map<String, ?> variables) throws Failure {
    try {
      return program.eval(variables);
    } catch (CelEvaluationException e) {
      throw new Failure(String.valueOf(e.getMessage()), false);
    }
  }
}
