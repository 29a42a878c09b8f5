// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;

/**
 * Converts {@code UpdateControl}, {@code DeleteControl} and {@code ErrorStatusUpdateControl} of the
 * Java Operator SDK. A return statement is replaced with statements that write objects, followed by
 * a statement that returns a result or throws an exception. If a control is part of another
 * expression, it can be converted only if it does not write.
 */
final class ControlRule implements Rule {

  @Override
  public @Nullable String convert(J node, Source source) {
    if (node instanceof J.Return statement && statement.getExpression() != null) {
      return returned(statement.getExpression(), source);
    }
    if (node instanceof J.Lambda lambda && lambda.getBody() instanceof Expression body) {
      return lambda(lambda, body, source);
    }
    if (node instanceof J.MemberReference reference) {
      return reference(reference, source);
    }
    return node instanceof J.MethodInvocation call ? expression(call, source) : null;
  }

  private static @Nullable String returned(Expression expression, Source source) {
    Optional<List<String>> statements = statements(expression, source);
    if (statements.isEmpty()) {
      return null;
    }
    J parent = source.cursor().getParentTreeCursor().getValue();
    boolean hasRoom = parent instanceof J.Block || parent instanceof J.Case;
    if (hasRoom || statements.get().size() == 1) {
      String lines = String.join("\n" + source.indent(), statements.get());
      return lines.substring(0, lines.length() - 1); // the printer adds the last semicolon
    }
    return block(statements.get(), source.indent(), source.step());
  }

  /**
   * Returns the statements that replace a return statement. Returns empty if the statement contains
   * no control, or is a ternary expression that can remain one.
   */
  private static Optional<List<String>> statements(Expression expression, Source source) {
    if (expression.unwrap() instanceof J.Ternary choice && Sdk.isControl(choice.getType())) {
      Optional<List<String>> yes = statements(choice.getTruePart(), source);
      Optional<List<String>> no = statements(choice.getFalsePart(), source);
      if (yes.isEmpty() || no.isEmpty() || yes.get().size() + no.get().size() == 2) {
        return Optional.empty();
      }
      String branch = block(yes.get(), source.indent(), source.step());
      String condition = "if (" + source.text(choice.getCondition()) + ") ";
      return Optional.of(Stream.concat(Stream.of(condition + branch), no.get().stream()).toList());
    }
    return Control.of(expression, source).map(Control::statements);
  }

  private static @Nullable String lambda(J.Lambda lambda, Expression body, Source source) {
    Optional<Control> control = Control.of(body, source);
    if (control.isEmpty() || control.get().isExpression()) {
      return null;
    }
    String indent = source.indent() + source.step() + source.step();
    return source.text(lambda.getParameters())
        + " -> "
        + block(control.get().statements(), indent, source.step());
  }

  private static @Nullable String reference(J.MemberReference reference, Source source) {
    if (!Sdk.isControl(reference.getContaining().getType())) {
      return null;
    }
    String result = source.name(Windlass.RESULT);
    return switch (reference.getReference().getSimpleName()) {
      case "noUpdate", "defaultDelete" -> result + "::done";
      default -> null;
    };
  }

  private static @Nullable String expression(J.MethodInvocation call, Source source) {
    Optional<Control> control = Control.of(call, source);
    if (control.isPresent()) {
      if (control.get().isExpression()) {
        return control.get().result();
      }
      source.todo("write before this line, without " + Todo.quoted(call), Heading.RECONCILER);
      return source.verbatim(call);
    }
    boolean reschedules =
        Sdk.isControl(call.getType()) && call.getSimpleName().startsWith("reschedule");
    if (!reschedules || call.getSelect() == null) {
      return null;
    }
    String delayed = Requeue.of(call, source);
    boolean isStatement = source.cursor().getParentTreeCursor().getValue() instanceof J.Block;
    return isStatement ? source.text(call.getSelect()) + " = " + delayed : delayed;
  }

  private static String block(List<String> statements, String indent, String step) {
    return statements.stream()
        .map(line -> indent + step + line)
        .collect(Collectors.joining("\n", "{\n", "\n" + indent + "}"));
  }
}
