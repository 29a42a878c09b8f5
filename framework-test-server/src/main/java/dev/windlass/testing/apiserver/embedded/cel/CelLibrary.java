// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.bundle.CelBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionBinding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Functions that Kubernetes adds to CEL. The names and types are those of {@code
 * k8s.io/apiserver/pkg/cel/library}.
 */
final class CelLibrary {
  static final List<CelLibrary> ALL =
      List.of(
          RegexFunctions.library(),
          UrlFunctions.library(),
          ListFunctions.library(),
          QuantityFunctions.library(),
          IpFunctions.library(),
          CidrFunctions.library(),
          FormatFunctions.library(),
          StringFormat.library());

  /** Computes the result of a function from its arguments. Implementations are stateless. */
  @FunctionalInterface
  interface Implementation {
    Object apply(Object[] arguments);
  }

  private final Map<String, List<CelOverloadDecl>> declarations = new LinkedHashMap<>();
  private final List<CelFunctionBinding> bindings = new ArrayList<>();

  /** Adds a function such as {@code isURL(string)}. */
  CelLibrary function(
      String name, CelType result, List<CelType> parameters, Implementation implementation) {
    return add(name, false, result, parameters, implementation);
  }

  /** Adds a function such as {@code <URL>.getHost()}, whose first parameter is the receiver. */
  CelLibrary method(
      String name, CelType result, List<CelType> parameters, Implementation implementation) {
    return add(name, true, result, parameters, implementation);
  }

  @SuppressWarnings("Immutable") // the lambda contains only a stateless implementation
  private CelLibrary add(
      String name,
      boolean method,
      CelType result,
      List<CelType> parameters,
      Implementation implementation) {
    StringBuilder id = new StringBuilder("kubernetes_").append(name);
    parameters.forEach(parameter -> id.append('_').append(parameter.name()));
    for (CelType parameter : parameters) {
      parameter.parameters().forEach(type -> id.append('_').append(type.name()));
    }
    CelOverloadDecl declaration =
        method
            ? CelOverloadDecl.newMemberOverload(id.toString(), result, parameters)
            : CelOverloadDecl.newGlobalOverload(id.toString(), result, parameters);
    declarations.computeIfAbsent(name, n -> new ArrayList<>()).add(declaration);
    List<Class<?>> classes = new ArrayList<>();
    parameters.forEach(parameter -> classes.add(JavaTypes.of(parameter)));
    bindings.add(
        CelFunctionBinding.from(id.toString(), classes, args -> implementation.apply(args)));
    return this;
  }

  void addTo(CelBuilder builder) {
    declarations.forEach(
        (name, overloads) ->
            builder.addFunctionDeclarations(
                CelFunctionDecl.newFunctionDeclaration(name, overloads)));
    builder.addFunctionBindings(bindings);
  }
}
