// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.TypeTree;

/**
 * Leaves subclasses of the Java Operator SDK's types unchanged, such as dependent resources, and
 * adds a {@code TODO} comment above them. The methods of these classes override methods of the SDK,
 * so their signatures must not change. This rule does not apply to reconcilers.
 */
final class SdkSubclassRule implements Rule {

  @Override
  public @Nullable String convert(J node, Source source) {
    if (!(node instanceof J.ClassDeclaration type)) {
      return null;
    }
    List<TypeTree> parents = new ArrayList<>();
    if (type.getExtends() != null) {
      parents.add(type.getExtends());
    }
    if (type.getImplements() != null) {
      parents.addAll(type.getImplements());
    }
    List<TypeTree> ofTheSdk =
        parents.stream()
            .filter(it -> Sdk.owns(it.getType()) && !Sdk.isReconciling(it.getType()))
            .toList();
    if (ofTheSdk.isEmpty() || Sdk.isReconciler(type)) {
      return null;
    }
    source.todo(
        "convert %s, a %s".formatted(type.getSimpleName(), Todo.quoted(ofTheSdk.get(0))),
        LeftoverRule.heading(ofTheSdk.get(0).getType()));
    return source.verbatim(type);
  }
}
