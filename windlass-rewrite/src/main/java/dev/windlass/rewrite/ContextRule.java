// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeUtils;

/**
 * Converts calls to methods of the Java Operator SDK's {@code Context}. Calls to its {@code
 * resourceOperations()} are converted by {@link ResourceOperationsRule}.
 */
final class ContextRule implements Rule {

  /** The name of the field to which {@link Registration} assigns fabric8's client. */
  static final String CLIENT_FIELD = "kubernetesClient";

  @Override
  public @Nullable String convert(J node, Source source) {
    if (!(node instanceof J.MethodInvocation call)
        || call.getSelect() == null
        || !Sdk.is(call.getSelect().getType(), Sdk.CONTEXT)) {
      return null;
    }
    if (call.getSimpleName().startsWith("getSecondary") && !isInCluster(call)) {
      source.todo(
          "read %s where your code keeps it".formatted(Todo.quoted(call.getArguments().get(0))),
          Heading.EVENT_SOURCES);
      return source.withConvertedChildren(call);
    }
    return switch (call.getSimpleName()) {
      case "getClient" -> hasClientField(source) ? CLIENT_FIELD : null;
      case "getSecondaryResource" -> secondaries(call, "secondary", source);
      case "getSecondaryResources" -> set(call, secondaries(call, "secondaries", source), source);
      case "getSecondaryResourcesAsStream" -> stream(secondaries(call, "secondaries", source));
      case "getPrimaryResource" -> primary(source);
      default -> null;
    };
  }

  private static @Nullable String primary(Source source) {
    return ReconcileMethod.around(source.cursor())
        .map(ReconcileMethod::primary)
        .filter(name -> !name.isEmpty())
        .orElse(null);
  }

  /** Returns whether the code at the current node can access {@link #CLIENT_FIELD}. */
  private static boolean hasClientField(Source source) {
    J.MethodDeclaration method = source.cursor().firstEnclosing(J.MethodDeclaration.class);
    return source.reconciler().isPresent()
        && method != null
        && !method.hasModifier(J.Modifier.Type.Static);
  }

  private static @Nullable String secondaries(
      J.MethodInvocation call, String method, Source source) {
    Expression select = call.getSelect();
    if (select == null || call.getArguments().size() != 1) {
      return null;
    }
    Expression type = call.getArguments().get(0);
    missingWatch(type, source)
        .ifPresent(what -> source.todo(what.formatted(Todo.quoted(type)), Heading.RECONCILER));
    return "%s.%s(%s)".formatted(source.text(select), method, source.text(type));
  }

  /**
   * Returns whether a call reads objects of Kubernetes, as far as it is known, and not what an
   * event source has polled from another system.
   */
  private static boolean isInCluster(J.MethodInvocation call) {
    JavaType type = InformerSource.classOf(call.getArguments().get(0));
    return type == null || TypeUtils.isAssignableTo(Windlass.HAS_METADATA, type);
  }

  /**
   * Returns what a person has to change so that a read of secondaries returns the same objects.
   * Windlass returns only objects of types that {@code owns(...)} watches. The result is empty if
   * nothing has to be changed, or if the reconciler is unknown.
   */
  private static Optional<String> missingWatch(Expression type, Source source) {
    if (source.reconciler().isEmpty()) {
      return Optional.empty();
    }
    List<InformerSource> watches =
        source.reconciler().flatMap(EventSources::of).stream()
            .flatMap(sources -> sources.informers().stream())
            .filter(informer -> informer.isOf(type))
            .toList();
    boolean owned = watches.stream().anyMatch(InformerSource::isByOwner);
    if (watches.isEmpty()) {
      return Optional.of("call owns(%1$s) in register(...), or read %1$s with client()");
    }
    if (!owned) {
      return Optional.of("read %s with client().list(...), because owns(...) does not watch it");
    }
    return watches.stream().allMatch(InformerSource::isByOwner)
        ? Optional.empty()
        : Optional.of(
            "secondaries(%s) returns only controlled objects; read the referenced ones with"
                + " client().get(...)");
  }

  /**
   * Returns an expression that replaces a call to a method of the SDK that returns a set. The
   * equivalent method of Windlass returns a list. If the code only iterates over the result or
   * calls one of its methods, the list is sufficient. Otherwise, the expression copies the list to
   * a set.
   */
  private static @Nullable String set(
      J.MethodInvocation call, @Nullable String list, Source source) {
    J parent = source.cursor().getParentTreeCursor().getValue();
    boolean anyCollection =
        (parent instanceof J.MethodInvocation outer
                && outer.getSelect() != null
                && outer.getSelect().getId().equals(call.getId()))
            || parent instanceof J.ForEachLoop
            || parent instanceof J.ForEachLoop.Control;
    if (list == null || anyCollection) {
      return list;
    }
    return source.name("java.util.Set") + ".copyOf(" + list + ")";
  }

  private static @Nullable String stream(@Nullable String list) {
    return list == null ? null : list + ".stream()";
  }
}
