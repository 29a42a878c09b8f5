// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Statement;

/**
 * Converts the code that starts the program. Replaces the {@code Operator} of the Java Operator SDK
 * with a {@code Manager} in a try-with-resources statement.
 */
final class OperatorRule implements Rule {

  @Override
  public @Nullable String convert(J node, Source source) {
    if (node instanceof J.Block block) {
      return OperatorBlock.of(block).map(it -> program(block, it, source)).orElse(null);
    }
    return node instanceof J.MethodInvocation call ? register(call, source) : null;
  }

  private static String program(J.Block block, OperatorBlock operator, Source source) {
    String indent = operator.declaration().getPrefix().getIndent();
    String inner = indent + source.step();
    String manager = source.name(Windlass.MANAGER);
    return lines(block, operator.before(), source)
        + comments(operator.declaration(), source)
        + "\n%stry (%s manager =".formatted(indent, manager)
        + new ManagerOptions(source, indent).builder(operator)
        + ") {"
        + lines(block, operator.between(), source).substring(1).replace("\n", "\n" + source.step())
        + "\n%s%s\n%s}".formatted(inner, run(source), indent)
        + block.getEnd().getWhitespace()
        + "}";
  }

  /**
   * Returns the converted text of a block that contains only the given statements, without the
   * closing brace.
   */
  private static String lines(J.Block block, List<Statement> statements, Source source) {
    String text = source.withConvertedChildren(block.withStatements(statements));
    return text.substring(0, text.lastIndexOf('}')).stripTrailing();
  }

  private static String comments(Statement statement, Source source) {
    return statement.getPrefix().getComments().stream()
        .map(it -> "\n" + statement.getPrefix().getIndent() + it.printComment(source.cursor()))
        .collect(Collectors.joining());
  }

  private static String run(Source source) {
    J.MethodDeclaration method = source.cursor().firstEnclosing(J.MethodDeclaration.class);
    if (method != null && method.getSimpleName().equals("main")) {
      return "System.exit(manager.run() ? 0 : 1);";
    }
    return Todo.line("run() returns only after the program has been stopped", Heading.OPERATOR)
        + "\n"
        + source.indent()
        + source.step()
        + source.step()
        + "manager.run();";
  }

  private static @Nullable String register(J.MethodInvocation call, Source source) {
    if (!call.getSimpleName().equals("register")
        || !(call.getSelect() instanceof J.Identifier operator)
        || !Sdk.is(operator.getType(), Sdk.OPERATOR)
        || !isConverted(operator, source)) {
      return null;
    }
    if (call.getArguments().size() > 1) {
      source.todo("convert " + Todo.quoted(call.getArguments().get(1)), Heading.OPERATOR);
    }
    return source.text(call.getArguments().get(0)) + ".register(manager)";
  }

  private static boolean isConverted(J.Identifier operator, Source source) {
    return Search.blocks(source.cursor().firstEnclosingOrThrow(J.CompilationUnit.class)).stream()
        .map(OperatorBlock::of)
        .flatMap(Optional::stream)
        .anyMatch(block -> block.variable().equals(operator.getSimpleName()));
  }
}
