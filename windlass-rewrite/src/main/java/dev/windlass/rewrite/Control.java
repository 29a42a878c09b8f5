// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.Flag;
import org.openrewrite.java.tree.J;

/**
 * The Windlass code that replaces a control of the Java Operator SDK, such as {@code
 * UpdateControl.patchStatus(x).rescheduleAfter(d)}. The code first writes objects with the client.
 * It then returns a result or throws an exception.
 *
 * @param writes the statements that write objects
 * @param result the expression for the result
 * @param exception the expression for the exception to throw instead of returning the result; empty
 *     for none
 */
record Control(List<String> writes, String result, String exception) {

  /**
   * Returns the code that replaces an expression, or empty if the expression does not create a
   * control with the SDK's factory methods.
   */
  static Optional<Control> of(Expression expression, Source source) {
    Expression bare = expression.unwrap();
    if (!(bare instanceof J.MethodInvocation call) || !Sdk.isControl(call.getType())) {
      return Optional.empty();
    }
    if (isFactory(call)) {
      return Optional.of(made(call, source));
    }
    return call.getSelect() == null
        ? Optional.empty()
        : of(call.getSelect(), source).map(control -> control.with(call, source));
  }

  /** Returns whether a call invokes one of the SDK's static factory methods. */
  private static boolean isFactory(J.MethodInvocation call) {
    return call.getMethodType() != null
        && call.getMethodType().hasFlags(Flag.Static)
        && Sdk.isControl(call.getMethodType().getDeclaringType());
  }

  /** Returns whether the code is a single expression, without statements. */
  boolean isExpression() {
    return writes.isEmpty() && exception.isEmpty();
  }

  /** Returns the statements to use instead of a statement that returns the control. */
  List<String> statements() {
    List<String> statements = new ArrayList<>(writes);
    statements.add(exception.isEmpty() ? "return " + result + ";" : "throw " + exception + ";");
    return statements;
  }

  private static Control made(J.MethodInvocation call, Source source) {
    String done = source.name(Windlass.RESULT) + ".done()";
    String error =
        Sdk.is(call.getType(), Sdk.ERROR_CONTROL)
            ? ReconcileMethod.around(source.cursor()).map(ReconcileMethod::error).orElse("error")
            : "";
    return switch (call.getSimpleName()) {
      case "noFinalizerRemoval" ->
          // The finalizer remains until the next event, or until the SDK's maximum interval has
          // passed.
          new Control(List.of(), Requeue.result(maximumInterval(source), source), "");
      case "patchStatus", "patchResource", "patchResourceAndStatus" ->
          new Control(Writes.of(call, source), done, error);
      default -> new Control(List.of(), done, error);
    };
  }

  /** Returns an expression for the reconciler's maximum interval. The SDK's default is 10 h. */
  private static String maximumInterval(Source source) {
    return source
        .reconciler()
        .flatMap(it -> ControllerAnnotation.of(it).interval(source))
        .filter(it -> !it.endsWith(ControllerAnnotation.NEVER))
        .orElseGet(() -> source.name(Windlass.DURATION) + ".ofHours(10)");
  }

  private Control with(J.MethodInvocation call, Source source) {
    if (call.getSimpleName().equals("withNoRetry")) {
      String terminal = source.name(Windlass.TERMINAL_EXCEPTION);
      return new Control(
          writes, result, "new %s(%s.getMessage(), %s)".formatted(terminal, exception, exception));
    }
    return new Control(writes, Requeue.of(call, source), "");
  }
}
