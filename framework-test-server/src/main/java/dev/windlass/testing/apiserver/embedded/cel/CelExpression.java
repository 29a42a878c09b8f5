// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.Map;

/**
 * A compiled expression.
 *
 * @param text the expression as text
 * @param program the compiled program
 * @param usesOldSelf whether the expression refers to {@code oldSelf}
 */
record CelExpression(String text, CelRuntime.Program program, boolean usesOldSelf) {

  /**
   * Returns the value of the expression.
   *
   * @throws CelFailure if the evaluation fails
   */
  Object evaluate(Map<String, ?> variables) throws CelFailure {
    try {
      return program.eval(variables);
    } catch (CelEvaluationException e) {
      throw new CelFailure(GoMessages.evaluation(text, e));
    }
  }
}
