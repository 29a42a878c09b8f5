// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

import io.fabric8.kubernetes.client.CustomResource;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class a {@link dev.windlass.testing.apiserver.real.RealApiServer}, which all
 * tests of the JVM share, including those with {@link
 * dev.windlass.testing.apiserver.real.RealApiServerExtension#shared()}. Each test has its own
 * namespace, which is the injected client's default namespace. The extension deletes the namespace
 * after the test.
 *
 * <p>The extension injects the same types as with {@link EmbeddedKubernetes}, with {@code
 * RealApiServer} instead of {@code EmbeddedApiServer}. The programs etcd and kube-apiserver must be
 * in the directory that {@code KUBEBUILDER_ASSETS} specifies. If they are missing, the tests fail;
 * they are never skipped.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KubernetesExtension.class)
public @interface RealKubernetes {

  /** The custom resources to install before each test, unless they exist. */
  Class<? extends CustomResource<?, ?>>[] install() default {};

  /**
   * Whether the server also runs kube-controller-manager, which runs the garbage collector and
   * empties deleted namespaces. All classes with this setting share a separate server.
   */
  boolean controllerManager() default false;
}
