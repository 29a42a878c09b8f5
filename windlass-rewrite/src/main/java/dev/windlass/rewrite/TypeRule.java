// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;

/**
 * Converts the types of the Java Operator SDK that have an equivalent in Windlass, for example in
 * declarations of parameters and variables.
 */
final class TypeRule implements Rule {

  @Override
  public @Nullable String convert(J node, Source source) {
    if (node instanceof J.ParameterizedType type) {
      return counterpart(type.getType(), source);
    }
    return node instanceof J.Identifier name && isTypeName(name)
        ? counterpart(name.getType(), source)
        : null;
  }

  /** Returns whether an identifier is the name of a type, and not the name of a variable. */
  static boolean isTypeName(J.Identifier name) {
    return name.getFieldType() == null
        && name.getType() instanceof JavaType.FullyQualified type
        && type.getClassName().endsWith(name.getSimpleName());
  }

  private static @Nullable String counterpart(@Nullable JavaType type, Source source) {
    if (Sdk.isControl(type)) {
      return source.name(Windlass.RESULT);
    }
    return Sdk.is(type, Sdk.CONTEXT) ? source.name(Windlass.RECONCILE_CONTEXT) : null;
  }
}
