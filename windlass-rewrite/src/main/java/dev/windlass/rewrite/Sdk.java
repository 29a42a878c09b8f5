// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;

/** The types of the Java Operator SDK that the rules convert. */
final class Sdk {

  /** The prefix of all packages of the SDK. */
  static final String ROOT = "io.javaoperatorsdk.";

  private static final String API = ROOT + "operator.api.reconciler.";
  private static final String PROCESSING = ROOT + "operator.processing.";

  static final String RECONCILER = API + "Reconciler";
  static final String CLEANER = API + "Cleaner";
  static final String CONTEXT = API + "Context";
  static final String RESOURCE_OPERATIONS = API + "ResourceOperations";
  static final String UPDATE_CONTROL = API + "UpdateControl";
  static final String DELETE_CONTROL = API + "DeleteControl";
  static final String ERROR_CONTROL = API + "ErrorStatusUpdateControl";
  static final String BASE_CONTROL = API + "BaseControl";
  static final String CONTROLLER_CONFIGURATION = API + "ControllerConfiguration";
  static final String WORKFLOW = API + "Workflow";
  static final String OPERATOR = ROOT + "operator.Operator";
  static final String OVERRIDER = ROOT + "operator.api.config.ConfigurationServiceOverrider";
  static final String LEADER_BUILDER =
      ROOT + "operator.api.config.LeaderElectionConfigurationBuilder";
  static final String LEADER_CONFIGURATION =
      ROOT + "operator.api.config.LeaderElectionConfiguration";
  static final String RESOURCE_ID = PROCESSING + "event.ResourceID";
  static final String INFORMER_SOURCE = PROCESSING + "event.source.informer.InformerEventSource";
  static final String INFORMER_CONFIGURATION =
      ROOT + "operator.api.config.informer.InformerEventSourceConfiguration";
  static final String MAPPERS = PROCESSING + "event.source.informer.Mappers";

  private static final Set<String> CONTROLS =
      Set.of(UPDATE_CONTROL, DELETE_CONTROL, ERROR_CONTROL, BASE_CONTROL);

  private Sdk() {}

  /** Returns whether a type is the given class or interface, regardless of type arguments. */
  static boolean is(@Nullable JavaType type, String name) {
    return TypeUtils.isOfClassType(type, name);
  }

  /** Returns whether a type belongs to the SDK. */
  static boolean owns(@Nullable JavaType type) {
    JavaType.FullyQualified qualified = TypeUtils.asFullyQualified(type);
    return qualified != null && qualified.getFullyQualifiedName().startsWith(ROOT);
  }

  /**
   * Returns whether a type is one of the SDK's control types, which the methods of a reconciler
   * return.
   */
  static boolean isControl(@Nullable JavaType type) {
    JavaType.FullyQualified qualified = TypeUtils.asFullyQualified(type);
    return qualified != null && CONTROLS.contains(qualified.getFullyQualifiedName());
  }

  /** Returns whether a type is {@code Reconciler} or {@code Cleaner}. */
  static boolean isReconciling(@Nullable JavaType type) {
    return is(type, RECONCILER) || is(type, CLEANER);
  }

  /** Returns whether a class implements {@code Reconciler} directly. */
  static boolean isReconciler(J.@Nullable ClassDeclaration type) {
    return type != null && implemented(type, RECONCILER).isPresent();
  }

  /**
   * Returns the given interface, as it appears in the header of a class. Returns empty if the class
   * does not implement it directly.
   */
  static Optional<TypeTree> implemented(J.ClassDeclaration type, String name) {
    return type.getImplements() == null
        ? Optional.empty()
        : type.getImplements().stream().filter(tree -> is(tree.getType(), name)).findFirst();
  }
}
