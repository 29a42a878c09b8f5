// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeUtils;

/**
 * Adds a {@code TODO} comment above code that uses the Java Operator SDK and that no other rule has
 * converted. This rule does not convert code. The printer applies it after all other rules.
 */
final class LeftoverRule implements Rule {

  @Override
  public @Nullable String convert(J node, Source source) {
    if (node instanceof J.Identifier name
        && TypeRule.isTypeName(name)
        && Sdk.owns(name.getType())) {
      source.todo("convert " + name.getSimpleName(), heading(name.getType()));
    }
    if (node instanceof J.MethodInvocation call
        && call.getSelect() != null
        && call.getMethodType() != null
        && Sdk.owns(call.getMethodType().getDeclaringType())
        && !isSelect(call, source)
        && !(call.getSelect() instanceof J.Identifier type && TypeRule.isTypeName(type))) {
      source.todo("convert " + Todo.quoted(call), heading(call.getSelect().getType()));
    }
    return null;
  }

  /**
   * Returns whether another method of the SDK is called on the result of a call. In a chain of
   * calls, the rule reports only the last one.
   */
  private static boolean isSelect(J.MethodInvocation call, Source source) {
    return source.cursor().getParentTreeCursor().getValue() instanceof J.MethodInvocation outer
        && outer.getSelect() != null
        && outer.getSelect().getId().equals(call.getId())
        && outer.getMethodType() != null
        && Sdk.owns(outer.getMethodType().getDeclaringType());
  }

  /** Returns the heading of the migration guide that covers a type of the SDK. */
  static Heading heading(@Nullable JavaType type) {
    JavaType.FullyQualified qualified = TypeUtils.asFullyQualified(type);
    String name = qualified == null ? "" : qualified.getFullyQualifiedName();
    if (name.contains("ependent") || name.contains("orkflow")) {
      return Heading.DEPENDENTS;
    }
    if (name.contains("EventSource") || name.contains(".event.source.")) {
      return Heading.EVENT_SOURCES;
    }
    if (name.contains(".retry.") || name.contains(".rate.") || name.contains("Error")) {
      return Heading.ERRORS;
    }
    if (name.contains(".junit.")) {
      return Heading.TESTS;
    }
    boolean ofTheProgram = name.equals(Sdk.OPERATOR) || name.contains(".api.config.");
    return ofTheProgram ? Heading.OPERATOR : Heading.RECONCILER;
  }
}
