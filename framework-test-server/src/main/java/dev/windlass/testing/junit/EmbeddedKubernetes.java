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
 * The server does not require external programs. After the first server has started, additional
 * servers start within milliseconds.
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
 * <p>For each type, the extension injects the same object throughout one test. After the test, it
 * closes these clients and managers. The test fails if watches on the server are then still open,
 * or if Windlass threads are still running, as described in {@link LeakCheck}. Close the clients
 * and managers that the test itself creates.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(KubernetesExtension.class)
public @interface EmbeddedKubernetes {

  /**
   * The custom resources to install before each test, as {@code TestApiServer.install(Class)} does.
   */
  Class<? extends CustomResource<?, ?>>[] install() default {};

  /** Whether a test fails if it leaves watches or Windlass threads behind. */
  boolean leakCheck() default true;
}
