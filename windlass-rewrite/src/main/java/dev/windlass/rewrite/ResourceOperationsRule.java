// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.TypeUtils;

/**
 * Converts writes with {@code context.resourceOperations()} of the Java Operator SDK, and calls to
 * {@code addOwnerReference}. In the converted code, the owner of an object becomes its controller,
 * because Windlass's {@code owns(...)} reconciles only the owner that is the controller of a
 * changed object.
 */
final class ResourceOperationsRule implements Rule {

  private static final Map<String, String> CALLS =
      Map.of(
          "serverSideApply", "client().apply",
          "serverSideApplyPrimary", "client().apply",
          "serverSideApplyStatus", "client().status().apply",
          "serverSideApplyPrimaryStatus", "client().status().apply",
          "create", "client().create",
          "update", "client().update",
          "updatePrimary", "client().update",
          "updateStatus", "client().updateStatus",
          "updatePrimaryStatus", "client().updateStatus");

  @Override
  public @Nullable String convert(J node, Source source) {
    if (!(node instanceof J.MethodInvocation call) || call.getSelect() == null) {
      return null;
    }
    if (call.getSimpleName().equals("addOwnerReference")) {
      return addOwner(call, call.getSelect(), source);
    }
    boolean write =
        call.getSelect() instanceof J.MethodInvocation operations
            && operations.getSelect() != null
            && Sdk.is(operations.getType(), Sdk.RESOURCE_OPERATIONS)
            && call.getArguments().size() == 1
            && CALLS.containsKey(call.getSimpleName());
    return write ? write(call, (J.MethodInvocation) call.getSelect(), source) : null;
  }

  private static @Nullable String write(
      J.MethodInvocation call, J.MethodInvocation operations, Source source) {
    Expression context = operations.getSelect();
    if (context == null) {
      return null;
    }
    String receiver = source.text(context);
    Expression object = call.getArguments().get(0);
    Optional<String> owner =
        ReconcileMethod.around(source.cursor())
            .map(ReconcileMethod::primary)
            .filter(primary -> !primary.isEmpty());
    if (call.getSimpleName().equals("serverSideApply")
        && owner.isPresent()
        && isOwned(object, source)) {
      String applied =
          "%s.apply(%s.client(), %s, %s)"
              .formatted(source.name(Windlass.OWNED), receiver, owner.get(), source.text(object));
      boolean isStatement = source.cursor().getParentTreeCursor().getValue() instanceof J.Block;
      return isStatement ? applied : applied + ".object()";
    }
    if (call.getSimpleName().equals("serverSideApply")
        && source.reconciler().filter(EventSources::areUnknown).isPresent()) {
      source.todo("use Owned.apply if owns(...) watches this type", Heading.EVENT_SOURCES);
    }
    return "%s.%s(%s)".formatted(receiver, CALLS.get(call.getSimpleName()), source.text(object));
  }

  private static boolean isOwned(Expression object, Source source) {
    return source.reconciler().flatMap(EventSources::of).stream()
        .flatMap(sources -> sources.informers().stream())
        .anyMatch(
            informer ->
                informer.isByOwner() && TypeUtils.isOfType(informer.type(), object.getType()));
  }

  private static @Nullable String addOwner(
      J.MethodInvocation call, Expression object, Source source) {
    boolean ownedByThePrimary =
        source.cursor().getParentTreeCursor().getValue() instanceof J.Block
            && call.getArguments().size() == 1
            && TypeUtils.isAssignableTo(
                Windlass.HAS_METADATA, call.getArguments().get(0).getType());
    return ownedByThePrimary
        ? "%s.setController(%s, %s)"
            .formatted(
                source.name(Windlass.OWNER_REFERENCES),
                source.text(object),
                source.text(call.getArguments().get(0)))
        : null;
  }
}
