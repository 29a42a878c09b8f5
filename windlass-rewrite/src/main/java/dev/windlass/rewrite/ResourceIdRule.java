// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;

/**
 * Converts the {@code ResourceID} of the Java Operator SDK. In a mapper from primary to secondary
 * resources, and in a method to which such a mapper refers, a {@code ResourceID} becomes an {@code
 * ObjectKey}. In other code, it becomes a {@code Request}.
 */
final class ResourceIdRule implements Rule {

  @Override
  public @Nullable String convert(J node, Source source) {
    if (node instanceof J.NewClass created && Sdk.is(created.getType(), Sdk.RESOURCE_ID)) {
      return created(created.getArguments(), source);
    }
    if (node instanceof J.Identifier name
        && TypeRule.isTypeName(name)
        && Sdk.is(name.getType(), Sdk.RESOURCE_ID)) {
      return source.name(target(source));
    }
    return node instanceof J.MethodInvocation call && call.getSelect() != null
        ? call(call, call.getSelect(), source)
        : null;
  }

  /**
   * Returns the expression that replaces a constructor call. The SDK's constructor expects the name
   * before the namespace, whereas Windlass expects the namespace first.
   */
  private static String created(List<Expression> arguments, Source source) {
    String name = source.text(arguments.get(0));
    String type = source.name(target(source));
    return arguments.size() == 1
        ? "%s.of(\"\", %s)".formatted(type, name)
        : "%s.of(%s, %s)".formatted(type, source.text(arguments.get(1)), name);
  }

  private static @Nullable String call(J.MethodInvocation call, Expression select, Source source) {
    if (!Sdk.is(select.getType(), Sdk.RESOURCE_ID)) {
      return null;
    }
    return switch (call.getSimpleName()) {
      case "fromResource" -> {
        String key =
            "%s.of(%s)"
                .formatted(
                    source.name(Windlass.OBJECT_KEY), source.text(call.getArguments().get(0)));
        boolean isKey = target(source).equals(Windlass.OBJECT_KEY);
        yield isKey ? key : "new %s(%s)".formatted(source.name(Windlass.REQUEST), key);
      }
      case "getName" -> source.text(select) + ".name()";
      default -> null;
    };
  }

  /** Returns the type that replaces {@code ResourceID} at the current node. */
  private static String target(Source source) {
    J.ClassDeclaration type = source.cursor().firstEnclosing(J.ClassDeclaration.class);
    if (type == null) {
      return Windlass.REQUEST;
    }
    boolean ofSecondary =
        Search.calls(type, Sdk.INFORMER_CONFIGURATION + "$Builder", InformerSource.TO_SECONDARY)
            .stream()
            .map(call -> call.getArguments().get(0))
            .anyMatch(mapper -> isIn(mapper, source));
    return ofSecondary ? Windlass.OBJECT_KEY : Windlass.REQUEST;
  }

  private static boolean isIn(Expression mapper, Source source) {
    J.MethodDeclaration method = source.cursor().firstEnclosing(J.MethodDeclaration.class);
    boolean referred =
        method != null
            && mapper instanceof J.MemberReference reference
            && reference.getReference().getSimpleName().equals(method.getSimpleName());
    return referred
        || source
            .cursor()
            .getPathAsStream()
            .anyMatch(it -> it instanceof J inner && inner.getId().equals(mapper.getId()));
  }
}
