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
 * Gives each test of a class its own {@link
 * dev.windlass.testing.apiserver.embedded.EmbeddedApiServer}, and closes the server after the test.
 * The server does not require external programs. The first server in a JVM takes longer to start.
 * Additional servers start within milliseconds.
 *
 * <p>The extension injects these types into instance fields that are not final, and into parameters
 * of tests and of methods such as {@code @BeforeEach}:
 *
 * <ul>
 *   <li>{@code EmbeddedApiServer} or {@code TestApiServer}: the server;
 *   <li>{@code io.fabric8.kubernetes.client.KubernetesClient}: a client with all permissions;
 *   <li>{@code io.fabric8.kubernetes.client.Config}: this client's configuration;
 *   <li>with {@code framework-testing}, {@code Manager}: a manager that the test must start.
 * </ul>
 *
 * <p>Within a test, the extension injects the same object for each use of a type. After the test,
 * it closes the injected client and manager. The test fails if the server then still has open
 * watches, or if Windlass threads are still running ({@link LeakCheck}). The test must close the
 * clients and managers that it creates itself.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KubernetesExtension.class)
public @interface EmbeddedKubernetes {

  /**
   * The classes of the custom resources whose CRDs are installed before each test, with {@code
   * TestApiServer.install(Class)}.
   */
  Class<? extends CustomResource<?, ?>>[] install() default {};

  /** Whether a test fails if it leaves watches or Windlass threads behind. */
  boolean leakCheck() default true;
}
