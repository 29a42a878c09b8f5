// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Statement;

/**
 * The event sources that a reconciler's method {@code prepareEventSources} returns to the Java
 * Operator SDK. They can be determined only if the method consists of declarations of local
 * variables and a return statement with a list.
 *
 * @param informers the event sources that watch a type
 * @param others all other event sources
 */
record EventSources(List<InformerSource> informers, List<Expression> others) {

  private static final Set<String> LISTS = Set.of("of", "asList", "singletonList");

  /**
   * Returns the event sources of a reconciler, or empty if it declares none or if they cannot be
   * determined.
   */
  static Optional<EventSources> of(J.ClassDeclaration reconciler) {
    return method(reconciler).flatMap(EventSources::read);
  }

  /** Returns the reconciler's method that creates the event sources. */
  static Optional<J.MethodDeclaration> method(J.ClassDeclaration reconciler) {
    return reconciler.getBody().getStatements().stream()
        .filter(J.MethodDeclaration.class::isInstance)
        .map(J.MethodDeclaration.class::cast)
        .filter(it -> it.getSimpleName().equals("prepareEventSources"))
        .findFirst();
  }

  /** Returns whether a reconciler declares event sources that cannot be determined. */
  static boolean areUnknown(J.ClassDeclaration reconciler) {
    return method(reconciler).isPresent() && of(reconciler).isEmpty();
  }

  private static Optional<EventSources> read(J.MethodDeclaration method) {
    Map<String, Expression> variables = new HashMap<>();
    if (method.getBody() == null) {
      return Optional.empty();
    }
    for (Statement statement : method.getBody().getStatements()) {
      if (statement instanceof J.Return end && end.getExpression() != null) {
        return elements(end.getExpression()).map(elements -> sort(elements, variables));
      }
      if (!(statement instanceof J.VariableDeclarations declared)
          || declared.getVariables().get(0).getInitializer() == null) {
        return Optional.empty();
      }
      J.VariableDeclarations.NamedVariable variable = declared.getVariables().get(0);
      variables.put(variable.getSimpleName(), variable.getInitializer());
    }
    return Optional.empty();
  }

  private static Optional<List<Expression>> elements(Expression list) {
    if (!(list instanceof J.MethodInvocation call) || !LISTS.contains(call.getSimpleName())) {
      return Optional.empty();
    }
    return Optional.of(
        call.getArguments().stream().filter(it -> !(it instanceof J.Empty)).toList());
  }

  private static EventSources sort(List<Expression> elements, Map<String, Expression> variables) {
    List<InformerSource> informers = new ArrayList<>();
    List<Expression> others = new ArrayList<>();
    for (Expression element : elements) {
      Expression source = resolve(element, variables);
      Optional<InformerSource> informer = informer(source, variables);
      informer.ifPresent(informers::add);
      if (informer.isEmpty()) {
        others.add(source);
      }
    }
    return new EventSources(informers, others);
  }

  private static Optional<InformerSource> informer(
      Expression source, Map<String, Expression> variables) {
    if (!(source instanceof J.NewClass created)
        || !Sdk.is(created.getType(), Sdk.INFORMER_SOURCE)) {
      return Optional.empty();
    }
    List<J.MethodInvocation> options = new ArrayList<>();
    Expression next = resolve(created.getArguments().get(0), variables);
    while (next instanceof J.MethodInvocation call) {
      if (call.getSimpleName().equals("from")) {
        return Optional.of(new InformerSource(call.getArguments().get(0), options, variables));
      }
      options.add(0, call);
      Expression select = call.getSelect();
      if (select == null) {
        return Optional.empty();
      }
      next = resolve(select, variables);
    }
    return Optional.empty();
  }

  /**
   * Returns the value of a variable if the expression is the name of one of the given variables.
   * Otherwise, returns the expression itself.
   */
  static Expression resolve(Expression expression, Map<String, Expression> variables) {
    Expression value =
        expression instanceof J.Identifier name ? variables.get(name.getSimpleName()) : null;
    return value == null ? expression : value;
  }
}
