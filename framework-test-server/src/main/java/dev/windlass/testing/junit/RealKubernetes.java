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
 * Gives the tests of a class a {@link dev.windlass.testing.apiserver.real.RealApiServer}. All tests
 * in the JVM share this server, including tests that use {@link
 * dev.windlass.testing.apiserver.real.RealApiServerExtension#shared()}. Each test has its own
 * namespace, which is the default namespace of the injected client. The extension deletes the
 * namespace after the test.
 *
 * <p>The extension injects the same types as {@link EmbeddedKubernetes} does, but {@code
 * RealApiServer} instead of {@code EmbeddedApiServer}. If the programs etcd and kube-apiserver are
 * missing, the tests fail. They are never skipped.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KubernetesExtension.class)
public @interface RealKubernetes {

  /**
   * The classes of the custom resources whose CRDs are installed before each test. CRDs that
   * already exist are not changed.
   */
  Class<? extends CustomResource<?, ?>>[] install() default {};

  /**
   * Whether the server also runs kube-controller-manager, which runs the garbage collector and
   * deletes the contents of terminating namespaces. All classes for which this is true share a
   * separate server.
   */
  boolean controllerManager() default false;
}
