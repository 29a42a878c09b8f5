// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.java.tree.TypeTree;

/**
 * Converts a reconciler of the Java Operator SDK to a plain class. This rule removes the SDK's
 * interfaces and annotations, and adds a method {@code register}. The new method replaces {@code
 * prepareEventSources}. If there are no event sources that can be converted, the new method is
 * inserted after {@code reconcile}.
 */
final class ReconcilerRule implements Rule {

  @Override
  public @Nullable String convert(J node, Source source) {
    if (node instanceof J.ClassDeclaration type && Sdk.isReconciler(type)) {
      return header(type, source);
    }
    return node instanceof J.MethodDeclaration method
        ? source.reconciler().map(it -> method(method, it, source)).orElse(null)
        : null;
  }

  private static @Nullable String method(
      J.MethodDeclaration method, J.ClassDeclaration reconciler, Source source) {
    return switch (method.getSimpleName()) {
      case "reconcile" -> isOverride(method) ? reconcile(method, reconciler, source) : null;
      case "cleanup" -> isOverride(method) ? plain(method, source) : null;
      case "updateErrorStatus" ->
          errorPolicy(method, Sdk.implemented(reconciler, Sdk.CLEANER).isPresent(), source);
      case "prepareEventSources" -> eventSources(method, reconciler, source);
      default -> null;
    };
  }

  private static String header(J.ClassDeclaration type, Source source) {
    List<TypeTree> interfaces =
        type.getImplements() == null
            ? List.of()
            : type.getImplements().stream().filter(it -> !Sdk.isReconciling(it.getType())).toList();
    List<J.Annotation> annotations =
        type.getLeadingAnnotations().stream()
            .filter(it -> !Sdk.is(it.getType(), Sdk.CONTROLLER_CONFIGURATION))
            .toList();
    J.ClassDeclaration plain = type.withLeadingAnnotations(annotations);
    plain = plain.withImplements(interfaces.isEmpty() ? null : interfaces);
    return source.withConvertedChildren(plain).stripLeading();
  }

  private static boolean isOverride(J.MethodDeclaration method) {
    return ReconcileMethod.of(method).isPresent() && method.getParameters().size() == 2;
  }

  private static String reconcile(
      J.MethodDeclaration method, J.ClassDeclaration reconciler, Source source) {
    String text = plain(method, source);
    return EventSources.of(reconciler).isPresent()
        ? text
        : text + "\n\n" + source.indent() + new Registration(reconciler, source).text();
  }

  private static String eventSources(
      J.MethodDeclaration method, J.ClassDeclaration reconciler, Source source) {
    if (EventSources.of(reconciler).isPresent()) {
      return new Registration(reconciler, source).text();
    }
    source.todo("convert the event sources of this method", Heading.EVENT_SOURCES);
    return source.verbatim(withoutOverride(method)).stripLeading();
  }

  private static String plain(J.MethodDeclaration method, Source source) {
    return source.withConvertedChildren(withoutOverride(method)).stripLeading();
  }

  /**
   * Returns the converted text of the method {@code updateErrorStatus}, or null if the method
   * cannot be converted. In the converted method, the context is the last parameter. The clause
   * {@code throws Exception} is added if the method has no {@code throws} clause.
   *
   * @param cleansUp whether the reconciler has a clean-up
   */
  private static @Nullable String errorPolicy(
      J.MethodDeclaration method, boolean cleansUp, Source source) {
    List<Statement> parameters = method.getParameters();
    Optional<ReconcileMethod> names = ReconcileMethod.of(method);
    if (parameters.size() != 3 || names.isEmpty() || method.getBody() == null) {
      return null;
    }
    J.MethodDeclaration signature =
        withoutOverride(method)
            .withParameters(
                List.of(
                    parameters.get(0),
                    parameters.get(2).withPrefix(parameters.get(1).getPrefix()),
                    parameters.get(1).withPrefix(parameters.get(2).getPrefix())))
            .withBody(null);
    String text = source.withConvertedChildren(signature).strip();
    String clause = signature.getThrows() == null ? " throws Exception " : " ";
    String body = source.text(method.getBody());
    return text
        + clause
        + (cleansUp && !names.get().primary().isEmpty()
            ? exceptForCleanUps(body, names.get(), source)
            : body);
  }

  /** Returns the body of an error handler, which the SDK does not call for failed clean-ups. */
  private static String exceptForCleanUps(String body, ReconcileMethod names, Source source) {
    String inner = "\n" + source.indent() + source.step();
    return "{%sif (%s.isMarkedForDeletion()) {%s%sthrow %s;%s}%s"
        .formatted(
            inner, names.primary(), inner, source.step(), names.error(), inner, body.substring(1));
  }

  private static J.MethodDeclaration withoutOverride(J.MethodDeclaration method) {
    return method.withLeadingAnnotations(
        method.getLeadingAnnotations().stream()
            .filter(it -> !it.getSimpleName().equals("Override"))
            .toList());
  }
}
