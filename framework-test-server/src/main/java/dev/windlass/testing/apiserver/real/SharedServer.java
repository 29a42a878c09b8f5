// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;

/**
 * A server that all tests in the JVM share. The first test that needs the server starts it, and the
 * server runs until the JVM exits.
 *
 * <p>The server is not kept in a JUnit store, because JUnit closes the store after each run. A
 * build that distributes the test classes among several JVMs starts a separate JUnit run for each
 * class.
 */
final class SharedServer {

  /** The server with the default settings. */
  static final SharedServer PLAIN = new SharedServer(RealApiServer.builder());

  static final SharedServer WITH_CONTROLLER_MANAGER =
      new SharedServer(RealApiServer.builder().withControllerManager());

  private final RealApiServer.Builder builder;

  @GuardedBy("this")
  private @Nullable RealApiServer running;

  private SharedServer(RealApiServer.Builder builder) {
    this.builder = builder;
  }

  /**
   * Returns the server, and starts it if it is not running. Concurrent callers wait until it is
   * ready. If it does not become ready, the next call tries to start it again.
   *
   * @throws IllegalStateException if the server cannot be started; see {@link
   *     RealApiServer.Builder#start()}
   */
  synchronized RealApiServer get() {
    RealApiServer server = running;
    if (server == null) {
      server = builder.start();
      running = server;
    }
    return server;
  }
}
