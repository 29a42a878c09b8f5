// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** The JUnit extension that implements {@link EmbeddedKubernetes} and {@link RealKubernetes}. */
public final class KubernetesExtension implements BeforeEachCallback, ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(KubernetesExtension.class);

  /** Creates the extension. JUnit calls this constructor. */
  public KubernetesExtension() {}

  @Override
  public void beforeEach(ExtensionContext context) throws IllegalAccessException {
    TestResources resources = resources(context);
    Object test = context.getRequiredTestInstance();
    for (Class<?> type = test.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (!Modifier.isStatic(modifiers)
            && !Modifier.isFinal(modifiers)
            && resources.supports(field.getType())) {
          field.setAccessible(true); // fields of tests are usually private
          field.set(test, resources.get(field.getType()));
        }
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return context.getTestMethod().isPresent()
        && resources(context).supports(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return resources(context).get(parameter.getParameter().getType());
  }

  /** Returns the resources of a test. They are closed together with the test's context. */
  private static TestResources resources(ExtensionContext context) {
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(context.getUniqueId(), id -> open(context), TestResources.class);
  }

  private static TestResources open(ExtensionContext context) {
    Class<?> test = context.getRequiredTestClass();
    var embedded = AnnotationSupport.findAnnotation(test, EmbeddedKubernetes.class);
    if (embedded.isPresent()) {
      return TestResources.embedded(embedded.get(), context);
    }
    RealKubernetes real =
        AnnotationSupport.findAnnotation(test, RealKubernetes.class)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        test.getName() + " needs @EmbeddedKubernetes or @RealKubernetes"));
    return TestResources.real(real, context);
  }
}
