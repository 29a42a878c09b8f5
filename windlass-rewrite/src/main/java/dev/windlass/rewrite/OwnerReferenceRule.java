// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.J;

/**
 * Adds a {@code TODO} comment above code that builds an owner reference without making the owner
 * the controller. The SDK finds the owner by such a reference, but Windlass's {@code owns(...)}
 * does not. This rule does not convert code.
 */
final class OwnerReferenceRule implements Rule {

  private static final String BUILDER = "io.fabric8.kubernetes.api.model.OwnerReferenceBuilder";
  private static final String REFERENCE = "io.fabric8.kubernetes.api.model.OwnerReference";

  /** The methods that add a reference. {@link ResourceOperationsRule} converts the third. */
  private static final Set<String> METHODS =
      Set.of("addNewOwnerReference", "withNewOwnerReference", "addOwnerReference");

  /** Returns whether a unit contains code that this rule may mark. */
  static boolean concerns(J.CompilationUnit unit) {
    return unit.getTypesInUse().getTypesInUse().stream()
            .anyMatch(type -> Sdk.is(type, BUILDER) || Sdk.is(type, REFERENCE))
        || unit.getTypesInUse().getUsedMethods().stream()
            .anyMatch(it -> METHODS.contains(it.getName()));
  }

  @Override
  public @Nullable String convert(J node, Source source) {
    boolean builds =
        (node instanceof J.NewClass created
                && (Sdk.is(created.getType(), BUILDER) || Sdk.is(created.getType(), REFERENCE)))
            || (node instanceof J.MethodInvocation call && METHODS.contains(call.getSimpleName()));
    if (builds && !setsController(source)) {
      source.todo(
          "set controller: true as OwnerReferences.setController does, because owns(...) ignores other owner references",
          Heading.DIFFERENCES);
    }
    return null;
  }

  /**
   * Returns whether the statement that contains the current node sets the field {@code controller}.
   */
  private static boolean setsController(Source source) {
    J.Block block = source.cursor().firstEnclosing(J.Block.class);
    return block != null
        && Search.calls(
                    block,
                    call ->
                        Set.of("withController", "setController").contains(call.getSimpleName()))
                .size()
            > 0;
  }
}
