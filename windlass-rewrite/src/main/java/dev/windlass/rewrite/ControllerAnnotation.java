// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;

/**
 * The settings in the Java Operator SDK's annotation {@code @ControllerConfiguration} and in its
 * nested annotation {@code @Informer}.
 *
 * @param controller the settings of the controller, keyed by name
 * @param informer the settings of the informer of the primary type, keyed by name
 */
record ControllerAnnotation(Map<String, Expression> controller, Map<String, Expression> informer) {

  /** How an interval without a limit ends. */
  static final String NEVER = ".ZERO";

  /** Returns the settings of a reconciler. They are empty if the reconciler has no annotation. */
  static ControllerAnnotation of(J.ClassDeclaration reconciler) {
    Map<String, Expression> controller =
        reconciler.getLeadingAnnotations().stream()
            .filter(it -> Sdk.is(it.getType(), Sdk.CONTROLLER_CONFIGURATION))
            .findFirst()
            .map(ControllerAnnotation::settings)
            .orElse(Map.of());
    Map<String, Expression> informer =
        controller.get("informer") instanceof J.Annotation nested ? settings(nested) : Map.of();
    return new ControllerAnnotation(controller, informer);
  }

  /**
   * Returns an expression for the controller's name. The default is the reconciler's class name in
   * lower case.
   */
  String name(J.ClassDeclaration reconciler, Source source) {
    Expression name = controller.get("name");
    return name != null
        ? source.text(name)
        : '"' + reconciler.getSimpleName().toLowerCase(Locale.ROOT) + '"';
  }

  /**
   * Returns an expression for the name of the finalizer. The default is the name that the SDK
   * derives from the primary type.
   */
  String finalizer(String primary, Source source) {
    Expression name = controller.get("finalizerName");
    return name != null
        ? source.text(name)
        : "%s.getFullResourceName(%s.class) + \"/finalizer\""
            .formatted(source.name(Windlass.HAS_METADATA), primary);
  }

  /** Returns whether the SDK ignores events for objects whose generation has not changed. */
  boolean isGenerationAware() {
    return !(controller.get("generationAwareEventProcessing") instanceof J.Literal literal)
        || !Boolean.FALSE.equals(literal.getValue());
  }

  /**
   * Returns the builder call that restricts the controller to certain namespaces. Returns empty if
   * the controller is not restricted, or if a constant of the SDK specifies the namespaces.
   */
  Optional<String> namespaces(Source source) {
    return names()
        .filter(names -> !names.isEmpty())
        .map(names -> names.stream().map(source::text).toList())
        .map(names -> ".inNamespaces(" + String.join(", ", names) + ")");
  }

  /**
   * Returns an expression for the maximum interval between two reconciles of an object, or empty if
   * it is not set. The expression ends with {@link #NEVER} if there is no maximum.
   */
  Optional<String> interval(Source source) {
    if (!(controller.get("maxReconciliationInterval") instanceof J.Annotation nested)) {
      return Optional.empty();
    }
    Map<String, Expression> settings = settings(nested);
    Expression amount = settings.getOrDefault("interval", settings.get("value"));
    Expression unit = settings.get("timeUnit");
    if (amount == null) {
      return Optional.empty();
    }
    if (Todo.quoted(amount).matches("-.*|0")) {
      return Optional.of(source.name(Windlass.DURATION) + NEVER);
    }
    return Optional.of(
        unit == null
            ? source.name(Windlass.DURATION) + ".ofHours(" + source.text(amount) + ")"
            : Requeue.duration(amount, unit, source));
  }

  /** Returns {@code TODO} comments for the settings that have no equivalent in the builder. */
  List<String> todos() {
    List<String> todos = new ArrayList<>();
    controller.forEach(
        (name, value) -> {
          switch (name) {
            case "name",
                "informer",
                "finalizerName",
                "generationAwareEventProcessing",
                "maxReconciliationInterval" -> {}
            default -> todos.add(setting(name, value, heading(name)));
          }
        });
    informer.forEach(
        (name, value) -> {
          boolean converted =
              name.equals("labelSelector") || (name.equals("namespaces") && names().isPresent());
          if (!converted) {
            todos.add(setting(name, value, Heading.EVENT_SOURCES));
          }
        });
    return todos;
  }

  private static String setting(String name, Expression value, Heading heading) {
    return Todo.line("convert " + name + " = " + Todo.quoted(value), heading);
  }

  private static Heading heading(String name) {
    return switch (name) {
      case "retry", "rateLimiter" -> Heading.ERRORS;
      case "fieldManager" -> Heading.NAMES;
      default -> Heading.RECONCILER;
    };
  }

  /** Returns the namespaces, or empty if a constant of the SDK specifies them. */
  private Optional<List<Expression>> names() {
    Expression value = informer.get("namespaces");
    List<Expression> names = value == null ? List.of() : elements(value);
    boolean plain = names.stream().noneMatch(ControllerAnnotation::isConstantOfTheSdk);
    return plain ? Optional.of(names) : Optional.empty();
  }

  private static boolean isConstantOfTheSdk(Expression name) {
    String text = Todo.quoted(name);
    return text.contains("WATCH_") || text.contains("JOSDK_");
  }

  private static List<Expression> elements(@Nullable Expression value) {
    if (value instanceof J.NewArray array && array.getInitializer() != null) {
      return array.getInitializer().stream().filter(it -> !(it instanceof J.Empty)).toList();
    }
    return value == null ? List.of() : List.of(value);
  }

  private static Map<String, Expression> settings(J.Annotation annotation) {
    Map<String, Expression> settings = new LinkedHashMap<>();
    if (annotation.getArguments() != null) {
      for (Expression argument : annotation.getArguments()) {
        if (argument instanceof J.Assignment assignment) {
          settings.put(Todo.quoted(assignment.getVariable()), assignment.getAssignment());
        } else if (!(argument instanceof J.Empty)) {
          settings.put("value", argument);
        }
      }
    }
    return settings;
  }
}
