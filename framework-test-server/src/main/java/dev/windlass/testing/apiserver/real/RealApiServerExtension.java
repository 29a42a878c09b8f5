// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import io.fabric8.kubernetes.client.Config;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides JUnit tests with a {@link RealApiServer}, through {@link #server()} or as a parameter.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();
 * }</pre>
 *
 * <p>{@code @ExtendWith(RealApiServerExtension.class)} also works and uses the shared server. If a
 * program is missing, the tests fail. They are never skipped.
 */
public final class RealApiServerExtension
    implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {

  private static final Namespace NAMESPACE = Namespace.create(RealApiServerExtension.class);

  private final SharedServer shared;

  /** The builder of the test's own server, or null if the test uses a shared server. */
  private final RealApiServer.@Nullable Builder builder;

  private volatile @Nullable RealApiServer server;

  /**
   * Creates an extension that is equivalent to {@link #shared()}, for use with {@code @ExtendWith}.
   */
  public RealApiServerExtension() {
    this(SharedServer.PLAIN, null);
  }

  private RealApiServerExtension(SharedServer shared, RealApiServer.@Nullable Builder builder) {
    this.shared = shared;
    this.builder = builder;
  }

  /**
   * Returns an extension that uses a server with the default settings. All tests in the JVM share
   * this server. The first test that needs the server starts it, and the server runs until the JVM
   * exits. The server consists of etcd and kube-apiserver, which setup-envtest installs.
   *
   * <p>Each test must use its own namespaces, must delete cluster-scoped objects that affect other
   * tests, such as webhook configurations, and must leave the server running.
   */
  public static RealApiServerExtension shared() {
    return new RealApiServerExtension();
  }

  /**
   * Returns an extension like {@link #shared()}, but with a different shared server, which has a
   * controller manager.
   *
   * @see RealApiServer.Builder#withControllerManager()
   */
  public static RealApiServerExtension sharedWithControllerManager() {
    return new RealApiServerExtension(SharedServer.WITH_CONTROLLER_MANAGER, null);
  }

  /**
   * Returns an extension that starts a separate server. Tests can kill or compact this server. If
   * the extension is in a static field, all tests of the class share the server. If it is in an
   * instance field, each test uses its own server.
   */
  public static RealApiServerExtension own(RealApiServer.Builder builder) {
    return new RealApiServerExtension(SharedServer.PLAIN, builder);
  }

  /**
   * Returns the running server.
   *
   * @throws IllegalStateException if no test is running
   */
  public RealApiServer server() {
    RealApiServer running = server;
    if (running == null) {
      throw new IllegalStateException(
          "the server starts before the first test; put the extension in a field with"
              + " @RegisterExtension");
    }
    return running;
  }

  /** Returns a new client configuration for the running server, with administrator credentials. */
  public Config clientConfig() {
    return server().clientConfig();
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    server = find(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    server = find(context);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RealApiServer.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return find(context);
  }

  /**
   * Returns the server for a test, and starts it if necessary. A test's own server is stored in the
   * given context. JUnit closes the server together with this context.
   */
  private RealApiServer find(ExtensionContext context) {
    RealApiServer.Builder own = builder;
    return own == null
        ? shared.get()
        : context
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent(this, key -> own.start(), RealApiServer.class);
  }
}
