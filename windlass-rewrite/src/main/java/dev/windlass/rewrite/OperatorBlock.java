// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Statement;

/**
 * A block of code that assigns a new {@code Operator} of the Java Operator SDK to a variable, and
 * ends with a call to its {@code start()} method.
 *
 * @param variable the name of the variable
 * @param declaration the statement that creates the operator
 * @param before the statements before the declaration
 * @param between the statements between the declaration and the call to {@code start()}, except
 *     calls to {@code installShutdownHook}
 * @param arguments the arguments of the constructor
 * @param stopTimeouts the arguments of the calls to {@code installShutdownHook}
 */
record OperatorBlock(
    String variable,
    Statement declaration,
    List<Statement> before,
    List<Statement> between,
    List<Expression> arguments,
    List<Expression> stopTimeouts) {

  /**
   * Returns the parts of a block, or empty if the block does not create and start an operator in
   * this way.
   */
  static Optional<OperatorBlock> of(J.Block block) {
    List<Statement> statements = block.getStatements();
    for (int i = 0; i < statements.size(); i++) {
      if (statements.get(i) instanceof J.VariableDeclarations declared
          && declared.getVariables().get(0).getInitializer() instanceof J.NewClass created
          && Sdk.is(created.getType(), Sdk.OPERATOR)) {
        String name = declared.getVariables().get(0).getSimpleName();
        return isCall(statements.get(statements.size() - 1), name, "start")
            ? Optional.of(split(name, created, statements, i))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static OperatorBlock split(
      String name, J.NewClass created, List<Statement> statements, int at) {
    List<Statement> between = new ArrayList<>();
    List<Expression> timeouts = new ArrayList<>();
    for (Statement statement : statements.subList(at + 1, statements.size() - 1)) {
      if (isCall(statement, name, "installShutdownHook")) {
        timeouts.add(((J.MethodInvocation) statement).getArguments().get(0));
      } else {
        between.add(statement);
      }
    }
    List<Expression> arguments =
        created.getArguments().stream().filter(it -> !(it instanceof J.Empty)).toList();
    return new OperatorBlock(
        name, statements.get(at), statements.subList(0, at), between, arguments, timeouts);
  }

  private static boolean isCall(Statement statement, String variable, String method) {
    return statement instanceof J.MethodInvocation call
        && call.getSimpleName().equals(method)
        && call.getSelect() instanceof J.Identifier name
        && name.getSimpleName().equals(variable);
  }
}
