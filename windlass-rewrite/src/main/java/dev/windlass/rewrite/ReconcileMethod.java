// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeUtils;

/**
 * The parameters of a method that receives a {@code Context} of the Java Operator SDK, such as a
 * method of a reconciler.
 *
 * @param context the name of the parameter for the context
 * @param primary the name of the parameter for the reconciled object; empty if there is none
 * @param error the name of the parameter for the exception; empty if there is none
 */
record ReconcileMethod(String context, String primary, String error) {

  /** Returns the parameters of the innermost enclosing method that receives a context. */
  static Optional<ReconcileMethod> around(Cursor cursor) {
    Iterator<Object> path = cursor.getPath(J.MethodDeclaration.class::isInstance);
    while (path.hasNext()) {
      Optional<ReconcileMethod> method = of((J.MethodDeclaration) path.next());
      if (method.isPresent()) {
        return method;
      }
    }
    return Optional.empty();
  }

  /** Returns the parameters of a method, or empty if it does not receive a context. */
  static Optional<ReconcileMethod> of(J.MethodDeclaration method) {
    List<J.VariableDeclarations> parameters = parameters(method);
    return parameters.stream()
        .filter(parameter -> Sdk.is(parameter.getType(), Sdk.CONTEXT))
        .findFirst()
        .map(
            context ->
                new ReconcileMethod(
                    name(context),
                    nameOf(parameters, primaryType(context)),
                    parameters.stream()
                        .filter(it -> Sdk.is(it.getType(), "java.lang.Exception"))
                        .findFirst()
                        .map(ReconcileMethod::name)
                        .orElse("")));
  }

  /**
   * Returns the declarations of a method's parameters. Omits the node with which OpenRewrite
   * represents an empty parameter list.
   */
  static List<J.VariableDeclarations> parameters(J.MethodDeclaration method) {
    return method.getParameters().stream()
        .filter(J.VariableDeclarations.class::isInstance)
        .map(J.VariableDeclarations.class::cast)
        .toList();
  }

  /** Returns whether an expression is the name of the parameter for the reconciled object. */
  boolean isPrimary(Expression expression) {
    return expression instanceof J.Identifier name && name.getSimpleName().equals(primary);
  }

  private static @Nullable JavaType primaryType(J.VariableDeclarations context) {
    JavaType.Parameterized type = TypeUtils.asParameterized(context.getType());
    return type == null ? null : type.getTypeParameters().get(0);
  }

  private static String nameOf(List<J.VariableDeclarations> parameters, @Nullable JavaType type) {
    return parameters.stream()
        .filter(it -> type != null && TypeUtils.isOfType(it.getType(), type))
        .findFirst()
        .map(ReconcileMethod::name)
        .orElse("");
  }

  private static String name(J.VariableDeclarations parameter) {
    return parameter.getVariables().get(0).getSimpleName();
  }
}
