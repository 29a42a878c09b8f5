// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeUtils;

/**
 * An {@code InformerEventSource} of the Java Operator SDK with its configuration.
 *
 * @param watched the class literal of the watched type
 * @param options the calls to the configuration's builder, in order
 * @param variables the local variables that the options can refer to
 */
record InformerSource(
    Expression watched, List<J.MethodInvocation> options, Map<String, Expression> variables) {

  static final String TO_PRIMARY = "withSecondaryToPrimaryMapper";
  static final String TO_SECONDARY = "withPrimaryToSecondaryMapper";

  private static final Set<String> OWNER_MAPPERS = Set.of("fromOwnerReferences", "fromOwnerType");

  /** The options that have no meaning outside the SDK, or that specify a default. */
  private static final Set<String> NEEDLESS =
      Set.of("withName", "withNamespacesInheritedFromController", "build");

  /** Returns the watched type. */
  @Nullable JavaType type() {
    return classOf(watched);
  }

  /** Returns whether the informer watches the type that a class literal specifies. */
  boolean isOf(Expression literal) {
    return TypeUtils.isOfType(type(), classOf(literal));
  }

  /**
   * Returns whether the informer uses the owner references of a secondary resource to find the
   * primary resource.
   */
  boolean isByOwner() {
    return option(TO_SECONDARY).isEmpty()
        && option(TO_PRIMARY).map(InformerSource::isOwnerMapper).orElse(true);
  }

  /** Returns the first argument of an option, or empty if the option is not set. */
  Optional<Expression> option(String name) {
    return options.stream()
        .filter(call -> call.getSimpleName().equals(name))
        .findFirst()
        .map(call -> EventSources.resolve(call.getArguments().get(0), variables));
  }

  /** Returns the calls to the controller's builder that replace this event source. */
  String text(Source source, String newLine) {
    StringBuilder text = new StringBuilder();
    options.stream()
        .filter(call -> !isConverted(call))
        .forEach(
            call ->
                text.append(newLine)
                    .append(
                        Todo.line(
                            "convert %s of %s".formatted(option(call), Todo.quoted(watched)),
                            Heading.EVENT_SOURCES)));
    return text.append(newLine).append(watch(source, newLine)).toString();
  }

  private String watch(Source source, String newLine) {
    String type = scoped(source);
    Optional<Expression> toSecondary = option(TO_SECONDARY);
    if (toSecondary.isPresent()) {
      return ".watchesReferenced(%s, %s)".formatted(type, source.text(toSecondary.get()));
    }
    if (isByOwner()) {
      return ".owns(" + type + ")";
    }
    Expression mapper = option(TO_PRIMARY).orElseThrow();
    if (mapper instanceof J.Lambda || mapper instanceof J.MemberReference) {
      String argument = newLine + source.step() + source.step();
      return ".watches(%s%s,%s%s.mapping(%s))"
          .formatted(
              argument, type, argument, source.name(Windlass.EVENT_HANDLER), source.text(mapper));
    }
    return Todo.line(
        "watch %s, mapped by %s".formatted(Todo.quoted(watched), Todo.quoted(mapper)),
        Heading.EVENT_SOURCES);
  }

  private String scoped(Source source) {
    String type = source.text(watched);
    return option("withLabelSelector")
        .map(
            selector ->
                "%s.of(%s).in(%s.ALL.withLabels(%s))"
                    .formatted(
                        source.name(Windlass.INFORMER_SPEC),
                        type,
                        source.name(Windlass.WATCH_SCOPE),
                        source.text(selector)))
        .orElse(type);
  }

  private static boolean isConverted(J.MethodInvocation call) {
    String name = call.getSimpleName();
    return NEEDLESS.contains(name)
        || Set.of("withLabelSelector", TO_PRIMARY, TO_SECONDARY).contains(name);
  }

  private static String option(J.MethodInvocation call) {
    return call.getSimpleName()
        + call.getArguments().stream()
            .map(Todo::quoted)
            .collect(Collectors.joining(", ", "(", ")"));
  }

  private static boolean isOwnerMapper(Expression mapper) {
    return mapper instanceof J.MethodInvocation call
        && call.getMethodType() != null
        && Sdk.is(call.getMethodType().getDeclaringType(), Sdk.MAPPERS)
        && OWNER_MAPPERS.contains(call.getSimpleName());
  }

  /** Returns the type that a class literal names; null for any other expression. */
  static @Nullable JavaType classOf(Expression literal) {
    return literal instanceof J.FieldAccess access ? access.getTarget().getType() : null;
  }
}
