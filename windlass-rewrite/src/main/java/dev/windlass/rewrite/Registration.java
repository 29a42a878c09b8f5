// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;

/**
 * Creates the method {@code register}, which replaces the annotations and the event sources of a
 * reconciler.
 */
final class Registration {

  /**
   * The comment about objects that exist already. The SDK does not make the owner of an object its
   * controller, so Windlass would reject the objects of an operator that the program replaces.
   */
  private static final String ADOPT =
      Todo.line(
          "to replace a running operator, call Owned.adopt for its objects", Heading.TAKEOVER);

  /**
   * The types whose objects have no generation: the SDK accepts every event of them, and {@code
   * register} rejects a filter by their generation.
   */
  private static final Pattern WITHOUT_GENERATION =
      Pattern.compile(
          "io\\.fabric8\\.kubernetes\\.api\\.model\\.(([a-z0-9]+\\.)*)"
              + "(CertificateSigningRequest|ClusterRole|ClusterRoleBinding|ConfigMap"
              + "|ControllerRevision|Endpoints|Event|Lease|LimitRange|Namespace|Node"
              + "|PersistentVolume|PersistentVolumeClaim|ResourceQuota|Role|RoleBinding|RuntimeClass"
              + "|Secret|Service|ServiceAccount|StorageClass)");

  private final J.ClassDeclaration reconciler;
  private final ControllerAnnotation annotation;
  private final Source source;
  private final String primary;
  private final @Nullable JavaType primaryType;
  private final String indent;

  Registration(J.ClassDeclaration reconciler, Source source) {
    this.reconciler = reconciler;
    this.annotation = ControllerAnnotation.of(reconciler);
    this.source = source;
    this.indent = source.indent();
    Optional<Expression> type =
        Sdk.implemented(reconciler, Sdk.RECONCILER)
            .filter(J.ParameterizedType.class::isInstance)
            .map(it -> ((J.ParameterizedType) it).getTypeParameters())
            .filter(it -> it != null && !it.isEmpty())
            .map(it -> it.get(0));
    this.primaryType = type.map(Expression::getType).orElse(null);
    this.primary = type.map(source::text).orElse("HasMetadata");
  }

  /**
   * Returns the text of the method. If the reconciler uses fabric8's client, the text begins with
   * the declaration of a field for this client. The method sets this field.
   */
  String text() {
    String body = indent + source.step();
    String next = "\n" + body + source.step() + source.step();
    boolean usesClient = !Search.calls(reconciler, Sdk.CONTEXT, "getClient").isEmpty();
    StringBuilder text = new StringBuilder();
    if (usesClient) {
      text.append(
          "private %s %s;\n\n%s"
              .formatted(
                  source.name(Windlass.KUBERNETES_CLIENT), ContextRule.CLIENT_FIELD, indent));
    }
    text.append("/** Registers the controller with a manager. */\n")
        .append(
            "%spublic void register(%s manager) {\n"
                .formatted(indent, source.name(Windlass.MANAGER)));
    if (usesClient) {
      text.append("%s%s = manager.kubernetesClient();\n".formatted(body, ContextRule.CLIENT_FIELD));
    }
    text.append(body).append(forType(next));
    calls(next).forEach(call -> text.append(call.startsWith("\n") ? call : next + call));
    return text.append(";\n").append(indent).append("}").toString();
  }

  private String forType(String next) {
    String apart = ", ";
    String type = primary + ".class";
    Expression labels = annotation.informer().get("labelSelector");
    if (labels != null) {
      apart = "," + next + source.step() + source.step();
      type =
          apart.substring(1)
              + "%s.of(%s).in(%s.ALL.withLabels(%s))"
                  .formatted(
                      source.name(Windlass.INFORMER_SPEC),
                      type,
                      source.name(Windlass.WATCH_SCOPE),
                      source.text(labels));
    }
    if (annotation.isGenerationAware() && hasGeneration()) {
      type += apart + source.name(Windlass.EVENT_PREDICATE) + ".generationChanged()";
    }
    return source.name(Windlass.CONTROLLER_BUILDER) + ".forType(" + type + ")";
  }

  private boolean hasGeneration() {
    JavaType.FullyQualified type = TypeUtils.asFullyQualified(primaryType);
    return type == null || !WITHOUT_GENERATION.matcher(type.getFullyQualifiedName()).matches();
  }

  /** Returns a comment about the defaults that differ from the SDK's, unless the code sets them. */
  private String defaults() {
    boolean setsRetry =
        annotation.controller().containsKey("retry")
            || reconciler.getLeadingAnnotations().stream()
                .anyMatch(it -> it.getSimpleName().equals("GradualRetry"));
    String workers = "decide on maxConcurrentReconciles(...), 1 instead of 50 for all controllers";
    return Todo.line(
        setsRetry ? workers : workers + ", and maxRetries(...), unlimited instead of 5",
        Heading.ERRORS);
  }

  private List<String> calls(String next) {
    List<String> calls = new ArrayList<>(annotation.todos());
    calls.add(".named(" + annotation.name(reconciler, source) + ")");
    annotation.namespaces(source).ifPresent(calls::add);
    annotation.interval(source).ifPresent(it -> calls.add(".resync(" + it + ")"));
    Optional<EventSources> sources = EventSources.of(reconciler);
    sources.ifPresent(
        it -> {
          it.informers().forEach(informer -> calls.add(informer.text(source, next)));
          if (it.informers().stream().anyMatch(InformerSource::isByOwner)) {
            calls.add(ADOPT);
          }
          it.others().forEach(other -> calls.add(Todo.convert(other, Heading.EVENT_SOURCES)));
        });
    Optional<TypeTree> cleaner = Sdk.implemented(reconciler, Sdk.CLEANER);
    if (cleaner.isPresent()) {
      calls.add(".finalizer(" + annotation.finalizer(primary, source) + ", this::cleanup)");
    }
    if (declares("updateErrorStatus")) {
      calls.add(".onError(this::updateErrorStatus)");
    }
    calls.add(defaults());
    calls.add(".objectReconciler(this::reconcile)");
    calls.add(".register(manager)");
    return calls;
  }

  private boolean declares(String method) {
    return reconciler.getBody().getStatements().stream()
        .anyMatch(it -> it instanceof J.MethodDeclaration m && m.getSimpleName().equals(method));
  }
}
